# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of torch's operators run while a candidate's forward does.

Seen by torch's dispatcher, below Python and below autograd, so it does not matter from where or under which name
they were called, from C++ neither. It runs in the candidate's own process: what it says is evidence, not proof.
"""

import os
import sys

# What a candidate needs to get memory and to look at it: allocation, filling, copies, one number for Python.
ALLOWED = {
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "zeros", "zeros_like",
    "new_zeros", "ones", "ones_like", "new_ones", "full", "full_like", "new_full", "fill", "fill_", "zero", "zero_", "scalar_tensor",
    "clone", "copy", "copy_", "_to_copy", "detach", "alias", "_unsafe_view", "lift_fresh", "lift_fresh_copy", "resize_", "set_",
    "_local_scalar_dense", "record_stream", "is_pinned", "pin_memory", "_pin_memory", "arange", "item", "_reshape_alias", "_has_compatible_shallow_copy_type",
}
MOST = 32


class OperatorRecord:
    """For dispatch_mode()."""

    def __init__(self, folder):
        super().__init__()
        self._folder = folder
        self.operators = {}  # name: {count, file, line} of its first call

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function._overloadpacket.__name__
        if not getattr(function, "is_view", False) and name not in ALLOWED and function.namespace in ("aten", "mkldnn", "mkl", "quantized"):
            known = self.operators.get(name)
            if known is not None:
                known["count"] += 1
            elif len(self.operators) < MOST:
                self.operators[name] = {"count": 1, **self._place()}
        return function(*args, **(kwargs or {}))

    def _place(self):
        """The candidate's line that led here."""
        frame = sys._getframe(2)
        while frame is not None:
            folder, name = os.path.split(frame.f_code.co_filename)
            if folder == self._folder:
                return {"file": name, "line": frame.f_lineno}
            frame = frame.f_back
        return {"file": None, "line": None}
