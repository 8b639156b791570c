"""The commands for a team's database: tokens, the audit log, migration."""
