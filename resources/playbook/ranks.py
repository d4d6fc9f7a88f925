# SPDX-License-Identifier: GPL-3.0-or-later
"""A row in order, of which somebody asks only what stands at a place, or for the sum of some places side by side, need
not be put in order: the element of a rank is found by counting those that are no smaller. Ranks(graph) says so of what
torch sorts; a median, the mean of the largest or of all but the outermost are one kernel then.
"""

import torch

from apart import aten, is_ranked

MOST_IN_ORDER = 8  # the first few are found sooner one after the other
SORTS = (aten.topk.default, aten.sort.default, aten.sort.stable)
SUMS = (aten.sum.dim_IntList, aten.mean.dim)
EXTREMES = (aten.amax.default, aten.amin.default)


class InOrder:
    """What a sort of a row will be, if somebody needs all of it."""

    def __init__(self, x, dim, count, descending, make):
        self.x, self.dim, self.count, self.descending = x, dim, count, descending
        self.make, self.made = make, None

    def whole(self):
        if self.made is None:
            self.made = self.make()
        return self.made


class Ranked:
    """Of a row in order the places from `begin` to `end`, and what is made of each element by itself."""

    def __init__(self, order, begin, end, functions=()):
        self.order, self.begin, self.end, self.functions = order, begin, end, functions

    def part(self, begin, end):
        return Ranked(self.order, self.begin + begin, self.begin + end, self.functions)

    def of(self, x):
        for function in self.functions:
            x = function(x)
        return x

    def element(self, place, keepdim):
        """At a place of these."""
        order, size = self.order, self.order.x.shape[self.order.dim]
        place += self.begin
        if place in (0, size - 1):
            is_largest = (place == 0) == order.descending
            return self.of((order.x.amax if is_largest else order.x.amin)(order.dim, keepdim))
        rank = size - place if order.descending else place + 1
        return self.of(torch.kthvalue(order.x, rank, order.dim, keepdim).values)

    def whole(self):
        if self.end - self.begin == 1:
            return self.element(0, True)
        return self.of(self.order.whole()[0].narrow(self.order.dim, self.begin, self.end - self.begin))

    def sum(self, keepdim):
        """Of all of them, in float."""
        x, dim, size = self.order.x, self.order.dim, self.order.x.shape[self.order.dim]
        first, end = (size - self.end, size - self.begin) if self.order.descending else (self.begin, self.end)
        values = self.of(x).float()

        def bound(rank):
            return torch.kthvalue(x, rank, dim, True).values

        def over(picks):
            return torch.where(picks, values, 0).sum(dim, keepdim=True), picks.sum(dim, keepdim=True)

        def equals(element, count):  # of those that equal a bound only some may be among them
            return torch.where(count > 0, self.of(element).float() * count, 0)

        if (first, end) == (0, size):
            found = values.sum(dim, keepdim=True)
        elif end == size:  # NaN is larger than all others
            bottom = bound(first + 1)
            found, count = over(~(x <= bottom))
            found = found + equals(bottom, end - first - count)
        elif first == 0:
            top = bound(end)
            found, count = over(x < top)
            found = found + equals(top, end - count)
        else:
            bottom, top = bound(first + 1), bound(end)
            found, count = over((x > bottom) & (x < top))
            at_bottom = (x <= bottom).sum(dim, keepdim=True).clamp_max(end) - first
            found = found + equals(bottom, at_bottom) + equals(top, end - first - at_bottom - count)
        return found if keepdim else found.squeeze(dim)


class Ranks(torch.fx.Interpreter):
    def call_function(self, target, args, kwargs):
        if target in SORTS:
            return self.order(target, args, kwargs)
        if args and isinstance(args[0], InOrder):
            return self.item(*args)
        if args and isinstance(args[0], Ranked):
            found = self.rank(target, args[0], args[1:], kwargs)
            if found is not None:
                return found
        args, kwargs = torch.utils._pytree.tree_map(made, (args, kwargs))
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(made, args), kwargs)

    def order(self, target, args, kwargs):
        args = torch.utils._pytree.tree_map(made, args)

        def make():
            return super(Ranks, self).call_function(target, args, kwargs)

        x, words = args[0], dict(zip((argument.name for argument in target._schema.arguments), args)) | kwargs
        dim, size = words.get("dim", -1), words.get("k")
        if x.dim() == 0 or not is_ranked(x, dim) or (size is not None and size <= MOST_IN_ORDER):
            return make()
        descending = words.get("largest", True) if size is not None else words.get("descending", False)
        return InOrder(x, dim % x.dim(), x.shape[dim] if size is None else size, descending, make)

    def item(self, order, number):
        return Ranked(order, 0, order.count) if number == 0 else order.whole()[number]

    def rank(self, target, ranked, args, kwargs):
        order, count = ranked.order, ranked.end - ranked.begin
        if target is aten.slice.Tensor and len(args) > 1 and args[0] % order.x.dim() == order.dim:
            begin, end, step = slice(*[*args[1:], None, None][:3]).indices(count)
            return ranked.part(begin, end) if step == 1 and begin < end else None
        if target is aten.select.int and args[0] % order.x.dim() == order.dim:
            return ranked.element(args[1] % count, False)
        if target in SUMS + EXTREMES and not kwargs and args and args[0] and [d % order.x.dim() for d in args[0]] == [order.dim]:
            keepdim = len(args) > 1 and args[1]
            if target in EXTREMES and not ranked.functions:
                return ranked.element(0 if (target is aten.amax.default) == order.descending else count - 1, keepdim)
            if target in SUMS:
                found = ranked.sum(keepdim)
                return (found / count if target is aten.mean.dim else found).to(order.x.dtype)
        has_tensors = any(isinstance(value, (torch.Tensor, Ranked)) for value in torch.utils._pytree.tree_leaves((args, kwargs)))
        if torch.Tag.pointwise in getattr(target, "tags", ()) and not has_tensors:
            def function(x):
                return target(x, *args, **kwargs)
            after = Ranked(order, ranked.begin, ranked.end, (*ranked.functions, function))
            if function(ranked.order.x).dtype == order.x.dtype:
                return after
        return None


def made(value):
    return value.whole() if isinstance(value, (Ranked, InOrder)) else value


def has_order(graph):
    return any(node.target in SORTS for node in graph.nodes)
