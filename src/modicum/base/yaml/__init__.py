"""YAML files: read into nodes that know their lines, and checked against a shape."""
