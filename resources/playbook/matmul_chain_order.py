# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the cheapest order of matmuls and of linear operations on their results, which are deferred until their value is
used: (A B) C as A (B C), x V + x W as x (V + W), a sum over rows or columns of a matmul as a matmul of sums, a mean over
pixels moved before a convolution. All of these hold for every value of every tensor, up to rounding.
MatmulReordering(graph).notes() lists the rewrites that save operations; without any the graph stays as it is.
"""

import math

import torch

from decompositions import arange_on, aten

MATMULS = (aten.mm.default, aten.bmm.default)
VIEWS = (aten.view.default, aten._unsafe_view.default)
SUMS = (aten.sum.dim_IntList, aten.mean.dim)
MAX_COST_RATIO = 0.75  # operations after to operations before: above it a reordering is not worth it
MAX_TAPS = 32
FULL_PRECISION = (torch.float32, torch.float64)  # in half precision the sum of weights rounds worse than the sum of results
REORDERABLE = (*FULL_PRECISION, torch.bfloat16)  # float16 may overflow in another order
FEW_ROWS = 8  # below: adding two weights costs more than multiplying so few rows by both
TAP_SUM_COST = 16  # tensor core operations that one addition of a tap's sum is worth


class Term:
    """One matmul: `first`, which may be a MatmulSum, times `second` times a number."""

    def __init__(self, first, second, factor=1.0):
        self.first, self.second, self.factor = first, second, factor

    def times(self, factor):
        return Term(self.first, self.second, self.factor * factor)


class MatmulSum:
    """A sum of matmuls of one shape, viewed as `shape`, and of other tensors (`rest`)."""

    def __init__(self, matmul_shape, shape, terms, rest=()):
        self.matmul_shape, self.shape, self.terms, self.rest = tuple(matmul_shape), tuple(shape), list(terms), list(rest)
        self.is_shared, self.result = False, None

    def like(self, shape=None, terms=None, rest=None):
        return MatmulSum(self.matmul_shape, self.shape if shape is None else shape, self.terms if terms is None else terms,
                   self.rest if rest is None else rest)

    def merged(self):
        """Merges matmuls that share the first operand, then those that share the second."""
        terms = merged_by(self.terms, lambda term: term.first, lambda one, two: Term(one.first, scaled_by(one.second, one.factor) + scaled_by(two.second, two.factor)))
        return merged_by(terms, lambda term: term.second,
                      lambda one, two: Term(scaled_by(materialized(one.first), one.factor) + scaled_by(materialized(two.first), two.factor), one.second))

    def materialize(self):
        if self.result is None:
            matmul = aten.bmm.default if len(self.matmul_shape) == 3 else aten.mm.default
            found = None
            for term in self.merged():
                first, second, elements = materialized(term.first), term.second, math.prod(self.matmul_shape)
                if second.numel() < elements and second.dtype in FULL_PRECISION:  # scale the smaller tensor
                    part = matmul(first, scaled_by(second, term.factor))
                else:
                    part = scaled_by(matmul(first, second), term.factor)
                found = part if found is None else found + part
            found = found if self.shape == self.matmul_shape else found.view(self.shape)
            parts = [scaled_by(tensor, factor) for tensor, factor in self.rest]
            self.result = found + sum(parts[1:], parts[0]) if parts else found
        return self.result


class LazyConcat:
    """A deferred concat of MatmulSums of one shape along the first dimension; `is_stacked`: it is viewed as a stack."""

    def __init__(self, operands, is_stacked=False):
        self.operands, self.is_stacked = operands, is_stacked
        self.is_shared, self.result = False, None

    def materialize(self):
        if self.result is None:
            found = aten.cat.default([operand.materialize() for operand in self.operands])
            self.result = found.view(len(self.operands), *self.operands[0].shape) if self.is_stacked else found
        return self.result


class LazyConvolution:
    """A deferred convolution, of which perhaps only the mean over pixels is used."""

    def __init__(self, args, shape, compute):
        self.args, self.shape, self.compute = args, shape, compute
        self.is_shared, self.result = False, None

    def materialize(self):
        if self.result is None:
            self.result = self.compute()
        return self.result


def scaled_by(tensor, factor):
    return tensor if factor == 1.0 else tensor * factor


def merged_count(terms):
    """The number of matmuls of merged()."""
    by_first = {}
    for term in terms:
        by_first.setdefault(id(term.first), []).append(id(term.second))
    return len({seconds[0] if len(seconds) == 1 else first for first, seconds in by_first.items()})


def merged_by(terms, key, concat):
    found = {}
    for term in terms:
        known = found.get(id(key(term)))
        found[id(key(term))] = term if known is None else concat(known, term)
    return list(found.values())


def materialized(value):
    return value.materialize() if isinstance(value, (MatmulSum, LazyConcat, LazyConvolution)) else value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class MatmulReordering(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.saved = {}  # operations saved, by rewrite
        self.views = {}  # so that equal views of a tensor are one tensor

    def run_node(self, node):
        found = super().run_node(node)
        if isinstance(found, (MatmulSum, LazyConcat, LazyConvolution)):
            found.is_shared = found.is_shared or len(node.users) > 1
        return found

    def call_function(self, target, args, kwargs):
        found = None if kwargs else self.deferred(target, args)
        if found is not None:
            return found
        args, kwargs = torch.utils._pytree.tree_map(materialized, (args, kwargs))
        if target in VIEWS + (aten.permute.default, aten.expand.default) and not kwargs:
            key = target, id(args[0]), tuple(args[1])
            if key not in self.views:
                self.views[key] = super().call_function(target, args, kwargs), args[0]
            return self.views[key][0]
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(materialized, args), kwargs)

    def deferred(self, target, args):
        if target in MATMULS:
            return self.matmul(*args)
        if target is aten.convolution.default:
            return self.deferred_convolution(args)
        if target is aten.cat.default and all(is_deferred(operand) for operand in args[0]) and len(args) < 2:
            same = {operand.shape for operand in args[0]}
            return LazyConcat(args[0]) if len(same) == 1 else None
        first = args[0] if args else None
        if isinstance(first, LazyConvolution):
            return self.spatial_mean(first, args[1:]) if target is aten.mean.dim and not first.is_shared else None
        if isinstance(first, LazyConcat):
            return None if first.is_shared else self.through_concat(target, first, args[1:])
        if target in (aten.add.Tensor, aten.sub.Tensor):
            return self.deferred_add(args[0], args[1], -1.0 if target is aten.sub.Tensor else 1.0)
        if not is_deferred(first):
            return None
        if target in VIEWS and all(tensor.dim() < 2 and tensor.shape[-1:] == (args[1][-1],) for tensor, _ in first.rest):
            return first.like(shape=sized(args[1], math.prod(first.shape)))
        if target is aten.expand.default and tuple(args[1]) == first.shape:
            return first
        if target in (aten.mul.Tensor, aten.div.Tensor) and is_number(args[1]) and (args[1] or target is aten.mul.Tensor):
            return scaled(first, args[1] if target is aten.mul.Tensor else 1.0 / args[1])
        if target in SUMS and len(args) > 1:
            return self.deferred_reduction(target, first, *args[1:])
        return None

    def matmul(self, first, second):
        """In the cheapest order, if an operand is a matmul itself."""
        first, second = (value if is_deferred(value) and is_unreshaped(value) else materialized(value) for value in (first, second))
        for value in (first, second):
            if not value_dtype(value).is_floating_point:
                return None
        if isinstance(first, MatmulSum) and isinstance(second, MatmulSum):
            second = second.materialize()
        batch, rows, inner = shape_of(first)
        columns = shape_of(second)[2]
        may_move = value_dtype(first) in REORDERABLE
        matmul_shape = (batch, rows, columns) if len(first.shape) == 3 else (rows, columns)
        if isinstance(first, MatmulSum):
            middle = first.terms[0].first.shape[-1]
            before = rows * inner * middle + rows * inner * columns
            after = middle * inner * columns + rows * middle * columns
            has_simple_rest = len(first.shape) == 2 or not first.rest
            if len(first.terms) == 1 and has_simple_rest and may_move and after < MAX_COST_RATIO * before:
                self.note("(A B) C is computed as A (B C)", 2 * batch * (before - after))
                term = first.terms[0]
                matmul = torch.bmm if len(matmul_shape) == 3 else torch.mm
                rest = [(torch.mm(tensor.unsqueeze(0), second).squeeze(0), factor) for tensor, factor in first.rest]
                return MatmulSum(matmul_shape, matmul_shape, [Term(term.first, matmul(term.second, second), term.factor)], rest)
            if len(first.terms) > 1 or first.rest:
                first = first.materialize()
        if isinstance(second, MatmulSum):
            middle = second.terms[0].first.shape[-1]
            before = inner * middle * columns + rows * inner * columns
            after = rows * inner * middle + rows * middle * columns
            if len(second.terms) == 1 and not second.rest and may_move and after < MAX_COST_RATIO * before:
                self.note("A (B C) is computed as (A B) C", 2 * batch * (before - after))
                term = second.terms[0]
                matmul = torch.bmm if len(matmul_shape) == 3 else torch.mm
                return MatmulSum(matmul_shape, matmul_shape, [Term(matmul(first, materialized(term.first)), term.second, term.factor)])
            second = second.materialize()
        return MatmulSum(matmul_shape, matmul_shape, [Term(first, second)])

    def deferred_add(self, first, second, factor):
        if not is_deferred(first) and not is_deferred(second):
            return None
        if is_deferred(first) and is_deferred(second) and first.shape == second.shape and first.matmul_shape == second.matmul_shape:
            batch, rows, inner = shape_of(first.terms[0].first)
            if rows < FEW_ROWS or value_dtype(first) not in FULL_PRECISION:
                return None
            terms = self.through_shared_factor(first.terms + [term.times(factor) for term in second.terms])
            saved = merged_count(first.terms) + merged_count(second.terms) - merged_count(terms)
            if saved == 0:
                return None
            found = first.like(terms=terms, rest=first.rest + [(tensor, other * factor) for tensor, other in second.rest])
            self.note("x V + x W is computed as x (V + W)", 2 * saved * batch * rows * inner * first.matmul_shape[-1])
            return found
        # A bias: one element a column.
        if is_deferred(first) and isinstance(materialized(second), torch.Tensor):
            tensor = materialized(second)
            is_bias = tensor.dim() == 1 and len(first.shape) > 1 and tensor.shape[0] == first.shape[-1] == first.matmul_shape[-1]
            return first.like(rest=first.rest + [(tensor, factor)]) if is_bias and tensor.dtype == value_dtype(first) else None
        return None

    def through_shared_factor(self, terms):
        """(x A) B as x (A B), where another term multiplies x too and that is cheaper."""
        found = []
        for term in terms:
            nested = term.first.terms[0] if isinstance(term.first, MatmulSum) and term.first.result is None else None
            if nested is None or all(other.first is not nested.first for other in terms):
                found.append(term)
                continue
            rows, inner, middle = nested.first.shape[-2], nested.first.shape[-1], term.second.shape[-2]
            columns = term.second.shape[-1]
            if inner * middle * columns < MAX_COST_RATIO * (rows * inner * middle + rows * middle * columns):
                matmul = torch.bmm if nested.second.dim() == 3 else torch.mm
                term = Term(nested.first, matmul(nested.second, term.second), term.factor * nested.factor)
            found.append(term)
        return found

    def deferred_reduction(self, target, first, dims, keepdim=False):
        if not dims:
            return None
        dims = sorted(d % len(first.shape) for d in dims)
        last = len(first.shape) - 1
        if len(first.matmul_shape) != 2 or first.shape[-1] != first.matmul_shape[-1] or value_dtype(first) not in FULL_PRECISION:
            return None
        rows, columns = first.matmul_shape
        inner = first.terms[0].first.shape[-1]
        if rows + columns > MAX_COST_RATIO * rows * columns:
            return None
        factor = 1.0 / math.prod(first.shape[d] for d in dims) if target is aten.mean.dim else 1.0
        if dims == [last]:
            terms = [Term(term.first, term.second.sum(1, keepdim=True), term.factor * factor) for term in first.terms]
            rest = [(tensor.sum(0, keepdim=True), other * factor) for tensor, other in first.rest]
            found = MatmulSum((rows, 1), (*first.shape[:-1], 1), terms, rest)
        elif dims == list(range(last)):
            terms = [Term(materialized(term.first).sum(0, keepdim=True), term.second, term.factor * factor) for term in first.terms]
            rest = [(tensor, other * factor * rows) for tensor, other in first.rest]
            found = MatmulSum((1, columns), (*[1] * last, columns), terms, rest)
        else:
            return None
        self.note("a sum over a product's rows or columns is computed as a product of sums", 2 * inner * (rows * columns - rows - columns))
        total = found.materialize()
        return total if keepdim else total.view([size for d, size in enumerate(first.shape) if d not in dims])

    def through_concat(self, target, concat, args):
        first = concat.operands[0]
        if target in VIEWS and not concat.is_stacked and list(args[0]) == [len(concat.operands), *first.shape]:
            return LazyConcat(concat.operands, True)
        if target in SUMS and concat.is_stacked and args and [d % (len(first.shape) + 1) for d in args[0]] == [0] and args[1:] in ((), (False,)):
            found = first
            for operand in concat.operands[1:]:
                found = self.deferred_add(found, operand, 1.0)
                if found is None:
                    return None
            return scaled(found, 1.0 / len(concat.operands)) if target is aten.mean.dim else found
        return None

    def deferred_convolution(self, args):
        args = torch.utils._pytree.tree_map(materialized, args)
        x, weight = args[0], args[1]
        space = x.dim() - 2
        args = [[*arg] * space if i in (3, 4, 5, 7) and len(arg) == 1 else arg for i, arg in enumerate(args)]
        is_plain = not args[6] and args[8] == 1 and x.dim() == weight.dim() and x.dtype in FULL_PRECISION
        if not is_plain or math.prod(weight.shape[2:]) > MAX_TAPS:
            return None

        def compute():
            return super(MatmulReordering, self).call_function(aten.convolution.default, args, {})

        sizes = [(x.shape[d + 2] + 2 * args[4][d] - args[5][d] * (weight.shape[d + 2] - 1) - 1) // args[3][d] + 1 for d in range(x.dim() - 2)]
        return LazyConvolution(args, (x.shape[0], weight.shape[0], *sizes), compute)

    def spatial_mean(self, conv, args):
        """The mean over the pixels that each tap meets, times the filters."""
        dims, keepdim = sorted(d % len(conv.shape) for d in args[0] or ()), len(args) > 1 and args[1]
        if dims != list(range(2, len(conv.shape))) or conv.result is not None:
            return None
        x, weight, bias, stride, padding, dilation = conv.args[:6]
        taps = math.prod(weight.shape[2:])
        results = math.prod(conv.shape[2:])
        if 2 * weight.shape[0] * results < TAP_SUM_COST * math.prod(x.shape[2:]):
            return None
        self.note("the mean over pixels is taken before the convolution, of what each tap meets",
                  2 * conv.shape[0] * (results - 1) * weight.numel() - taps * x.numel())
        sums = []
        for tap in range(taps):
            mask, rest = None, tap
            for d in reversed(range(x.dim() - 2)):
                rest, offset = divmod(rest, weight.shape[d + 2])
                position = arange_on(x.shape[d + 2], x) + (padding[d] - offset * dilation[d])
                tap_mask = (position >= 0) & (position <= (conv.shape[d + 2] - 1) * stride[d])
                tap_mask = tap_mask & (position % stride[d] == 0) if stride[d] > 1 else tap_mask
                tap_mask = tap_mask.view([-1 if at == d else 1 for at in range(x.dim() - 2)])
                mask = tap_mask if mask is None else mask & tap_mask
            sums.append(torch.where(mask, x, 0).sum(dims))
        means = torch.stack(sums, 2).view(x.shape[0], -1) / results
        found = means @ weight.reshape(weight.shape[0], -1).t()
        found = found if bias is None else found + bias
        return found.view(*found.shape, *[1] * len(dims)) if keepdim else found

    def note(self, what, operations):
        self.saved[what] = self.saved.get(what, 0) + operations

    def notes(self):
        return [f"{what} ({count(operations)} operations fewer)" for what, operations in self.saved.items()]


def is_deferred(value):
    """A MatmulSum with one user: it may be computed in any order."""
    return isinstance(value, MatmulSum) and not value.is_shared and value.result is None


def is_unreshaped(value):
    return value.shape == value.matmul_shape


def shape_of(value):
    """Batches, rows and columns of a matrix or of a batch of them."""
    shape = tuple(value.shape)
    return shape if len(shape) == 3 else (1, *shape)


def value_dtype(value):
    return value_dtype(value.terms[0].first) if isinstance(value, MatmulSum) else value.dtype


def scaled(value, factor):
    return value.like(terms=[term.times(factor) for term in value.terms], rest=[(tensor, other * factor) for tensor, other in value.rest])


def sized(shape, elements):
    known = math.prod(size for size in shape if size != -1)
    return [elements // known if size == -1 else size for size in shape]


def count(operations):
    return f"{operations / 1e9:.3g} G" if operations >= 1e8 else f"{operations / 1e6:.3g} M"


def has_matmuls(graph):
    """Whether there is anything to reorder: two matmuls, or one matmul or convolution with a sum."""
    targets = [node.target for node in graph.nodes]
    matmuls = sum(target in MATMULS for target in targets)
    is_summed = any(target in SUMS for target in targets)
    return matmuls > 1 or (is_summed and (matmuls > 0 or aten.convolution.default in targets))
