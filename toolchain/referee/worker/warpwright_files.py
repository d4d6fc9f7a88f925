# SPDX-License-Identifier: GPL-3.0-or-later
"""How a file of a task gets into a process, and what is said where it does not."""

import importlib.util
import os
import sys
import traceback
import types

PACKAGE = "files_beside"  # what `from .layers import X` means: the folder of the file that says so


class Unusable(Exception):
    """What is the matter with a file, and what to do, for the person who wrote it: no traceback says more."""

    is_told = True

    def __init__(self, why, remedy):
        super().__init__(f"{why}. {remedy}.")


def folders_of(path):
    """Its own, and before it that of the file that it leads to, where it is a link."""
    return list({os.path.dirname(os.path.realpath(path)): None, os.path.dirname(path): None})


def _executed(name, path, package=""):
    spec = importlib.util.spec_from_file_location(f"{package}.{name}" if package else name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def import_file(name, path):
    try:
        return _executed(name, path)
    except ImportError as problem:
        if "with no known parent package" not in str(problem):
            raise (_told(problem, path) or problem)
    package = sys.modules[PACKAGE] = types.ModuleType(PACKAGE)
    package.__path__ = folders_of(path)
    try:
        return _executed(name, path, PACKAGE)
    except ImportError as problem:
        raise (_told(problem, path) or problem)


def _told(problem, path):
    """The same in words of ours; None: its own are the best there are."""
    name = os.path.basename(path)
    if "beyond top-level package" in str(problem):
        return Unusable(f"{_importing(problem, path)} from a folder above its own, and what belongs to a task lies "
                        "beside its file", "Lay what is imported there beside it, and import it with one dot")
    if "PyInit_" in str(problem):
        return Unusable("what was built brings no Python module of the name cuda_extension",
                        "Write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) where the module is made")
    if not isinstance(problem, ModuleNotFoundError) or not problem.name:
        return None
    if problem.name.startswith(PACKAGE + "."):
        own = problem.name.removeprefix(PACKAGE + ".")
        return Unusable(f"{_importing(problem, path)} .{own}, which does not lie beside {name}", f"Lay {own} there")
    top = problem.name.split(".")[0]
    if top == "cuda_extension":
        return Unusable(f"{_importing(problem, path)} cuda_extension, which is made of the candidate's kernels, and a "
                        "reference has none", "Let it compute with torch alone; ModelNew, in model_new.py, imports cuda_extension")
    why = f"{_importing(problem, path)} {problem.name}, which is neither installed here nor beside {name}"
    if name == "model_new.py":
        return Unusable(why, "What is built of kernels/ is imported as cuda_extension; any other module is to lie "
                        f"beside {name}")
    return Unusable(why, f"Install it ({sys.executable} -m pip install {top}), or lay {top} beside {name}")


def _importing(problem, path):
    """"model.py, line 3, imports": the last place in files of the task."""
    folders = folders_of(path)
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if any(frame.filename.startswith(folder + os.sep) for folder in folders):
            return f"{os.path.relpath(frame.filename, folders[0])}, line {frame.lineno}, imports"
    return f"{os.path.basename(path)} imports"


class KernelsElsewhere(types.ModuleType):
    """cuda_extension for a reference whose file holds both models: it is imported there, and only ModelNew has its kernels."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*_, **__):
            raise Unusable(f"the reference calls cuda_extension.{name}, and kernels are the candidate's",
                           "Let Model compute with torch alone")

        return call


