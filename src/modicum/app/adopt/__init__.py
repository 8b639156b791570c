"""Takes over what a project's instruction files say into a pack, so that it can be undone byte for byte."""
