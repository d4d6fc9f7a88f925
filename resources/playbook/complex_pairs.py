# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes operators on complex numbers into operators on real and imaginary parts, since no kernel has complex types. A
complex input or result of the graph is its view as real, whose last dimension is the pair.
"""

import dataclasses
import math
import operator
import typing

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensor

import decompose_fft
from decompositions import aten
from loop_operator import LOOPS, Loop


class UnsupportedOperator(Exception):
    """An operator on complex numbers that has no decomposition here."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name  # a handler may prefix the message


@dataclasses.dataclass(frozen=True)
class Pair:
    """`imaginary` is None where it is all zeros."""
    real: typing.Any
    imaginary: typing.Any

    @property
    def shape(self):
        return self.real.shape

    def zeros(self):
        return Pair(self.real, torch.zeros_like(self.real) if self.imaginary is None else self.imaginary)


def both(pair, function):
    return Pair(function(pair.real), None if pair.imaginary is None else function(pair.imaginary))


def pair_of(value):
    if isinstance(value, Pair):
        return value
    return Pair(value.real, value.imag) if isinstance(value, complex) else Pair(value, None)


def plus(first, second):
    if second is None:
        return first
    return second if first is None else first + second


def minus(first, second):
    if second is None:
        return first
    return -second if first is None else first - second


def times(first, second):
    return None if first is None or second is None else first * second


def bilinear(product, first, second):
    """Any bilinear operator: four real ones, fewer where imaginary parts are zero."""
    def of(one, other):
        return None if one is None or other is None else product(one, other)

    first, second = pair_of(first), pair_of(second)
    return Pair(minus(of(first.real, second.real), of(first.imaginary, second.imaginary)),
                plus(of(first.real, second.imaginary), of(first.imaginary, second.real)))


def multiplied(first, second):
    return bilinear(times, first, second)


def squares(pair):
    return plus(pair.real * pair.real, times(pair.imaginary, pair.imaginary))


def reciprocal(pair):
    if pair.imaginary is None:
        return Pair(1 / pair.real, None)
    size = squares(pair)
    return Pair(pair.real / size, -pair.imaginary / size)


def divided(first, second):
    second = pair_of(second)
    if second.imaginary is None:
        return both(pair_of(first), lambda part: part / second.real)
    return multiplied(first, reciprocal(second))


def magnitude(pair):
    return pair.real.abs() if pair.imaginary is None else torch.hypot(pair.real, pair.imaginary)


def angle_of(pair):
    return torch.atan2(pair.zeros().imaginary, pair.real)


def polar(size, angle):
    return Pair(size * torch.cos(angle), size * torch.sin(angle))


def exponential(pair):
    return Pair(pair.real.exp(), None) if pair.imaginary is None else polar(pair.real.exp(), pair.imaginary)


def logarithm(pair):
    return Pair(magnitude(pair).log(), angle_of(pair))


def power(pair, exponent):
    if not isinstance(pair, Pair):
        return exponential(multiplied(exponent, math.log(pair) if isinstance(pair, (int, float)) else pair.log()))
    if isinstance(exponent, int) or (isinstance(exponent, float) and exponent.is_integer()):
        if 0 < abs(exponent) <= 8:
            found = pair
            for _ in range(int(abs(exponent)) - 1):
                found = multiplied(found, pair)
            return found if exponent > 0 else reciprocal(found)
    return exponential(multiplied(logarithm(pair), exponent))


def root(pair):
    """The principal root, in the right half plane, as torch's."""
    size = magnitude(pair)
    real = ((size + pair.real).clamp_min(0) / 2).sqrt()
    imaginary = ((size - pair.real).clamp_min(0) / 2).sqrt()
    return Pair(real, torch.where(pair.zeros().imaginary < 0, -imaginary, imaginary))


def sigmoid(pair):
    return reciprocal(added(exponential(both(pair, lambda part: -part)), 1))


def hyperbolic_tangent(pair):
    twice = exponential(both(pair, lambda part: -2 * part))
    return divided(added(both(twice, lambda part: -part), 1), added(twice, 1))


def sine(pair):
    x, y = pair.real, pair.zeros().imaginary
    return Pair(torch.sin(x) * torch.cosh(y), torch.cos(x) * torch.sinh(y))


def cosine(pair):
    x, y = pair.real, pair.zeros().imaginary
    return Pair(torch.cos(x) * torch.cosh(y), -torch.sin(x) * torch.sinh(y))


def signs(pair):
    size = magnitude(pair)
    return both(pair, lambda part: torch.where(size == 0, 0, part / size))


def added(first, second, alpha=1):
    first, second = pair_of(first), pair_of(second)
    if alpha != 1:
        second = multiplied(second, alpha)
    return Pair(first.real + second.real, plus(first.imaginary, second.imaginary))


def subtracted(first, second, alpha=1):
    first, second = pair_of(first), pair_of(second)
    if alpha != 1:
        second = multiplied(second, alpha)
    return Pair(first.real - second.real, minus(first.imaginary, second.imaginary))


def is_equal(first, second):
    first, second = pair_of(first), pair_of(second)
    if first.imaginary is None and second.imaginary is None:
        return first.real == second.real
    zero = 0
    return (first.real == second.real) & ((zero if first.imaginary is None else first.imaginary)
                                          == (zero if second.imaginary is None else second.imaginary))


def where(condition, first, second):
    first, second = pair_of(first), pair_of(second)
    if first.imaginary is None and second.imaginary is None:
        return Pair(torch.where(condition, first.real, second.real), None)
    return Pair(torch.where(condition, first.real, second.real),
                torch.where(condition, 0 if first.imaginary is None else first.imaginary,
                            0 if second.imaginary is None else second.imaginary))


def concat(tensors, dim=0):
    pairs = [pair_of(each) for each in tensors]
    has_imaginary = any(pair.imaginary is not None for pair in pairs)
    return Pair(torch.cat([pair.real for pair in pairs], dim),
                torch.cat([pair.zeros().imaginary for pair in pairs], dim) if has_imaginary else None)


def stacked(tensors, dim=0):
    dim %= len(tensors[0].shape) + 1
    return concat([both(pair_of(each), lambda part: part.unsqueeze(dim)) for each in tensors], dim)


def convolved(x, weight, bias, *others):
    found = bilinear(lambda one, other: aten.convolution.default(one, other, None, *others), x, weight)
    if bias is None:
        return found
    return added(found, both(pair_of(bias), lambda part: part.reshape(-1, *[1] * (len(found.shape) - 2))))


def as_type(pair, dtype):
    part = real_type(dtype) if dtype.is_complex else dtype
    pair = both(pair, lambda each: each.to(part))
    return pair if dtype.is_complex else pair.real


def real_type(dtype):
    return {torch.complex64: torch.float32, torch.complex128: torch.float64, torch.complex32: torch.float16}[dtype]


OPERATORS = {
    "view_as_complex": lambda x: Pair(x.select(-1, 0), x.select(-1, 1)),
    "complex": Pair,
    "polar": polar,
    "abs": magnitude,
    "angle": angle_of,
    "sgn": signs,
    "isnan": lambda pair: pair.real.isnan() | pair.zeros().imaginary.isnan(),
    "isinf": lambda pair: pair.real.isinf() | pair.zeros().imaginary.isinf(),
    "_conj": lambda pair: Pair(pair.real, None if pair.imaginary is None else -pair.imaginary),
    "add": added,
    "sub": subtracted,
    "rsub": lambda first, second, alpha=1: subtracted(second, first, alpha),
    "mul": multiplied,
    "div": divided,
    "reciprocal": reciprocal,
    "pow": power,
    "square": lambda pair: multiplied(pair, pair),
    "exp": exponential,
    "log": logarithm,
    "sqrt": root,
    "sigmoid": sigmoid,
    "tanh": hyperbolic_tangent,
    "sin": sine,
    "cos": cosine,
    "eq": is_equal,
    "ne": lambda first, second: ~is_equal(first, second),
    "where": where,
    "cat": concat,
    "stack": stacked,
    "mm": lambda first, second: bilinear(torch.mm, first, second),
    "bmm": lambda first, second: bilinear(torch.bmm, first, second),
    "mv": lambda first, second: bilinear(torch.mv, first, second),
    "dot": lambda first, second: bilinear(torch.dot, first, second),
    "vdot": lambda first, second: bilinear(torch.dot, OPERATORS["_conj"](pair_of(first)), second),
    "convolution": convolved,
    "copy": lambda target, value: both(pair_of(value), lambda part: part.expand(target.shape)),
    "linalg_vector_norm": lambda pair, order=2, dim=None, keepdim=False: torch.linalg.vector_norm(magnitude(pair), order, dim, keepdim),
    "_fft_r2c": lambda x, dim, norm, is_half: Pair(*decompose_fft.r2c(x, dim, norm, is_half)),
    "_fft_c2c": lambda pair, dim, norm, is_forward: Pair(*decompose_fft.c2c(pair.real, pair.imaginary, dim, norm, is_forward)),
    "_fft_c2r": lambda pair, dim, norm, size: decompose_fft.c2r(pair.real, pair.imaginary, dim, norm, size),
}
for _same, _others in {"_conj": ("_conj_physical", "conj_physical"), "copy": ("copy_",)}.items():
    OPERATORS.update((_other, OPERATORS[_same]) for _other in _others)

# Applied to each part: views, copies, and what is linear with real factors.
PER_PART = frozenset("""
view _unsafe_view reshape permute transpose t slice select expand unsqueeze squeeze clone alias detach contiguous flip roll index
index_select gather slice_scatter select_scatter as_strided unfold repeat split_with_sizes split unbind constant_pad_nd lift_fresh
lift_fresh_copy tril triu diagonal movedim narrow neg sum mean cumsum resolve_conj resolve_neg _neg_view view_copy expand_copy
_reshape_alias embedding diagonal_copy index_put masked_fill
""".split())
FILLS = ("masked_fill", "constant_pad_nd", "index_put")  # with a third argument, which may be real
# In-place views, which functionalization leaves in the graph.
IN_PLACE = {aten.transpose_.default: aten.transpose.int, aten.t_.default: aten.t.default, aten.squeeze_.dim: aten.squeeze.dim,
            aten.unsqueeze_.default: aten.unsqueeze.default, aten.squeeze_.default: aten.squeeze.default}
FACTORIES = frozenset("full full_like zeros zeros_like ones ones_like empty empty_like new_zeros new_ones new_full new_empty empty_strided "
                 "new_empty_strided scalar_tensor".split())


class ComplexPairs(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.views = {}  # by id() of a view as real, which is kept alive here: its parts

    def call_function(self, target, args, kwargs):
        name = getattr(target, "_opname", "")
        if target is operator.getitem:
            return args[0][args[1]]
        if target in IN_PLACE:
            target, name = IN_PLACE[target], name.removesuffix("_")
        if target is aten.select.int and id(args[0]) in self.views and args[1] % args[0].dim() == args[0].dim() - 1:
            view, pair = self.views[id(args[0])]
            return pair.zeros().imaginary if args[2] % 2 else pair.real
        if is_loop_call(target):
            return self.loop(*args)
        dtype = kwargs.get("dtype")
        makes = dtype is not None and dtype.is_complex
        has_pairs = any(isinstance(leaf, (Pair, complex)) for leaf in pytree.tree_leaves((args, kwargs)))
        if not has_pairs and not makes and name not in ("view_as_complex", "complex", "polar", "_fft_r2c"):
            return super().call_function(target, args, kwargs)
        if name == "view_as_real":
            pair = args[0].zeros()
            view = torch.stack([pair.real, pair.imaginary], -1)
            self.views[id(view)] = view, pair
            return view
        if name == "_to_copy":
            return as_type(pair_of(args[0]), dtype) if dtype is not None else args[0]
        if name in FACTORIES:
            return self.factory(target, args, kwargs)
        if name in PER_PART:
            if name in FILLS and len(args) > 2 and not isinstance(args[2], (Pair, complex)):
                args = (*args[:2], Pair(args[2], None if isinstance(args[2], torch.Tensor) else 0), *args[3:])
            return self.per_part(target, args, kwargs)
        if name not in OPERATORS:
            raise UnsupportedOperator(name)
        args = [pair_of(each) if isinstance(each, complex) else each for each in args]
        return OPERATORS[name](*args, **kwargs)

    def get_attr(self, target, args, kwargs):
        """A tensor that forward makes of Python numbers."""
        value = super().get_attr(target, args, kwargs)
        if not isinstance(value, torch.Tensor) or not value.is_complex():
            return value
        value = value.constant if isinstance(value, FakeTensor) else value
        with torch.utils._python_dispatch._disable_current_modes():
            return Pair(value.real.clone(), value.imag.clone())

    def factory(self, target, args, kwargs):
        """Tensors filled with one number."""
        if isinstance(args[0], Pair):
            args = (args[0].real, *args[1:])
        dtype = kwargs.get("dtype")
        kwargs = {**kwargs, **({"dtype": real_type(dtype)} if dtype is not None and dtype.is_complex else {})}
        number = next((each for each in args if isinstance(each, complex)), None)
        call = super().call_function
        real = call(target, tuple(each.real if isinstance(each, complex) else each for each in args), kwargs)
        if dtype is not None and not dtype.is_complex:
            return real
        if number is None or number.imag == 0:
            return Pair(real, None)
        return Pair(real, call(target, tuple(each.imag if isinstance(each, complex) else each for each in args), kwargs))

    def per_part(self, target, args, kwargs):
        pairs = [leaf for leaf in pytree.tree_leaves(args) if isinstance(leaf, Pair)]
        has_imaginary = any(pair.imaginary is not None for pair in pairs)
        if any(isinstance(leaf, complex) for leaf in pytree.tree_leaves(args)):
            has_imaginary = True
        dtype = kwargs.get("dtype")
        if dtype is not None and dtype.is_complex:
            kwargs = {**kwargs, "dtype": real_type(dtype)}
        call = super().call_function

        def of(part):
            def taken(leaf):
                if isinstance(leaf, complex):
                    return leaf.real if part == "real" else leaf.imag
                if not isinstance(leaf, Pair):
                    return leaf
                return getattr(leaf.zeros() if has_imaginary else leaf, part)
            found = call(target, pytree.tree_map(taken, tuple(args), is_leaf=lambda leaf: isinstance(leaf, Pair)), kwargs)
            return found if isinstance(found, (list, tuple)) else [found], isinstance(found, (list, tuple))

        reals, are_several = of("real")
        found = [Pair(real, imaginary) for real, imaginary in zip(reals, of("imaginary")[0] if has_imaginary else [None] * len(reals))]
        return found if are_several else found[0]

    def loop(self, states, scanned, invariants, number):
        """A loop over time: complex tensors go in and come out as their views as real."""
        if not any(isinstance(each, Pair) for each in (*states, *scanned, *invariants)) and not any(
                dtype.is_complex for _, dtype in LOOPS[number].outputs):
            return torch.ops.warpwright.loop(states, scanned, invariants, number)

        def given(tensors):
            return [self.as_view(each) if isinstance(each, Pair) else each for each in tensors]

        loop = LOOPS[number]
        are_pairs = [[isinstance(each, Pair) for each in tensors] for tensors in (states, scanned, invariants)]
        outputs = [((*shape, 2), real_type(dtype)) if dtype.is_complex else (shape, dtype) for shape, dtype in loop.outputs]
        LOOPS.append(Loop(ComplexLoopBody(loop.body, tuple(map(tuple, are_pairs))), loop.trip_count, outputs))
        found = torch.ops.warpwright.loop(given(states), given(scanned), given(invariants), len(LOOPS) - 1)
        are_complex = [dtype.is_complex for _, dtype in loop.outputs] * 2
        return [Pair(each.select(-1, 0), each.select(-1, 1)) if is_pair else each for each, is_pair in zip(found, are_complex)]

    @staticmethod
    def as_view(pair):
        pair = pair.zeros()
        return torch.stack([pair.real, pair.imaginary], -1)


@dataclasses.dataclass(frozen=True)
class ComplexLoopBody:
    """A loop's body that takes and returns views as real in place of complex tensors."""
    body: typing.Callable
    are_pairs: tuple

    def __call__(self, *given):
        complex_given = [[torch.view_as_complex(each) if is_pair else each for each, is_pair in zip(tensors, flags)]
               for tensors, flags in zip(given, self.are_pairs)]
        return [torch.view_as_real(each.resolve_conj()) if each.is_complex() else each for each in self.body(*complex_given)]


def is_loop_call(target):
    return target is torch.ops.warpwright.loop.default


def has_complex(graph):
    values = pytree.tree_leaves([node.meta.get("val") for node in graph.nodes])
    return any(isinstance(value, torch.Tensor) and value.is_complex() for value in values)
