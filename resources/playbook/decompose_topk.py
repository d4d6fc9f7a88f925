# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes sorts of which only single elements or sums of adjacent ones are used: a kth value needs no sort, a radix select
finds it. A median, the mean of the largest or a trimmed mean becomes one kernel.
"""

import torch

from decompositions import aten, uses_radix_select

MAX_ITERATIVE_TOPK = 8  # fewer are found faster one after the other
SORTS = (aten.topk.default, aten.sort.default, aten.sort.stable)
SUMS = (aten.sum.dim_IntList, aten.mean.dim)
EXTREMES = (aten.amax.default, aten.amin.default)


class LazySort:
    """A sort that runs only if all of its result is used."""

    def __init__(self, x, dim, count, descending, compute):
        self.x, self.dim, self.count, self.descending = x, dim, count, descending
        self.compute, self.result = compute, None

    def materialize(self):
        if self.result is None:
            self.result = self.compute()
        return self.result


class SortedSlice:
    """Elements `begin` to `end` of a sorted row, and the pointwise functions that are applied to them."""

    def __init__(self, sort, begin, end, functions=()):
        self.sort, self.begin, self.end, self.functions = sort, begin, end, functions

    def narrowed(self, begin, end):
        return SortedSlice(self.sort, self.begin + begin, self.begin + end, self.functions)

    def apply(self, x):
        for function in self.functions:
            x = function(x)
        return x

    def element(self, position, keepdim):
        """The element at a position of this slice."""
        sort, size = self.sort, self.sort.x.shape[self.sort.dim]
        position += self.begin
        if position in (0, size - 1):
            is_largest = (position == 0) == sort.descending
            return self.apply((sort.x.amax if is_largest else sort.x.amin)(sort.dim, keepdim))
        rank = size - position if sort.descending else position + 1
        return self.apply(torch.kthvalue(sort.x, rank, sort.dim, keepdim).values)

    def materialize(self):
        if self.end - self.begin == 1:
            return self.element(0, True)
        return self.apply(self.sort.materialize()[0].narrow(self.sort.dim, self.begin, self.end - self.begin))

    def sum(self, keepdim):
        """The sum of this slice, in float."""
        x, dim, size = self.sort.x, self.sort.dim, self.sort.x.shape[self.sort.dim]
        first, end = (size - self.end, size - self.begin) if self.sort.descending else (self.begin, self.end)
        values = self.apply(x).float()

        def kth_value(rank):
            return torch.kthvalue(x, rank, dim, True).values

        def masked_sum(mask):
            return torch.where(mask, values, 0).sum(dim, keepdim=True), mask.sum(dim, keepdim=True)

        def ties(element, count):  # of the elements equal to a bound only some may belong to the slice
            return torch.where(count > 0, self.apply(element).float() * count, 0)

        if (first, end) == (0, size):
            found = values.sum(dim, keepdim=True)
        elif end == size:  # NaN sorts above all others
            bottom = kth_value(first + 1)
            found, count = masked_sum(~(x <= bottom))
            found = found + ties(bottom, end - first - count)
        elif first == 0:
            top = kth_value(end)
            found, count = masked_sum(x < top)
            found = found + ties(top, end - count)
        else:
            bottom, top = kth_value(first + 1), kth_value(end)
            found, count = masked_sum((x > bottom) & (x < top))
            at_bottom = (x <= bottom).sum(dim, keepdim=True).clamp_max(end) - first
            found = found + ties(bottom, at_bottom) + ties(top, end - first - at_bottom - count)
        return found if keepdim else found.squeeze(dim)


class OrderStatistics(torch.fx.Interpreter):
    def call_function(self, target, args, kwargs):
        if target in SORTS:
            return self.sort(target, args, kwargs)
        if args and isinstance(args[0], LazySort):
            return self.result_of_sort(*args)
        if args and isinstance(args[0], SortedSlice):
            found = self.use_of_slice(target, args[0], args[1:], kwargs)
            if found is not None:
                return found
        args, kwargs = torch.utils._pytree.tree_map(materialized, (args, kwargs))
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(materialized, args), kwargs)

    def sort(self, target, args, kwargs):
        args = torch.utils._pytree.tree_map(materialized, args)

        def compute():
            return super(OrderStatistics, self).call_function(target, args, kwargs)

        x, arguments = args[0], dict(zip((argument.name for argument in target._schema.arguments), args)) | kwargs
        dim, size = arguments.get("dim", -1), arguments.get("k")
        if x.dim() == 0 or not uses_radix_select(x, dim) or (size is not None and size <= MAX_ITERATIVE_TOPK):
            return compute()
        descending = arguments.get("largest", True) if size is not None else arguments.get("descending", False)
        return LazySort(x, dim % x.dim(), x.shape[dim] if size is None else size, descending, compute)

    def result_of_sort(self, sort, number):
        return SortedSlice(sort, 0, sort.count) if number == 0 else sort.materialize()[number]

    def use_of_slice(self, target, slice_of_sort, args, kwargs):
        sort, count = slice_of_sort.sort, slice_of_sort.end - slice_of_sort.begin
        if target is aten.slice.Tensor and len(args) > 1 and args[0] % sort.x.dim() == sort.dim:
            begin, end, step = slice(*[*args[1:], None, None][:3]).indices(count)
            return slice_of_sort.narrowed(begin, end) if step == 1 and begin < end else None
        if target is aten.select.int and args[0] % sort.x.dim() == sort.dim:
            return slice_of_sort.element(args[1] % count, False)
        if target in SUMS + EXTREMES and not kwargs and args and args[0] and [d % sort.x.dim() for d in args[0]] == [sort.dim]:
            keepdim = len(args) > 1 and args[1]
            if target in EXTREMES and not slice_of_sort.functions:
                return slice_of_sort.element(0 if (target is aten.amax.default) == sort.descending else count - 1, keepdim)
            if target in SUMS:
                found = slice_of_sort.sum(keepdim)
                return (found / count if target is aten.mean.dim else found).to(sort.x.dtype)
        has_tensors = any(isinstance(value, (torch.Tensor, SortedSlice)) for value in torch.utils._pytree.tree_leaves((args, kwargs)))
        if torch.Tag.pointwise in getattr(target, "tags", ()) and not has_tensors:
            def function(x):
                return target(x, *args, **kwargs)
            after = SortedSlice(sort, slice_of_sort.begin, slice_of_sort.end, (*slice_of_sort.functions, function))
            if function(slice_of_sort.sort.x).dtype == sort.x.dtype:
                return after
        return None


def materialized(value):
    return value.materialize() if isinstance(value, (SortedSlice, LazySort)) else value


def has_sorts(graph):
    return any(node.target in SORTS for node in graph.nodes)
