"""Limits of Allowance for the callers of a LiteLLM proxy. See ../README.md."""

from .auth import user_api_key_auth
from .logger import AllowanceLogger

__all__ = ["logger", "user_api_key_auth"]

logger = AllowanceLogger()
