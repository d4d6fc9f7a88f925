# SPDX-License-Identifier: GPL-3.0-or-later
"""Where whole numbers in a model's result come from: values that were chosen among, or that were rounded.

Which of two equal values `topk` names, nobody says; and a value that lies on the border between two whole numbers goes
to either side. What the numbers mean is seen by torch's dispatcher, in a run of the reference of its own.
"""

import torch

CHOOSING = {"topk", "sort", "argmax", "argmin", "max", "min", "kthvalue", "median"}
ROUNDING = {"round": "nearest", "floor": "down", "ceil": "up", "trunc": "to zero"}
COMPARING = {"gt", "lt", "ge", "le"}
KEEPING = {"clone", "_to_copy", "detach", "alias", "_unsafe_view", "_reshape_alias", "lift_fresh"}
LIMITING = {"clamp", "clamp_min", "clamp_max", "hardtanh", "relu", "maximum", "minimum"}
SHIFTING = {"add", "sub"}


def is_whole(value):
    if isinstance(value, torch.Tensor):
        return not value.dtype.is_floating_point or bool((value == value.floor()).all())
    return isinstance(value, int) or float(value).is_integer()


class OriginRecord:
    """For dispatch_mode().

    An origin is {kind: "choice", keys: [rows, n], rows: of each index, which row it is of, once: whether no index comes
    twice in a row} or {kind: "step", rounding, values: as they were before}.
    """

    def __init__(self):
        super().__init__()
        self._known = {}  # id: (the tensor, its origin)

    def of(self, tensor):
        return self._known.get(id(tensor), (None, None))[1]

    def _learn(self, tensor, origin):
        self._known[id(tensor)] = (tensor, origin)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = function._overloadpacket.__name__
        plain = name.removesuffix("_")
        first = args[0] if args and isinstance(args[0], torch.Tensor) else None
        origin = self.of(first) if first is not None else None
        # Clones: what comes after may write into them.
        before = first.clone() if first is not None and first.dtype.is_floating_point and self._may_begin(function, plain, kwargs) else None
        out = function(*args, **kwargs)
        if first is None:
            return out
        named = dict(zip((argument.name for argument in function._schema.arguments), args)) | kwargs
        made = out if isinstance(out, (list, tuple)) else [out]
        if plain in CHOOSING:  # also among numbers that were rounded: many of them are equal
            indices = [tensor for tensor in made if isinstance(tensor, torch.Tensor) and tensor.dtype == torch.int64]
            if indices and not (plain in ("max", "min", "median") and len(made) < 2):
                self._learn(indices[-1], self._choice(plain, first, named, indices[-1]))
        elif origin is not None:
            self._carry(function, plain, origin, args, kwargs, made)
        elif before is not None:
            step = self._step(plain, before, named)
            if step is not None:
                self._learn(made[0], step)
        return out

    @staticmethod
    def _may_begin(function, plain, kwargs):
        if plain == "_to_copy":
            dtype = kwargs.get("dtype")
            return dtype is not None and not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool
        return plain in ROUNDING or plain in COMPARING or plain == "floor_divide" or bool(kwargs.get("rounding_mode"))

    @staticmethod
    def _choice(plain, keys, named, indices):
        dimension = named.get("dim", None if plain.startswith("arg") else -1)
        keys = keys.clone()
        if dimension is None or keys.dim() == 0:
            keys, rows = keys.reshape(1, -1), torch.zeros_like(indices)
        else:
            outer = keys.movedim(dimension, -1)
            rows = torch.arange(outer[..., 0].numel(), device=keys.device).reshape(outer.shape[:-1])
            if indices.dim() == keys.dim():
                rows = rows.unsqueeze(dimension).expand(indices.shape)
            keys = outer.reshape(-1, outer.shape[-1])
        return {"kind": "choice", "keys": keys, "rows": rows, "once": plain in ("topk", "sort")}

    @staticmethod
    def _step(plain, values, named):
        if plain in ROUNDING:
            return None if named.get("decimals") else {"kind": "step", "rounding": ROUNDING[plain], "values": values}
        if plain == "_to_copy":
            return {"kind": "step", "rounding": "to zero", "values": values}
        other = named.get("other")
        if plain in COMPARING:
            return {"kind": "step", "rounding": "sign", "values": values - other}
        mode = "floor" if plain == "floor_divide" else named.get("rounding_mode")
        if mode is None:
            return None
        return {"kind": "step", "rounding": "down" if mode == "floor" else "to zero", "values": values / other}

    def _carry(self, function, plain, origin, args, kwargs, made):
        """What became of numbers whose origin is known."""
        part = "rows" if origin["kind"] == "choice" else "values"
        beside = origin[part]
        if getattr(function, "is_view", False):
            parts = function(beside, *args[1:], **kwargs)
            parts = parts if isinstance(parts, (list, tuple)) else [parts]
        elif plain in KEEPING:
            parts = [beside]
        elif part == "values" and (plain in LIMITING or plain in SHIFTING and is_whole(args[1])):
            parts = [function(beside.clone(), *args[1:], **kwargs)]
        else:
            return
        for tensor, companion in zip(made, parts):
            self._learn(tensor, {**origin, part: companion})
