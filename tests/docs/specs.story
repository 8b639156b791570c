$ modicum adr new "Amounts are integers" --context "Sums drifted." --decision "Amounts are integers in cents." --rationale "Exact."
$ modicum adr new "One service" --context "Two teams." --decision "The shop is one service." --rationale "Small."
$ modicum adr new "No state outside of Postgres" --context "There is one database to back up." --decision "Never put a session into Redis." --rationale "One place."
$ modicum change new --type fix --size small "Move sessions to Redis"
$ modicum change advance
$ modicum change advance
$ modicum change advance --content "- [x] T1: Move them (files: src/session.py)"
-- docs/changes/move-sessions-to-redis/verify.md --
# Verify

## What was run

Sessions were gone after the failover test.

## Verdict

Verdict: FAIL
$ modicum change cancel --reason "lost sessions on failover"
