# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of matrices, and what is done to their results as long as it is linear, are not computed where they stand but
where somebody needs them, in the order that takes least: (A B) C as A (B C), x V + x W as x (V + W), a sum over rows or
columns of a product as a product of sums, a mean over pixels through a convolution. All of these hold for every value of
every tensor, up to rounding. Linear(graph).notes() says which were of use; with none the
graph is better left as it is.
"""

import math

import torch

from apart import aten, numbers

PRODUCTS = (aten.mm.default, aten.bmm.default)
VIEWS = (aten.view.default, aten._unsafe_view.default)
SUMS = (aten.sum.dim_IntList, aten.mean.dim)
WORTH = 0.75  # of the operations: with more of them left, another order is no gain
MOST_TAPS = 32
EXACT = (torch.float32, torch.float64)  # a sum of weights that is rounded to a half loses what the sum of results has
REORDERED = (*EXACT, torch.bfloat16)  # what is large in another order may be no half any more
FEW_ROWS = 8  # to add two matrices takes longer than to multiply so many rows by both
DEAR_TAPS = 16  # operations of matrix units that one of a tap's sum costs


class Term:
    """One product: `first`, which may be a Sum, times `second` times a number."""

    def __init__(self, first, second, factor=1.0):
        self.first, self.second, self.factor = first, second, factor

    def times(self, factor):
        return Term(self.first, self.second, self.factor * factor)


class Sum:
    """Products with results of one shape, and other tensors, which are added where the products have got `shape`."""

    def __init__(self, own, shape, terms, rest=()):
        self.own, self.shape, self.terms, self.rest = tuple(own), tuple(shape), list(terms), list(rest)
        self.is_shared, self.made = False, None

    def like(self, shape=None, terms=None, rest=None):
        return Sum(self.own, self.shape if shape is None else shape, self.terms if terms is None else terms,
                   self.rest if rest is None else rest)

    def grouped(self):
        """Products with the same first matrix are one; so are those with the same second one."""
        terms = joined(self.terms, lambda term: term.first, lambda one, two: Term(one.first, weighed(one.second, one.factor) + weighed(two.second, two.factor)))
        return joined(terms, lambda term: term.second,
                      lambda one, two: Term(weighed(made(one.first), one.factor) + weighed(made(two.first), two.factor), one.second))

    def whole(self):
        if self.made is None:
            product = aten.bmm.default if len(self.own) == 3 else aten.mm.default
            found = None
            for term in self.grouped():
                first, second, elements = made(term.first), term.second, math.prod(self.own)
                if second.numel() < elements and second.dtype in EXACT:  # the factor goes to the smaller one
                    part = product(first, weighed(second, term.factor))
                else:
                    part = weighed(product(first, second), term.factor)
                found = part if found is None else found + part
            found = found if self.shape == self.own else found.view(self.shape)
            parts = [weighed(tensor, factor) for tensor, factor in self.rest]
            self.made = found + sum(parts[1:], parts[0]) if parts else found
        return self.made


class Joined:
    """Sums behind one another along the first dimension, each as long as the others; `is_stacked`: that are a dimension more."""

    def __init__(self, pieces, is_stacked=False):
        self.pieces, self.is_stacked = pieces, is_stacked
        self.is_shared, self.made = False, None

    def whole(self):
        if self.made is None:
            found = aten.cat.default([piece.whole() for piece in self.pieces])
            self.made = found.view(len(self.pieces), *self.pieces[0].shape) if self.is_stacked else found
        return self.made


class Filtered:
    """A convolution that has not been computed, of whose results perhaps only a sum is needed."""

    def __init__(self, args, shape, make):
        self.args, self.shape, self.make = args, shape, make
        self.is_shared, self.made = False, None

    def whole(self):
        if self.made is None:
            self.made = self.make()
        return self.made


def weighed(tensor, factor):
    return tensor if factor == 1.0 else tensor * factor


def groups(terms):
    """How many products of grouped() there would be."""
    by_first = {}
    for term in terms:
        by_first.setdefault(id(term.first), []).append(id(term.second))
    return len({seconds[0] if len(seconds) == 1 else first for first, seconds in by_first.items()})


def joined(terms, key, join):
    found = {}
    for term in terms:
        known = found.get(id(key(term)))
        found[id(key(term))] = term if known is None else join(known, term)
    return list(found.values())


def made(value):
    return value.whole() if isinstance(value, (Sum, Joined, Filtered)) else value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Linear(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.saved = {}  # operations, by what was said in other words
        self.views = {}  # what the same view of the same tensor is

    def run_node(self, node):
        found = super().run_node(node)
        if isinstance(found, (Sum, Joined, Filtered)):
            found.is_shared = found.is_shared or len(node.users) > 1
        return found

    def call_function(self, target, args, kwargs):
        found = None if kwargs else self.linear(target, args)
        if found is not None:
            return found
        args, kwargs = torch.utils._pytree.tree_map(made, (args, kwargs))
        if target in VIEWS + (aten.permute.default, aten.expand.default) and not kwargs:
            key = target, id(args[0]), tuple(args[1])
            if key not in self.views:
                self.views[key] = super().call_function(target, args, kwargs), args[0]
            return self.views[key][0]
        return super().call_function(target, args, kwargs)

    def output(self, target, args, kwargs):
        return super().output(target, torch.utils._pytree.tree_map(made, args), kwargs)

    def linear(self, target, args):
        if target in PRODUCTS:
            return self.product(*args)
        if target is aten.convolution.default:
            return self.filtered(args)
        if target is aten.cat.default and all(is_free(piece) for piece in args[0]) and len(args) < 2:
            same = {piece.shape for piece in args[0]}
            return Joined(args[0]) if len(same) == 1 else None
        first = args[0] if args else None
        if isinstance(first, Filtered):
            return self.sum_of_pixels(first, args[1:]) if target is aten.mean.dim and not first.is_shared else None
        if isinstance(first, Joined):
            return None if first.is_shared else self.through_join(target, first, args[1:])
        if target in (aten.add.Tensor, aten.sub.Tensor):
            return self.added(args[0], args[1], -1.0 if target is aten.sub.Tensor else 1.0)
        if not is_free(first):
            return None
        if target in VIEWS and all(tensor.dim() < 2 and tensor.shape[-1:] == (args[1][-1],) for tensor, _ in first.rest):
            return first.like(shape=sized(args[1], math.prod(first.shape)))
        if target is aten.expand.default and tuple(args[1]) == first.shape:
            return first
        if target in (aten.mul.Tensor, aten.div.Tensor) and is_number(args[1]) and (args[1] or target is aten.mul.Tensor):
            return scaled(first, args[1] if target is aten.mul.Tensor else 1.0 / args[1])
        if target in SUMS and len(args) > 1:
            return self.summed(target, first, *args[1:])
        return None

    def product(self, first, second):
        """In the order that takes least, if one of both is a product itself."""
        first, second = (value if is_free(value) and plain(value) else made(value) for value in (first, second))
        for value in (first, second):
            if not value_dtype(value).is_floating_point:
                return None
        if isinstance(first, Sum) and isinstance(second, Sum):
            second = second.whole()
        batch, rows, inner = shape_of(first)
        columns = shape_of(second)[2]
        may_move = value_dtype(first) in REORDERED
        own = (batch, rows, columns) if len(first.shape) == 3 else (rows, columns)
        if isinstance(first, Sum):
            across = first.terms[0].first.shape[-1]
            before = rows * inner * across + rows * inner * columns
            after = across * inner * columns + rows * across * columns
            is_plain_rest = len(first.shape) == 2 or not first.rest
            if len(first.terms) == 1 and is_plain_rest and may_move and after < WORTH * before:
                self.tell("(A B) C is computed as A (B C)", 2 * batch * (before - after))
                term = first.terms[0]
                product = torch.bmm if len(own) == 3 else torch.mm
                rest = [(torch.mm(tensor.unsqueeze(0), second).squeeze(0), factor) for tensor, factor in first.rest]
                return Sum(own, own, [Term(term.first, product(term.second, second), term.factor)], rest)
            if len(first.terms) > 1 or first.rest:
                first = first.whole()
        if isinstance(second, Sum):
            across = second.terms[0].first.shape[-1]
            before = inner * across * columns + rows * inner * columns
            after = rows * inner * across + rows * across * columns
            if len(second.terms) == 1 and not second.rest and may_move and after < WORTH * before:
                self.tell("A (B C) is computed as (A B) C", 2 * batch * (before - after))
                term = second.terms[0]
                product = torch.bmm if len(own) == 3 else torch.mm
                return Sum(own, own, [Term(product(first, made(term.first)), term.second, term.factor)])
            second = second.whole()
        return Sum(own, own, [Term(first, second)])

    def added(self, first, second, factor):
        if not is_free(first) and not is_free(second):
            return None
        if is_free(first) and is_free(second) and first.shape == second.shape and first.own == second.own:
            batch, rows, inner = shape_of(first.terms[0].first)
            if rows < FEW_ROWS or value_dtype(first) not in EXACT:
                return None
            terms = self.of_known(first.terms + [term.times(factor) for term in second.terms])
            saved = groups(first.terms) + groups(second.terms) - groups(terms)
            if saved == 0:
                return None
            found = first.like(terms=terms, rest=first.rest + [(tensor, other * factor) for tensor, other in second.rest])
            self.tell("x V + x W is computed as x (V + W)", 2 * saved * batch * rows * inner * first.own[-1])
            return found
        # A bias: one for each column.
        if is_free(first) and isinstance(made(second), torch.Tensor):
            tensor = made(second)
            is_bias = tensor.dim() == 1 and len(first.shape) > 1 and tensor.shape[0] == first.shape[-1] == first.own[-1]
            return first.like(rest=first.rest + [(tensor, factor)]) if is_bias and tensor.dtype == value_dtype(first) else None
        return None

    def of_known(self, terms):
        """(x A) B as x (A B), where x is multiplied anyway and that is less."""
        found = []
        for term in terms:
            nested = term.first.terms[0] if isinstance(term.first, Sum) and term.first.made is None else None
            if nested is None or all(other.first is not nested.first for other in terms):
                found.append(term)
                continue
            rows, inner, across = nested.first.shape[-2], nested.first.shape[-1], term.second.shape[-2]
            columns = term.second.shape[-1]
            if inner * across * columns < WORTH * (rows * inner * across + rows * across * columns):
                product = torch.bmm if nested.second.dim() == 3 else torch.mm
                term = Term(nested.first, product(nested.second, term.second), term.factor * nested.factor)
            found.append(term)
        return found

    def summed(self, target, first, dims, keepdim=False):
        if not dims:
            return None
        dims = sorted(d % len(first.shape) for d in dims)
        last = len(first.shape) - 1
        if len(first.own) != 2 or first.shape[-1] != first.own[-1] or value_dtype(first) not in EXACT:
            return None
        rows, columns = first.own
        inner = first.terms[0].first.shape[-1]
        if rows + columns > WORTH * rows * columns:
            return None
        factor = 1.0 / math.prod(first.shape[d] for d in dims) if target is aten.mean.dim else 1.0
        if dims == [last]:
            terms = [Term(term.first, term.second.sum(1, keepdim=True), term.factor * factor) for term in first.terms]
            rest = [(tensor.sum(0, keepdim=True), other * factor) for tensor, other in first.rest]
            found = Sum((rows, 1), (*first.shape[:-1], 1), terms, rest)
        elif dims == list(range(last)):
            terms = [Term(made(term.first).sum(0, keepdim=True), term.second, term.factor * factor) for term in first.terms]
            rest = [(tensor, other * factor * rows) for tensor, other in first.rest]
            found = Sum((1, columns), (*[1] * last, columns), terms, rest)
        else:
            return None
        self.tell("a sum over a product's rows or columns is computed as a product of sums", 2 * inner * (rows * columns - rows - columns))
        whole = found.whole()
        return whole if keepdim else whole.view([size for d, size in enumerate(first.shape) if d not in dims])

    def through_join(self, target, join, args):
        first = join.pieces[0]
        if target in VIEWS and not join.is_stacked and list(args[0]) == [len(join.pieces), *first.shape]:
            return Joined(join.pieces, True)
        if target in SUMS and join.is_stacked and args and [d % (len(first.shape) + 1) for d in args[0]] == [0] and args[1:] in ((), (False,)):
            found = first
            for piece in join.pieces[1:]:
                found = self.added(found, piece, 1.0)
                if found is None:
                    return None
            return scaled(found, 1.0 / len(join.pieces)) if target is aten.mean.dim else found
        return None

    def filtered(self, args):
        args = torch.utils._pytree.tree_map(made, args)
        x, weight = args[0], args[1]
        space = x.dim() - 2
        args = [[*arg] * space if i in (3, 4, 5, 7) and len(arg) == 1 else arg for i, arg in enumerate(args)]
        is_plain = not args[6] and args[8] == 1 and x.dim() == weight.dim() and x.dtype in EXACT
        if not is_plain or math.prod(weight.shape[2:]) > MOST_TAPS:
            return None

        def make():
            return super(Linear, self).call_function(aten.convolution.default, args, {})

        sizes = [(x.shape[d + 2] + 2 * args[4][d] - args[5][d] * (weight.shape[d + 2] - 1) - 1) // args[3][d] + 1 for d in range(x.dim() - 2)]
        return Filtered(args, (x.shape[0], weight.shape[0], *sizes), make)

    def sum_of_pixels(self, conv, args):
        """Of each tap the mean of the pixels that it meets, and these times the filters."""
        dims, keepdim = sorted(d % len(conv.shape) for d in args[0] or ()), len(args) > 1 and args[1]
        if dims != list(range(2, len(conv.shape))) or conv.made is not None:
            return None
        x, weight, bias, stride, padding, dilation = conv.args[:6]
        taps = math.prod(weight.shape[2:])
        results = math.prod(conv.shape[2:])
        if 2 * weight.shape[0] * results < DEAR_TAPS * math.prod(x.shape[2:]):
            return None
        self.tell("the mean over pixels is taken before the convolution, of what each tap meets",
                  2 * conv.shape[0] * (results - 1) * weight.numel() - taps * x.numel())
        sums = []
        for tap in range(taps):
            picks, rest = None, tap
            for d in reversed(range(x.dim() - 2)):
                rest, offset = divmod(rest, weight.shape[d + 2])
                place = numbers(x.shape[d + 2], x) + (padding[d] - offset * dilation[d])
                meets = (place >= 0) & (place <= (conv.shape[d + 2] - 1) * stride[d])
                meets = meets & (place % stride[d] == 0) if stride[d] > 1 else meets
                meets = meets.view([-1 if at == d else 1 for at in range(x.dim() - 2)])
                picks = meets if picks is None else picks & meets
            sums.append(torch.where(picks, x, 0).sum(dims))
        means = torch.stack(sums, 2).view(x.shape[0], -1) / results
        found = means @ weight.reshape(weight.shape[0], -1).t()
        found = found if bias is None else found + bias
        return found.view(*found.shape, *[1] * len(dims)) if keepdim else found

    def tell(self, what, operations):
        self.saved[what] = self.saved.get(what, 0) + operations

    def notes(self):
        return [f"{what} ({count(operations)} operations fewer)" for what, operations in self.saved.items()]


def is_free(value):
    """A sum that nobody else needs: it may be computed in any order."""
    return isinstance(value, Sum) and not value.is_shared and value.made is None


def plain(value):
    return value.shape == value.own


def shape_of(value):
    """Batches, rows and columns."""
    shape = tuple(value.shape)
    return shape if len(shape) == 3 else (1, *shape)


def value_dtype(value):
    return value_dtype(value.terms[0].first) if isinstance(value, Sum) else value.dtype


def scaled(value, factor):
    return value.like(terms=[term.times(factor) for term in value.terms], rest=[(tensor, other * factor) for tensor, other in value.rest])


def sized(shape, elements):
    known = math.prod(size for size in shape if size != -1)
    return [elements // known if size == -1 else size for size in shape]


def count(operations):
    return f"{operations / 1e9:.3g} G" if operations >= 1e8 else f"{operations / 1e6:.3g} M"


def has_products(graph):
    """Whether there is anything to look at: two products, or one that is summed up."""
    targets = [node.target for node in graph.nodes]
    products = sum(target in PRODUCTS for target in targets)
    is_summed = any(target in SUMS for target in targets)
    return products > 1 or (is_summed and (products > 0 or aten.convolution.default in targets))
