"""The bundled models, for a program or a notebook to build on: `from modelcheck.models.chang_roberts import ChangRoberts`.

Their files lie in folders by topology, in a checkout beside the package; here Python finds them by name. The module is the one that
`modelcheck run chang_roberts` is of. (In the text of a model that modelcheck loads itself this import is one of loading.py.)
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from .loading import load_file, model_files

__path__: list[str] = []  # it is a package, of modules that only the finder below finds


class _Bundled(MetaPathFinder, Loader):
    """Finds them, and has them loaded as any other model."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        package, _, model = name.rpartition(".")
        return ModuleSpec(name, self) if package == __name__ and model in model_files() else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return load_file(model_files()[spec.name.rpartition(".")[2]]).module

    def exec_module(self, module: ModuleType) -> None:
        """It has been run already."""


sys.meta_path.append(_Bundled())
