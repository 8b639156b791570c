# A developer fixes a bug, is warned of an earlier decision, and leaves a folder that others understand.

$ modicum adr new "No state outside of Postgres" --context "A failover lost sessions." --decision "Never put a session into Redis." --rationale "One place to back up."
001 No state outside of Postgres: docs/adrs/001-no-state-outside-of-postgres.md

$ modicum check "keep sessions in Redis"
## Possible conflicts
- **ADR 001 No state outside of Postgres**: shares sessions, redis; it says otherwise
  docs/adrs/001-no-state-outside-of-postgres.md:12 (Decision)
  > Never put a session into Redis.
[...]

$ modicum change new --type fix --size small "Sessions are lost at a failover"
sessions-are-lost-at-a-failover is now at describe
Next: write docs/changes/sessions-are-lost-at-a-failover/describe.md, then: modicum change advance
modicum: [..]

$ modicum change advance
describe is finished. sessions-are-lost-at-a-failover is now at context-check
Next: modicum change advance fills in docs/changes/sessions-are-lost-at-a-failover/context-check.md

$ modicum change advance
context-check is finished. sessions-are-lost-at-a-failover is now at tasks
Next: write docs/changes/sessions-are-lost-at-a-failover/tasks.md, then: modicum change advance

$ modicum change advance --content "- [ ] T1: Replicate the table (files: db.sql)"
tasks is finished. sessions-are-lost-at-a-failover is now at verify
Next: write docs/changes/sessions-are-lost-at-a-failover/verify.md, then: modicum change advance

$ modicum change advance --content "Ran the failover drill. Verdict: PASS"
? 1
sessions-are-lost-at-a-failover stays at verify.
Edit docs/changes/sessions-are-lost-at-a-failover/tasks.md, then: modicum change advance
modicum: error: docs/changes/sessions-are-lost-at-a-failover/tasks.md: 0 of 1 tasks are ticked; finish and tick T1 (line 1)
modicum: warning: docs/changes/sessions-are-lost-at-a-failover/verify.md: has no verdict: add a line "Verdict: PASS"

$ modicum change cancel --reason "the database team does it"
sessions-are-lost-at-a-failover is cancelled: docs/changes/sessions-are-lost-at-a-failover/

$ modicum check "stop losing sessions" --detail summary
[...]
- sessions-are-lost-at-a-failover (cancelled: the database team does it)
[...]
