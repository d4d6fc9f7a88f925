# SPDX-License-Identifier: GPL-3.0-or-later
"""Folds chains of slice_scatter and select_scatter, which a loop that writes `y[:, t] = h` leaves in a traced graph: a read
of a slice becomes what was written there, and the whole tensor a concat of its slices.
"""

import torch

aten = torch.ops.aten
WRITES = (aten.select_scatter.default, aten.slice_scatter.default)
MIN_WRITES = 4  # where the tensor keeps some of its old values; with fewer writes the scatters stay
MAX_CONCAT_SLICES = 64  # of one read: else n steps that each read all earlier ones take n^2 operands


class Slice:
    """Elements `begin` to `end`: those of `tensor` from `first` on. `first` is None where `tensor` lacks the dimension: one element."""

    def __init__(self, begin, end, tensor, first):
        self.begin, self.end, self.tensor, self.first = begin, end, tensor, first

    def narrowed(self, begin, end):
        return Slice(begin, end, self.tensor, None if self.first is None else self.first + begin - self.begin)

    def element(self, dim, index):
        return self.tensor if self.first is None else aten.select.int(self.tensor, dim, self.first + index - self.begin)

    def tensor_slice(self, dim):
        if self.first is None:
            return aten.unsqueeze.default(self.tensor, dim)
        length = self.end - self.begin
        is_whole = self.first == 0 and length == self.tensor.shape[dim]
        return self.tensor if is_whole else aten.slice.Tensor(self.tensor, dim, self.first, self.first + length)


class SliceWrites:
    """The slices that a tensor consists of along one dimension, in order and without gaps."""

    def __init__(self, dim, slices, base, write_count):
        self.dim, self.slices, self.base, self.write_count = dim, slices, base, write_count
        self.result = None

    def with_slice(self, new):
        slices = []
        for part in self.slices:
            if part.begin < min(part.end, new.begin):
                slices.append(part.narrowed(part.begin, min(part.end, new.begin)))
            if max(part.begin, new.end) < part.end:
                slices.append(part.narrowed(max(part.begin, new.end), part.end))
        slices.append(new)
        slices.sort(key=lambda part: part.begin)
        return SliceWrites(self.dim, slices, self.base, self.write_count + 1)

    def slices_between(self, begin, end):
        return [part.narrowed(max(part.begin, begin), min(part.end, end)) for part in self.slices
                if part.begin < end and begin < part.end]

    def is_worth_concat(self):
        return self.write_count >= MIN_WRITES or (self.write_count > 1 and all(part.tensor is not self.base for part in self.slices))

    def concatenated(self, like):
        if self.result is None:
            self.result = concatenated(self.slices, self.dim, like)
        return self.result


def concatenated(slices, dim, like):
    """The concat of the slices, in the memory order of `like`."""
    tensors = [part.tensor_slice(dim) for part in slices]
    if len(tensors) == 1:
        return tensors[0]
    order = sorted(range(like.dim()), key=lambda each: -like.stride(each))
    if like.is_contiguous() or not like.permute(order).is_contiguous():
        return aten.cat.default(tensors, dim)
    result = aten.cat.default([aten.permute.default(tensor, order) for tensor in tensors], order.index(dim))
    return aten.permute.default(result, [order.index(each) for each in range(like.dim())])


def bounds(size, start=None, end=None):
    begin, stop, _ = slice(start, end).indices(size)
    return begin, max(begin, stop)


class SliceScatterFolding(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.writes_of = {}  # by id() of the tensor, which is kept alive here

    def state(self, tensor, dim):
        """The slices of a tensor along `dim`: itself, if none was written."""
        known = self.writes_of.get(id(tensor))
        if known and known[1].dim == dim:
            return known[1]
        return SliceWrites(dim, [Slice(0, tensor.shape[dim], tensor, 0)], tensor, 0)

    def materialized(self, value):
        known = self.writes_of.get(id(value)) if isinstance(value, torch.Tensor) else None
        return known[1].concatenated(value) if known and known[1].is_worth_concat() else value

    def call_function(self, target, args, kwargs):
        if target in WRITES and not kwargs:
            return self.write(target, args)
        if target in (aten.select.int, aten.slice.Tensor) and id(args[0]) in self.writes_of:
            found = self.read_slice(target, *args)
            if found is not None:
                return found
        if target is aten.copy.default and args[0].dtype == args[1].dtype:
            value = self.materialized(args[1])  # of the old tensor only the shape matters
            return value if value.shape == args[0].shape else aten.expand.default(value, args[0].shape)
        args, kwargs = torch.utils._pytree.tree_map(self.materialized, (args, kwargs))
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(self.materialized, args), kwargs)

    def write(self, target, args):
        base, new = args[0], self.materialized(args[1])
        dim = (args[2] if len(args) > 2 else 0) % base.dim()
        result = super().call_function(target, (base, new, *args[2:]), {})
        size = base.shape[dim]
        if target is aten.select_scatter.default:
            index = args[3] % size
            part = Slice(index, index + 1, new, None)
        else:
            if len(args) > 5 and args[5] != 1:
                return result
            begin, end = bounds(size, *args[3:5])
            part = Slice(begin, end, new, 0)
        if part.begin < part.end:
            self.writes_of[id(result)] = result, self.state(base, dim).with_slice(part)
        return result

    def read_slice(self, target, tensor, dim=0, *where):
        state, dim = self.writes_of[id(tensor)][1], dim % tensor.dim()
        if state.dim != dim:
            return None
        size = tensor.shape[dim]
        if target is aten.select.int:
            index = where[0] % size
            return state.slices_between(index, index + 1)[0].element(dim, index)
        if len(where) > 2 and where[2] != 1:
            return None
        parts = state.slices_between(*bounds(size, *where[:2]))
        is_few = 0 < len(parts) <= MAX_CONCAT_SLICES and (len(parts) == 1 or state.is_worth_concat())
        return concatenated(parts, dim, tensor) if is_few else None


def has_slice_writes(graph):
    return any(node.target in WRITES for node in graph.nodes)
