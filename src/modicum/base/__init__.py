"""The base of all layers: values, errors, configuration, paths, files, YAML checking."""
