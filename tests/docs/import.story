-- ~/engram-export.json --
{"version": "0.1.0", "exported_at": "2026-05-01 10:00:00",
 "sessions": [{"id": "s1", "project": "shop", "directory": "/shop", "started_at": "2026-05-01 09:00:00"}],
 "observations": [
  {"id": 1, "sync_id": "obs-1", "session_id": "s1", "type": "decision", "title": "Queue moved to SQLite", "content": "Redis needed a host of its own.", "project": "shop", "scope": "project", "revision_count": 1, "duplicate_count": 1, "created_at": "2026-05-01 09:10:00", "updated_at": "2026-05-01 09:10:00"},
  {"id": 2, "sync_id": "obs-2", "session_id": "s1", "type": "bugfix", "title": "Login without a password", "content": "The form let it pass.", "project": "shop", "scope": "project", "revision_count": 1, "duplicate_count": 1, "created_at": "2026-05-01 09:20:00", "updated_at": "2026-05-01 09:20:00"}],
 "prompts": [{"id": 1, "sync_id": "p-1", "session_id": "s1", "content": "Why is the queue slow?", "project": "shop", "created_at": "2026-05-01 09:00:30"}]}
