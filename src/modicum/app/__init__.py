"""The use cases: gather, compose, fit, hand back a value. The only place that sees two domains."""
