-- docs/hoofy.json --
{
  "name": "Shop", "description": "Sells books", "version": "0.1.0", "mode": "guided", "current_stage": "charter",
  "created_at": "2026-05-01T09:00:00Z", "updated_at": "2026-05-01T09:00:00Z",
  "stage_status": {"principles": {"status": "completed", "iterations": 1}, "charter": {"status": "in_progress", "iterations": 1}},
  "clarity_score": 0
}

-- docs/principles.md --
# Principles

- Amounts are integers in cents, never floats.
