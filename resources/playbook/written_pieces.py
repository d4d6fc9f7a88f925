# SPDX-License-Identifier: GPL-3.0-or-later
"""A tensor that is written piece by piece, as a loop over time does it (`y[:, t] = h`), is in a traced graph the chain of
all its states. with_pieces(graph) says what was meant: whoever reads a piece reads what was written there, and the whole
is its pieces behind one another.
"""

import torch

aten = torch.ops.aten
WRITES = (aten.select_scatter.default, aten.slice_scatter.default)
LEAST_WRITES = 4  # of a tensor that keeps something of what it was before; fewer are insets
MOST_PIECES = 64  # of a part that is read: the states of each turn, each with all turns before


class Piece:
    """From `begin` to `end`: `tensor`, from `first` on; `first` of None: it has no such dimension, and is one element."""

    def __init__(self, begin, end, tensor, first):
        self.begin, self.end, self.tensor, self.first = begin, end, tensor, first

    def part(self, begin, end):
        return Piece(begin, end, self.tensor, None if self.first is None else self.first + begin - self.begin)

    def element(self, dim, index):
        return self.tensor if self.first is None else aten.select.int(self.tensor, dim, self.first + index - self.begin)

    def run(self, dim):
        if self.first is None:
            return aten.unsqueeze.default(self.tensor, dim)
        length = self.end - self.begin
        is_whole = self.first == 0 and length == self.tensor.shape[dim]
        return self.tensor if is_whole else aten.slice.Tensor(self.tensor, dim, self.first, self.first + length)


class Written:
    """The pieces of a tensor along one dimension, in order and without gaps."""

    def __init__(self, dim, pieces, base, writes):
        self.dim, self.pieces, self.base, self.writes = dim, pieces, base, writes
        self.whole = None

    def with_piece(self, new):
        pieces = []
        for piece in self.pieces:
            if piece.begin < min(piece.end, new.begin):
                pieces.append(piece.part(piece.begin, min(piece.end, new.begin)))
            if max(piece.begin, new.end) < piece.end:
                pieces.append(piece.part(max(piece.begin, new.end), piece.end))
        pieces.append(new)
        pieces.sort(key=lambda piece: piece.begin)
        return Written(self.dim, pieces, self.base, self.writes + 1)

    def parts(self, begin, end):
        return [piece.part(max(piece.begin, begin), min(piece.end, end)) for piece in self.pieces
                if piece.begin < end and begin < piece.end]

    def is_better_joined(self):
        return self.writes >= LEAST_WRITES or (self.writes > 1 and all(piece.tensor is not self.base for piece in self.pieces))

    def joined(self, like):
        if self.whole is None:
            self.whole = joined(self.pieces, self.dim, like)
        return self.whole


def joined(pieces, dim, like):
    """Behind one another, in the order of memory that `like` has, in which they were written."""
    runs = [piece.run(dim) for piece in pieces]
    if len(runs) == 1:
        return runs[0]
    order = sorted(range(like.dim()), key=lambda each: -like.stride(each))
    if like.is_contiguous() or not like.permute(order).is_contiguous():
        return aten.cat.default(runs, dim)
    whole = aten.cat.default([aten.permute.default(run, order) for run in runs], order.index(dim))
    return aten.permute.default(whole, [order.index(each) for each in range(like.dim())])


def bounds(size, start=None, end=None):
    begin, stop, _ = slice(start, end).indices(size)
    return begin, max(begin, stop)


class Pieces(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.written = {}  # by identity of the tensor, which is kept beside it

    def state(self, tensor, dim):
        """Its pieces along `dim`; of one that was not written so: itself."""
        known = self.written.get(id(tensor))
        if known and known[1].dim == dim:
            return known[1]
        return Written(dim, [Piece(0, tensor.shape[dim], tensor, 0)], tensor, 0)

    def read(self, value):
        known = self.written.get(id(value)) if isinstance(value, torch.Tensor) else None
        return known[1].joined(value) if known and known[1].is_better_joined() else value

    def call_function(self, target, args, kwargs):
        if target in WRITES and not kwargs:
            return self.write(target, args)
        if target in (aten.select.int, aten.slice.Tensor) and id(args[0]) in self.written:
            found = self.piece(target, *args)
            if found is not None:
                return found
        if target is aten.copy.default and args[0].dtype == args[1].dtype:
            value = self.read(args[1])  # what was there before says only how large it is
            return value if value.shape == args[0].shape else aten.expand.default(value, args[0].shape)
        args, kwargs = torch.utils._pytree.tree_map(self.read, (args, kwargs))
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(self.read, args), kwargs)

    def write(self, target, args):
        base, new = args[0], self.read(args[1])
        dim = (args[2] if len(args) > 2 else 0) % base.dim()
        whole = super().call_function(target, (base, new, *args[2:]), {})
        size = base.shape[dim]
        if target is aten.select_scatter.default:
            index = args[3] % size
            piece = Piece(index, index + 1, new, None)
        else:
            if len(args) > 5 and args[5] != 1:
                return whole
            begin, end = bounds(size, *args[3:5])
            piece = Piece(begin, end, new, 0)
        if piece.begin < piece.end:
            self.written[id(whole)] = whole, self.state(base, dim).with_piece(piece)
        return whole

    def piece(self, target, tensor, dim=0, *where):
        state, dim = self.written[id(tensor)][1], dim % tensor.dim()
        if state.dim != dim:
            return None
        size = tensor.shape[dim]
        if target is aten.select.int:
            index = where[0] % size
            return state.parts(index, index + 1)[0].element(dim, index)
        if len(where) > 2 and where[2] != 1:
            return None
        parts = state.parts(*bounds(size, *where[:2]))
        is_few = 0 < len(parts) <= MOST_PIECES and (len(parts) == 1 or state.is_better_joined())
        return joined(parts, dim, tensor) if is_few else None


def is_written(graph):
    return any(node.target in WRITES for node in graph.nodes)
