# SPDX-License-Identifier: GPL-3.0-or-later
"""One task of resources/tasks: where it lies, which half it is in, and its module, at full or at small size."""

import ast
import hashlib
import pathlib
import types

SPDX = "# SPDX-License-Identifier: GPL-3.0-or-later"
WANTED = ("Model", "get_inputs", "get_init_inputs")


class TaskFile:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name, self.kind = self.path.stem, self.path.parent.name
        self.text = self.path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text, str(path))
        self.title = ast.get_docstring(self.tree) or ""

    @property
    def split(self):
        """By the name alone, so that a task keeps its half when its text, kind or neighbours change."""
        return "held-out" if hashlib.sha256(self.name.encode()).digest()[0] % 2 else "train"

    def constants(self):
        """Module-level assignments `NAME = value`, by name."""
        return {
            node.targets[0].id: node
            for node in self.tree.body
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        }

    def small(self):
        node = self.constants().get("SMALL")
        return ast.literal_eval(node.value) if node else {}

    def module(self, is_small=False):
        """A new module of this text. At small size the constants named in SMALL have its values before anything
        reads them, so constants computed from them, and default arguments, follow."""
        tree = ast.parse(self.text, str(self.path))
        if is_small:
            small = self.small()
            for node in tree.body:
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    if node.targets[0].id in small:
                        node.value = ast.copy_location(ast.Constant(small[node.targets[0].id]), node.value)
        module = types.ModuleType(f"task_{self.name}")
        exec(compile(tree, str(self.path), "exec"), module.__dict__)
        return module

    def form_problems(self):
        """What is wrong with the text, before anything runs."""
        lines = self.text.splitlines()
        defined = {node.name for node in self.tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        constants = self.constants()
        if lines[:1] != [SPDX]:
            yield f"its first line is not «{SPDX}»"
        if len(self.title) < 30:
            yield "its docstring does not say what it is and where it occurs"
        if any(len(line) > 120 for line in lines):
            yield "a line has more than 120 characters"
        for name in WANTED:
            if name not in defined:
                yield f"it defines no {name}"
        if not self.small():
            yield "it has no SMALL = {constant: small value}, with which it runs on a CPU"
        for name in self.small():
            if name not in constants:
                yield f"SMALL names {name}, which is no constant of the module"


def all_tasks(folder):
    return [TaskFile(path) for path in sorted(pathlib.Path(folder).glob("*/*.py"))]
