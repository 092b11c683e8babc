"""Write the trees of docs/architecture.md (folders) and docs/modules.md (modules) from the docstrings of the package.

python docs/tree.py
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
SOURCES = DOCS.parent / "src" / "ludus"
BEGIN, END = "<!-- tree: python docs/tree.py -->\n", "<!-- end of the tree -->\n"


def layers() -> list[list[str]]:
    """The folders and modules of each layer, from the table in docs/architecture.md."""
    rows = re.findall(
        r"^\| \d\. [^|]+\|([^|]+)\|", (DOCS / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    return [re.findall(r"`([a-z_]+)", row) for row in rows]


def summary(file: Path) -> str:
    """The first line of a module's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].removesuffix(".")


def lines(folder: Path, modules: bool, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The name of each folder below this one, and of its modules if they are asked for, with what they are."""
    order = [name for layer in layers() for name in layer] if folder == SOURCES else []
    paths = [path for path in folder.iterdir() if path.name not in ("__init__.py", "__pycache__")]
    for path in sorted(paths, key=lambda path: (path.is_file(), [*order, path.stem].index(path.stem), path.name)):
        indent = "  " * (depth + 1)
        if (path / "__init__.py").is_file():
            yield f"{indent}{path.name}/", summary(path / "__init__.py")
            yield from lines(path, modules, depth + 1)
        elif modules and path.suffix == ".py":
            yield f"{indent}{path.name}", summary(path)


def tree(modules: bool) -> str:
    """The annotated tree, as a block of Markdown."""
    named = list(lines(SOURCES, modules))
    width = max(len(name) for name, _ in named) + 2
    rows = "\n".join(f"{name:{width}}{text}" for name, text in named)
    return f"```text\nsrc/ludus/\n{rows}\n```\n"


def with_tree(page: str, modules: bool) -> str:
    """A page with its tree made anew."""
    head, rest = page.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}{tree(modules)}{END}{tail}"


PAGES = {"architecture.md": False, "modules.md": True}
"""By name, whether its tree lists modules or folders alone."""


def main() -> None:
    for name, modules in PAGES.items():
        page = DOCS / name
        page.write_text(with_tree(page.read_text(encoding="utf-8"), modules), encoding="utf-8")


if __name__ == "__main__":
    main()
