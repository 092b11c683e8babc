"""The environment of bots: few variables of the user's, so that no secret reaches a bot, and its own ones."""

import os
from collections.abc import Mapping

PASSED_ON = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "USER"),
    *("LANG", "LANGUAGE", "TZ"),
    *("DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH"),
    *("CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"),
    *("DOTNET_ROOT", "GEM_HOME", "GEM_PATH", "JAVA_HOME", "JULIA_DEPOT_PATH", "NODE_PATH", "R_LIBS", "WINEPREFIX"),
)
"""Variables that every bot gets where they are set: who and where the user is, languages, libraries, interpreters."""
ALSO = "LC_"
"""Begin of the names of more such variables."""
NO_VARIABLES: Mapping[str, str] = {}


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """The environment of a bot with these variables of its own."""
    passed_on = {name: text for name, text in os.environ.items() if name in PASSED_ON or name.startswith(ALSO)}
    return passed_on | dict(own)
