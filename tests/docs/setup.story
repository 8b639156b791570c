-- ~/.claude/settings.json --
{}
