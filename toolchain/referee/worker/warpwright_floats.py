# SPDX-License-Identifier: GPL-3.0-or-later
"""A forward in other floats than it was written for: what it makes (states, tables, masks) and converts is of them, too."""

import contextlib

import torch
from warpwright_modes import dispatch_mode
from warpwright_values import map_tensors

COMPLEX = {torch.float64: torch.complex128}


def raised(tensor, lower):
    """What a class of lower precision gave, in the floats that a reference's result has."""
    if tensor.dtype == torch.complex32:
        return tensor.to(torch.complex64)
    return tensor.float() if tensor.dtype == lower else tensor


class ReplacedFloats:
    """For dispatch_mode(): torch.float32 means `wanted`, whether it is asked for by name, converted to, or what a tensor has
    that no model holds. Views of bits see the float that they were written for."""

    def __init__(self, wanted):
        super().__init__()
        self._wanted = wanted
        self._types = {torch.float32: wanted, torch.complex64: COMPLEX.get(wanted, torch.complex64)}
        self._written = {}  # by operator: the names and places of what it writes into

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = func.overloadpacket.__name__
        if name == "view" and len(args) == 2 and isinstance(args[1], torch.dtype):
            bits = args[0].to(torch.float32) if args[0].dtype == self._wanted and args[1].itemsize == 4 else args[0]
            return func(bits, args[1])
        if "dtype" in kwargs:
            kwargs["dtype"] = self._types.get(kwargs["dtype"], kwargs["dtype"])
        if getattr(func, "is_view", False):
            return func(*args, **kwargs)
        written = self._places_written(func)
        args = tuple(value if place in written else map_tensors(value, self._replaced) for place, value in enumerate(args))
        kwargs = {key: value if key in written else map_tensors(value, self._replaced) for key, value in kwargs.items()}
        return func(*args, **kwargs)

    def _places_written(self, func):
        if func not in self._written:
            self._written[func] = {
                word for place, argument in enumerate(func._schema.arguments)
                if argument.alias_info is not None and argument.alias_info.is_write for word in (place, argument.name)}
        return self._written[func]

    def _replaced(self, tensor):
        wanted = self._types.get(tensor.dtype)
        return tensor if wanted in (None, tensor.dtype) else tensor.to(wanted)


@contextlib.contextmanager
def replaced_floats(wanted):
    """While it lasts float32 means `wanted`, and floats without a type are of it."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(wanted)
    try:
        with dispatch_mode(ReplacedFloats)(wanted):
            yield
    finally:
        torch.set_default_dtype(before)
