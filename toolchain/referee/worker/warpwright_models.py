# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model gets into a process: its file is imported, and Model or ModelNew made of what get_init_inputs gives.

The reader of references (resources/playbook) reads with the same rules.
"""

import importlib.util
import inspect
import os
import random
import sys

import torch


class Unusable(Exception):
    """What is the matter with a file, and what to do, for the person who wrote it: no traceback says more."""

    is_told = True

    def __init__(self, why, remedy):
        super().__init__(f"{why}. {remedy}.")


def import_file(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def import_reference(path):
    """model.py, which finds its neighbours also where it is a link to a file among them."""
    for folder in {os.path.dirname(os.path.realpath(path)): None, os.path.dirname(path): None}:
        sys.path.insert(0, folder)
    module = import_file("model", path)
    if not hasattr(module, "Model"):
        raise Unusable(*_lacks("Model", path, module))
    if not hasattr(module, "get_inputs"):
        raise Unusable(f"{path} defines no get_inputs", "Add get_inputs(), which returns the list of forward's arguments")
    return module


def _lacks(name, path, module):
    own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
    kinds = [value.__name__ for value in own if isinstance(value, type) and issubclass(value, torch.nn.Module)]
    functions = [value for value in own if inspect.isfunction(value) and not value.__name__.startswith("get_")]
    if kinds:
        return (f"{path} defines no {name}; its modules are {', '.join(kinds)}",
                f"Say which of them it is by a last line, {name} = {kinds[-1]}")
    if functions:
        function = functions[-1]
        return (f"{path} defines no {name}, but the function {function.__name__}{inspect.signature(function)}",
                f"Add a class {name}(nn.Module) whose forward calls {function.__name__}, with what is learnt as its "
                "parameters")
    return f"{path} defines no {name}", f"Add a class {name}(nn.Module), whose forward is the task"


def import_candidate(path):
    module = import_file("model_new", path)
    if not hasattr(module, "ModelNew"):
        raise Unusable(*_lacks("ModelNew", "model_new.py", module))
    return module


def seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % (1 << 32))


def _needed(callable_):
    """The names of the arguments that it cannot be called without."""
    try:
        parameters = inspect.signature(callable_).parameters.values()
    except (TypeError, ValueError):  # written in C
        return []
    return [parameter.name for parameter in parameters if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]


def called(module, name):
    """What the file's function `name` gives, which is called without arguments."""
    function = getattr(module, name)
    if needed := _needed(function):
        raise Unusable(f"{name}() needs {', '.join(needed)}, and nothing is given to it",
                       f"Write a default for each: {name}({', '.join(word + '=...' for word in needed)})")
    return function()


def init_inputs(module):
    """What the constructor is to be given; without get_init_inputs nothing, where it asks for nothing."""
    if hasattr(module, "get_init_inputs"):
        return called(module, "get_init_inputs")
    if needed := _needed(module.Model):
        raise Unusable(f"model.py defines no get_init_inputs, and Model({', '.join(needed)}) cannot be made without "
                       "arguments", f"Add get_init_inputs(), which returns [{', '.join(needed)}]")
    return []


def _binds(kind, positional, named):
    try:
        inspect.signature(kind).bind(*positional, **named)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _meanings(kind, init):
    """(positional, named) arguments, the likeliest first: [args, kwargs] may be the two lists of a call, as large
    collections of tasks write it, or two arguments of the constructor."""
    if isinstance(init, dict):
        return [((), init)]
    if init is None:
        return [((), {})]
    if not isinstance(init, (list, tuple)):
        return [((init,), {})]
    as_it_is = (tuple(init), {})
    is_pair = len(init) == 2 and isinstance(init[0], (list, tuple)) and isinstance(init[1], dict)
    if not is_pair or not all(isinstance(key, str) for key in init[1]) or not _binds(kind, init[0], init[1]):
        return [as_it_is]
    pair = (tuple(init[0]), init[1])
    if not _binds(kind, *as_it_is):
        return [pair]
    return [as_it_is, pair] if init[0] and not init[1] else [pair, as_it_is]


def copied(value, change=lambda tensor: tensor):
    """The same arguments in containers of their own: a constructor may change what it is given."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(copied(item, change) for item in value)
    if type(value) is dict:
        return {key: copied(item, change) for key, item in value.items()}
    return value


def construct(kind, init, seed):
    """The model, and the (positional, named) arguments that it was made of."""
    first = None
    for positional, named in _meanings(kind, init):
        seed_all(seed)
        try:
            return kind(*copied(positional), **copied(named)), (positional, named)
        except Exception as problem:
            first = first or problem
    raise first
