"""Random tests are repeatable in CI and search further at home; MODICUM_EXAMPLES asks for more."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "modicum",
    max_examples=int(os.environ.get("MODICUM_EXAMPLES", "100")),
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("modicum")
