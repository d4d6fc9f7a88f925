# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments and results of models as trees of plain JSON, with tensors as places in shared memory.

A tensor is {kind, dtype, sizes, strides, offset, region, device}: the judge reads its bytes where they lie.
Strides are in elements, offsets in bytes from the start of the region.
"""

import ctypes
import dataclasses
import math
import mmap
import weakref

import torch

from warpwright_layout import ALIGNMENT, aligned, extent_elements, is_dense, shared_spans

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
        torch.uint8, torch.bool, torch.complex64, torch.complex128, torch.float8_e4m3fn, torch.float8_e5m2,
    )
}


def dtype_name(dtype):
    return str(dtype).removeprefix("torch.")


class Region:
    """Memory that the judge made and this process maps: inputs or weights."""

    def __init__(self, name, bytes_, device, buffer=None, address=0):
        self.name, self.bytes, self.device = name, bytes_, device
        self._buffer, self.address = buffer, address
        if buffer is not None:
            self._flat = torch.frombuffer(buffer, dtype=torch.uint8)
            self.address = self._flat.data_ptr()
        else:
            self.__cuda_array_interface__ = {
                "shape": (bytes_,), "typestr": "|u1", "data": (address, False), "version": 3,
            }
            self._flat = torch.as_tensor(self, device=device)

    @staticmethod
    def on_cpu(name, descriptor, bytes_, is_writable=True):
        # Not mmap.mmap: it keeps a duplicate of the descriptor, for whoever writes to all that he finds.
        address = LIBC.mmap(None, bytes_, mmap.PROT_READ | (mmap.PROT_WRITE if is_writable else 0), mmap.MAP_SHARED, descriptor, 0)
        if address == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), f"cannot map {bytes_} bytes of {name}")
        buffer = (ctypes.c_char * bytes_).from_address(address)
        weakref.finalize(buffer, LIBC.munmap, address, bytes_)
        return Region(name, bytes_, torch.device("cpu"), buffer=buffer)

    @staticmethod
    def on_cuda(name, address, bytes_, device):
        return Region(name, bytes_, device, address=address)

    def tensor(self, description):
        dtype = DTYPES[description["dtype"]]
        sizes, strides, offset = description["sizes"], description["strides"], description["offset"]
        extent = extent_elements(sizes, strides) * dtype.itemsize
        flat = self._flat[offset : offset + extent].view(dtype)
        return flat.as_strided(sizes, strides)

    def fill(self, offset, count, byte):
        self._flat[offset : offset + count].fill_(byte)

    def holds(self, address):
        return self.address <= address < self.address + self.bytes


class Called(dict):
    """What one call made: under "" what forward returned, and by their names the tensors that it wrote."""


def with_fields(value):
    """The same with dicts of their fields in place of dataclasses: a result that has them is right as such a dict, too."""
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, list, tuple, dict, torch.Tensor)):
        return {field.name: with_fields(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        items = [with_fields(item) for item in value]
        return value._make(items) if hasattr(value, "_make") else type(value)(items)
    if isinstance(value, dict):
        items = {key: with_fields(item) for key, item in value.items()}
        return Called(items) if isinstance(value, Called) else items
    return value


def encode(value, place_tensor):
    """The tree of a value; place_tensor(tensor) gives the description of each tensor in it."""
    if isinstance(value, torch.Tensor):
        return place_tensor(value)
    if value is None:
        return {"kind": "none"}
    if isinstance(value, (bool, int, str)):
        return {"kind": "value", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": value.hex()}
    if isinstance(value, torch.dtype):
        return {"kind": "dtype", "value": dtype_name(value)}
    if isinstance(value, (list, tuple)):
        items = [encode(item, place_tensor) for item in value]
        return {"kind": "list" if isinstance(value, list) else "tuple", "items": items}
    if isinstance(value, dict):
        return {
            "kind": "call" if isinstance(value, Called) else "dict",
            "keys": [str(key) for key in value],
            "items": [encode(item, place_tensor) for item in value.values()],
        }
    return {"kind": "other", "type": f"{type(value).__module__}.{type(value).__qualname__}"}


def decode(tree, tensor_at):
    """The value of a tree; tensor_at(description) makes each tensor."""
    kind = tree["kind"]
    if kind == "tensor":
        return tensor_at(tree)
    if kind == "none":
        return None
    if kind == "value":
        return tree["value"]
    if kind == "float":
        return float.fromhex(tree["value"])
    if kind == "dtype":
        return DTYPES[tree["value"]]
    if kind in ("list", "tuple"):
        items = [decode(item, tensor_at) for item in tree["items"]]
        return items if kind == "list" else tuple(items)
    if kind == "dict":
        return dict(zip(tree["keys"], (decode(item, tensor_at) for item in tree["items"])))
    raise ValueError(f"a value of kind {kind} ({tree.get('type')}) cannot be handed to another process")


def map_tensors(value, change, number=None):
    """The same nesting of lists, tuples and dicts with change(tensor) in place of each tensor; plain numbers stay, or are
    number(value)."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        items = [map_tensors(item, change, number) for item in value]
        return value._make(items) if hasattr(value, "_make") else type(value)(items)
    if isinstance(value, dict):
        items = {key: map_tensors(item, change, number) for key, item in value.items()}
        return Called(items) if isinstance(value, Called) else items
    return number(value) if number is not None and isinstance(value, (bool, int, float)) else value


def in_timed_form(result, is_on_cpu):
    """The result of a timed call as it is examined: fields of dataclasses, and on a CPU tensors in place of plain numbers
    (on a GPU each would be a copy onto it)."""
    result = with_fields(result)
    return map_tensors(result, lambda tensor: tensor, _number) if is_on_cpu else result


def _number(value):
    try:
        return torch.tensor(float(value), dtype=torch.float64)
    except OverflowError:  # a whole number beyond all floats
        return torch.tensor(math.inf, dtype=torch.float64)


def tensors_in(value):
    found = []
    map_tensors(value, found.append)
    return found


class Planner:
    """Hands out offsets in a region, one tensor after the other.

    Of `values`, which are placed later, those with gaps or repeats keep their strides, and their places in the memory
    that they share with others of `values`.
    """

    def __init__(self, region_name, start=0, values=()):
        self.region_name, self.end = region_name, start
        self.shared = []  # {offset, bytes, isFloat} of each memory that is kept as a whole
        self._bases = {}
        for storage, (first, end, is_float) in shared_spans(tensors_in(values)).items():
            # As far from the next aligned byte as it was: a slice may begin where no vector may be read.
            self._bases[storage] = base = aligned(self.end) - first // ALIGNMENT * ALIGNMENT
            self.shared.append({"offset": base + first, "bytes": end - first, "isFloat": is_float})
            self.end = base + end

    def place(self, tensor):
        base = self._bases.get(tensor.untyped_storage().data_ptr()) if self._bases and tensor.numel() else None
        if base is not None:
            strides = list(tensor.stride())
            offset = base + tensor.storage_offset() * tensor.dtype.itemsize
        else:
            strides = list(tensor.stride()) if is_dense(tensor) else list(tensor.contiguous().stride())
            offset = aligned(self.end)
            self.end = offset + tensor.numel() * tensor.dtype.itemsize
        return {
            "kind": "tensor", "dtype": dtype_name(tensor.dtype), "sizes": list(tensor.shape), "strides": strides,
            "offset": offset, "region": self.region_name, "device": tensor.device.type,
        }
