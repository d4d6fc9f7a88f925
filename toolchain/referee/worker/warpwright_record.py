# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of torch's operators run while a candidate's forward does.

Seen by torch's dispatcher, below Python and below autograd, so it does not matter from where or under which name
they were called, from C++ neither. It runs in the candidate's own process: what it says is evidence, not proof.
"""

import os
import sys

from warpwright_values import tensors_in

# What a candidate needs to get memory and to look at it: allocation, filling, copies, joining, one number for Python.
ALLOWED = {
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "zeros", "zeros_like",
    "new_zeros", "ones", "ones_like", "new_ones", "full", "full_like", "new_full", "fill", "fill_", "zero", "zero_", "scalar_tensor",
    "clone", "copy", "copy_", "_to_copy", "detach", "alias", "_unsafe_view", "lift_fresh", "lift_fresh_copy", "resize_", "set_", "cat",
    "_foreach_copy_", "_local_scalar_dense", "record_stream", "is_pinned", "pin_memory", "_pin_memory", "arange", "item", "_reshape_alias", "_has_compatible_shallow_copy_type",
}
# Element by element: what moves an average, or counts.
ARITHMETIC = {"add", "sub", "rsub", "mul", "div", "lerp", "addcmul", "addcdiv"}
MOST = 32


class StateArithmetic:
    """Which calls of torch may be the move of the model's own tensors that forward changes (`state`): arithmetic on
    numbers that are no more than the largest of these has. Whether other results rest on it is tried (StateLeftOut)."""

    def __init__(self, state):
        self._most = max((tensor.numel() for tensor in state), default=0)

    def is_that(self, name, args, out):
        return name.rstrip("_") in ARITHMETIC and all(tensor.numel() <= self._most for tensor in tensors_in((args, out)))


class OperatorRecord:
    """For dispatch_mode(). `state`: the model's own tensors that forward changes."""

    def __init__(self, folder, state=()):
        super().__init__()
        self._folder, self._state = folder, StateArithmetic(state)
        self.operators = {}  # name: {count, file, line} of its first call
        self.on_state = {}  # the same of arithmetic that may be the state's move, and how many elements it made

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function._overloadpacket.__name__
        out = function(*args, **(kwargs or {}))
        if not getattr(function, "is_view", False) and name not in ALLOWED and function.namespace in ("aten", "mkldnn", "mkl", "quantized"):
            is_move = self._state.is_that(name, (args, kwargs), out)
            record = self.on_state if is_move else self.operators
            if name not in record and len(record) < MOST:
                record[name] = {"count": 0, "elements": 0, **self._place()}
            if name in record:
                record[name]["count"] += 1
                record[name]["elements"] += sum(tensor.numel() for tensor in tensors_in(out))
        return out

    def _place(self):
        """The candidate's line that led here."""
        frame = sys._getframe(2)
        while frame is not None:
            folder, name = os.path.split(frame.f_code.co_filename)
            if folder == self._folder:
                return {"file": name, "line": frame.f_lineno}
            frame = frame.f_back
        return {"file": None, "line": None}


class StateLeftOut:
    """For dispatch_mode(): arithmetic that may be the state's move gives NaN (whole numbers: zeros), or, in place, nothing
    new."""

    def __init__(self, state):
        super().__init__()
        self._state = StateArithmetic(state)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function._overloadpacket.__name__
        if name.endswith("_") and self._state.is_that(name, (args, kwargs), ()):
            return args[0]
        out = function(*args, **(kwargs or {}))
        if self._state.is_that(name, (args, kwargs), out):
            for tensor in tensors_in(out):
                tensor.fill_(float("nan") if tensor.dtype.is_floating_point or tensor.dtype.is_complex else 0)
        return out
