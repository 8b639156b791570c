# A developer keeps what was learnt, and finds it again with a plain question.

$ modicum recall
There are no notes of "project" yet. Keep one: modicum save "Title" "What and why"

$ modicum save "Queue moved to SQLite" "Redis needed a host of its own, and nobody had time to run it." --type decision --topic queue/engine
n-[..] "Queue moved to SQLite" created

$ modicum save "Lock errors" "OperationalError: database is locked. Fixed with BEGIN IMMEDIATE in getQueueById." --type bugfix
n-[..] "Lock errors" created

$ modicum search why did we leave redis --limit 1
n-[..] [decision] Queue moved to SQLite
Redis needed a host of its own, and nobody had time to run it.
[...]

$ modicum search queue by id --limit 1 --detail summary
n-[..] [bugfix] Lock errors

… 1 more of 2: add --cursor [..]

$ modicum save "Queue moved to Postgres" "SQLite had one writer too few." --type decision --topic queue/engine
n-[..] "Queue moved to Postgres" updated

$ modicum show 1 --history
2. [..]  Queue moved to Postgres
SQLite had one writer too few.

1. [..]  Queue moved to SQLite
Redis needed a host of its own, and nobody had time to run it.

$ modicum memory relate 1 2 --type depends_on
n-[..] "Queue moved to Postgres" depends_on n-[..] "Lock errors"

$ modicum memory pin 2
n-[..] "Lock errors" is pinned

$ modicum show 2
n-[..] Lock errors
bugfix · project · [..] · pinned

OperationalError: database is locked. Fixed with BEGIN IMMEDIATE in getQueueById.
  n-[..] depends_on n-[..]

$ modicum save "Deploy" "The key is ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and <private>my diary</private>."
n-[..] "Deploy" created
modicum: What is private or looks like a secret was taken out.

$ modicum show 3
n-[..] Deploy
manual · project · [..]

The key is [REDACTED] and [REDACTED].

$ modicum delete 3
n-[..] "Deploy" deleted (undo: modicum undo)

$ modicum show 3
? 4
modicum: note #3 not found (search for it, or restore it if it was deleted)

$ modicum memory restore 3
n-[..] "Deploy" is back

$ modicum recall --max-tokens 40 --detail summary
[...]

$ modicum memory stats
3 notes, 1 session, 0 prompts in [..]
Projects: project

$ modicum doctor
modicum [..], python [..], sqlite [..]
Memory: [..]
Search: by words [..]
Nothing is wrong.
Checking memory …
