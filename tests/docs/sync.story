$ modicum save "Queue moved to SQLite" "Redis needed a host of its own, so src/queue.py keeps jobs in SQLite." --type decision
