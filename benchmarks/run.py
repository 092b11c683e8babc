"""Run the programs that measure Ludus beside a peer, all of them or some, as one table.

Example: python benchmarks/run.py playouts mcts
"""

import argparse
import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from side_by_side import Row, short, show


def find_programs() -> dict[str, Path]:
    """The programs by name."""
    here = Path(__file__)
    files = (file for file in sorted(here.parent.glob("*.py")) if file != here)
    return {file.stem: file for file in files if "from side_by_side import" in file.read_text()}


def run_program(file: Path) -> Iterator[Row]:
    """The rows of a program as they come."""
    with subprocess.Popen([sys.executable, str(file), "--json"], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout or ():
            yield Row(**json.loads(line))
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, str(file))


def main() -> None:
    """Run what the command line names."""
    programs = find_programs()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *programs], help=", ".join(programs))
    parser.add_argument("--json", action="store_true", help="one line of JSON for each row")
    arguments = parser.parse_args()
    rows, failed = [], []
    for name in arguments.names or programs:
        try:
            for row in run_program(programs[name]):
                rows.append(dataclasses.replace(row, name=f"{name}: {row.name}"))
                if arguments.json:
                    print(json.dumps(dataclasses.asdict(rows[-1])), flush=True)
                else:
                    print(f"{rows[-1].name}: {short(row.ludus)} {row.unit}", file=sys.stderr)
        except subprocess.CalledProcessError:
            failed.append(name)
    if not arguments.json:
        show("", rows)
    if failed:
        sys.exit(f"These benchmarks failed, as said above: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
