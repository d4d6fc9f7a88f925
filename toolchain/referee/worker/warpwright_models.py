# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model gets into a process: its file is imported, and Model or ModelNew made of what get_init_inputs gives.

The reader of references (resources/playbook) reads with the same rules.
"""

import inspect
import os
import random
import sys

import torch

from warpwright_files import KernelsElsewhere, Unusable, folders_of, import_file


def import_reference(path):
    """model.py, which finds its neighbours, and the files that it opens, also where it is a link to a file among them."""
    folders = folders_of(path)
    for folder in folders:
        sys.path.insert(0, folder)
    os.chdir(folders[0])
    if holds_both(path):
        sys.modules.setdefault("cuda_extension", KernelsElsewhere("cuda_extension"))
    module = import_file("model", path)
    if not hasattr(module, "Model"):
        raise Unusable(*_lacks("Model", path, module))
    if isinstance(module.Model, torch.nn.Module):
        kind = type(module.Model).__name__
        raise Unusable(f"{path} makes its Model itself (a {kind}), and one is to be made for each side, of the same arguments",
                       f"Write Model = {kind}, and let get_init_inputs() return what {kind}(...) is made of")
    if not hasattr(module, "get_inputs"):
        raise Unusable(f"{path} defines no get_inputs", "Add get_inputs(), which returns the list of forward's arguments")
    return module


def holds_both(path):
    """Whether a class ModelNew stands there as well."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(line.lstrip().startswith("class ModelNew") for line in file)


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


def _forward_of(module):
    """The signature of Model's forward without self; None: nobody knows (a factory)."""
    kind = getattr(module.Model, "func", module.Model)  # functools.partial
    if not hasattr(kind, "forward"):
        return None
    signature = inspect.signature(kind.forward)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _fits(signature, positional, named):
    try:
        signature.bind(*positional, **named)
    except TypeError:
        return False
    return True


def _in_order(signature, positional, named):
    """The same arguments by their places alone."""
    names = list(signature.parameters)
    by_name = [name for name in names if name in named and signature.parameters[name].kind is inspect.Parameter.KEYWORD_ONLY]
    if by_name:
        raise Unusable(f"get_inputs() gives {', '.join(by_name)} by name, and forward takes it in no other way",
                       "Let forward take it by its place as well: without the * before it")
    last = max(map(names.index, named), default=len(positional) - 1)
    return [*positional, *(named.get(name, signature.parameters[name].default) for name in names[len(positional) : last + 1])]


def _strange(value):
    """A value that is not handed on; None: there is none."""
    if isinstance(value, (list, tuple)):
        return next((found for item in value if (found := _strange(item)) is not None), None)
    if isinstance(value, dict):
        return _strange(list(value.values()))
    plain = (torch.Tensor, torch.dtype, bool, int, float, str)
    return None if value is None or isinstance(value, plain) else value


def inputs_of(module):
    """The arguments of forward by their places: get_inputs() may give them in a list, a tuple, one after the other
    (yield), by their names (a dict), as [args, kwargs], or be the only one itself."""
    given = called(module, "get_inputs")
    if given is None:
        raise Unusable("get_inputs() returns nothing", "Let it return the list of forward's arguments")
    if inspect.isgenerator(given):
        given = list(given)
    signature = _forward_of(module)
    if isinstance(given, dict) and signature and all(isinstance(key, str) for key in given) and _fits(signature, (), given):
        given = _in_order(signature, (), given)
    elif isinstance(given, (list, tuple)) and len(given) == 2 and isinstance(given[0], (list, tuple)) and isinstance(given[1], dict):
        if signature and not _fits(signature, given, {}) and _fits(signature, *given):
            given = _in_order(signature, *given)
    inputs = list(given) if isinstance(given, (list, tuple)) else [given]
    if (strange := _strange(inputs)) is not None:
        kind = f"{type(strange).__module__}.{type(strange).__qualname__}"
        raise Unusable(f"get_inputs() gives a {kind}, which is not handed on to forward",
                       "Give tensors (torch.from_numpy makes one of an array), numbers, strings, or lists and dicts of these")
    return inputs


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
