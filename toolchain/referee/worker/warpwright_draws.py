# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs of gigabytes that get_inputs() can only make on the CPU: made there once, and of them others on the device.

A row of a draw is as good as any other (as in the judge's timed_inputs): each new set takes rows of the first one by
chance, some twice and some not at all, so that sums over all of them change as they do from draw to draw. Tensors with
as many rows take the same ones: what belongs together stays together. Whole numbers (places, lengths) are drawn anew
each time, and so is what has them beside it.
"""

import re

import torch

LEAST_BYTES = 256 << 20  # below that get_inputs() is quick enough
FEWEST_ROWS, MOST_ROWS = 64, 1 << 22


def may_serve_on_cpu(error):
    """After an error on the device. What was too large for it may be too large for the system as well."""
    wanted = re.search(r"out of memory. Tried to allocate (\d+) MiB", str(error))
    if wanted is None:
        return True
    with open("/proc/meminfo") as file:
        available = {name: int(amount.split()[0]) for name, amount in (line.split(":") for line in file)}["MemAvailable"]
    return 3 * int(wanted[1]) << 10 < available  # KiB; with what makes it


def rows_of(tensor):
    """The tensor as rows: its first dimensions, until there are enough of them, else parts of equal length; and what
    is left over."""
    flat = tensor.reshape(-1)
    rows = 1
    for size in tensor.shape[:-1]:
        rows *= size
        if rows >= FEWEST_ROWS:
            break
    if not FEWEST_ROWS <= rows <= MOST_ROWS:
        rows = min(1 << 16, tensor.numel())
    length = tensor.numel() // rows
    return flat[: rows * length].view(rows, length), flat[rows * length :]


class CpuDraw:
    """One set that get_inputs() made on the CPU."""

    def __init__(self, inputs, device):
        self._inputs, self._device = inputs, device
        self._generator = torch.Generator()

    @staticmethod
    def serves(inputs):
        """Whether other sets may be made of this one: tensors of plain floats, large, on the CPU, each with memory of its own."""
        tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
        return (
            sum(tensor.numel() * tensor.dtype.itemsize for tensor in tensors) >= LEAST_BYTES
            and len(tensors) == len([value for value in inputs if not isinstance(value, (bool, int, float, str, type(None)))])
            and all(tensor.device.type == "cpu" and tensor.dtype.is_floating_point and tensor.is_contiguous() for tensor in tensors)
            and len({tensor.untyped_storage().data_ptr() for tensor in tensors}) == len(tensors)
        )

    def another(self, seed):
        """`seed` None: the next one of the seed before."""
        if seed is not None:
            self._generator.manual_seed(seed)
        taken = {}
        return [self._redrawn(value, taken) if isinstance(value, torch.Tensor) else value for value in self._inputs]

    def _redrawn(self, tensor, taken):
        rows, rest = rows_of(tensor)
        count = rows.shape[0]
        if count not in taken:
            taken[count] = torch.randint(count, (count,), generator=self._generator)
        out = torch.empty(tensor.shape, dtype=tensor.dtype, device=self._device)
        made = out.view(-1)[: rows.numel()].view(rows.shape)
        step = max(1, count * LEAST_BYTES // max(1, rows.numel() * rows.dtype.itemsize))
        try:
            torch.index_select(rows.to(self._device), 0, taken[count].to(self._device), out=made)
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            for first in range(0, count, step):  # no room for both: picked here, and sent part by part
                made[first : first + step].copy_(rows[taken[count][first : first + step]])
        out.view(-1)[rows.numel() :].copy_(rest)
        return out
