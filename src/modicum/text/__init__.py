"""What a text consists of: Markdown tiers and headings, our regions, plain prose, pieces, secrets. Pure."""
