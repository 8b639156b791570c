"""Projects: whose notes these are. A folder finds its project by keys, never by the name that it has."""
