"""What everybody needs: values, errors, configuration, paths, files, YAML checking."""
