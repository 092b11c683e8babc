"""The child process of a check: run the steps with the given numbers, and write each as a line of JSON."""

import dataclasses
import json
import os
import sys

from ludus.check.game_steps import run_steps


def main() -> None:
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of a game must not reach the parent
    for step in run_steps(sys.argv[1], map(int, sys.argv[2:])):
        print(json.dumps(dataclasses.asdict(step)), file=results, flush=True)


main()
