"""What an agent is told when a session starts or a prompt comes, and what is kept of it. For hooks."""
