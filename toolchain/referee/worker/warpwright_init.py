# SPDX-License-Identifier: GPL-3.0-or-later
"""The constructor's arguments on their way to the candidate's process, which has no model.py: as a tree of JSON.

A configuration object arrives as an object with the same attributes, a function or class of a library by its name,
a tensor with its bytes.
"""

import base64
import collections
import ctypes
import enum
import importlib
import inspect
import types

import torch

from warpwright_files import Unusable
from warpwright_values import DTYPES, dtype_name

MOST_TENSOR_BYTES = 16 << 20  # base64 in a message of 64 MiB


def _refused(what, why, remedy):
    return Unusable(f"get_init_inputs() gives {what}, which cannot be handed to the candidate: {why}", remedy)


def _library_name(value):
    """module:name of a class or function that any process can import."""
    name = f"{value.__module__}:{value.__qualname__}"
    root = value.__module__.split(".")[0]
    if root in ("torch", "math", "operator", "numpy", "builtins") and "<" not in name:
        return name
    raise _refused(f"{value.__name__} of model.py",
                   "its process has no model.py", "Give a name or a number, and choose by it in the constructor")


def _tensor(value, room):
    plain = value.detach().cpu().contiguous()
    room.append(plain.numel() * plain.dtype.itemsize)
    if sum(room) > MOST_TENSOR_BYTES:
        raise _refused(f"tensors of {sum(room) >> 20} MiB",
                       f"{MOST_TENSOR_BYTES >> 20} MiB are the most",
                       "Make them parameters or buffers, which are handed over whatever their size")
    data = ctypes.string_at(plain.data_ptr(), plain.numel() * plain.dtype.itemsize) if plain.numel() else b""
    return {"kind": "tensor", "dtype": dtype_name(plain.dtype), "sizes": list(plain.shape),
            "bytes": base64.b64encode(data).decode()}


def _computed(value):
    """What a configuration object answers by its class: constants, and properties."""
    for name, kind in inspect.getmembers(type(value)):
        if name.startswith("_") or name in vars(value) or (callable(kind) and not isinstance(kind, property)):
            continue
        try:
            yield name, encode_init(getattr(value, name))
        except Exception:  # this configuration has no answer, or none that can be handed on
            continue


def encode_init(value, room=None):
    room = [] if room is None else room

    def items(values):
        return [encode_init(item, room) for item in values]

    if value is None:
        return {"kind": "none"}
    if isinstance(value, torch.Tensor):
        return _tensor(value, room)
    if isinstance(value, enum.Enum):
        raise _refused(f"{value} of model.py", "its process has no model.py", "Give its value, a number or a string")
    if isinstance(value, (bool, int, str)):
        return {"kind": "value", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": value.hex()}
    if isinstance(value, torch.dtype):
        return {"kind": "dtype", "value": dtype_name(value)}
    if isinstance(value, torch.device):
        return {"kind": "device", "value": str(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"kind": "named-tuple", "type": type(value).__name__, "keys": list(value._fields), "items": items(value)}
    if isinstance(value, (list, tuple)):
        return {"kind": "list" if isinstance(value, list) else "tuple", "items": items(value)}
    if isinstance(value, dict):
        return {"kind": "dict", "keys": items(value), "items": items(value.values())}
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return {"kind": "name", "value": _library_name(value)}
    if hasattr(value, "__dict__") and not isinstance(value, torch.nn.Module):
        found = dict(zip(vars(value), items(vars(value).values()))) | dict(_computed(value))
        return {"kind": "object", "type": type(value).__name__, "keys": list(found), "items": list(found.values())}
    raise _refused(f"a {type(value).__module__}.{type(value).__qualname__}",
                   "numbers, strings, tensors, lists, dicts and objects of these are what is handed on",
                   "Make it in the constructor, of such values")


def _tensor_of(tree):
    data = bytearray(base64.b64decode(tree["bytes"]))
    dtype = DTYPES[tree["dtype"]]
    flat = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return flat.reshape(tree["sizes"])


def decode_init(tree):
    kind = tree["kind"]
    items = [decode_init(item) for item in tree.get("items", ())]
    if kind == "none":
        return None
    if kind == "tensor":
        return _tensor_of(tree)
    if kind == "float":
        return float.fromhex(tree["value"])
    if kind == "dtype":
        return DTYPES[tree["value"]]
    if kind == "device":
        return torch.device(tree["value"])
    if kind == "named-tuple":
        return collections.namedtuple(tree["type"], tree["keys"])(*items)
    if kind in ("list", "tuple"):
        return items if kind == "list" else tuple(items)
    if kind == "dict":
        return dict(zip((decode_init(key) for key in tree["keys"]), items))
    if kind == "object":
        return type(tree["type"], (types.SimpleNamespace,), {})(**dict(zip(tree["keys"], items)))
    if kind == "name":
        module, name = tree["value"].split(":")
        value = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
        return value
    return tree["value"]
