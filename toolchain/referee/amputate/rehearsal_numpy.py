# SPDX-License-Identifier: GPL-3.0-or-later
"""What a candidate may ask of numpy, which torch brings into its process, and what it may not (see rehearsal.py).

Shapes, scalars and tables of double precision: what Python computes with float and int. What is fast about numpy, float32,
products, sums along an axis, scans, transforms, is not there.
"""

import copy
import os
import pickle

import numpy as np
import numpy.fft
import numpy.linalg
import numpy.random
import torch

KINDS = tuple(np.dtype(name) for name in ("f4", "f8", "f2", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", "?", "c8"))


def allowed():
    for kind in KINDS:
        yield f"numpy makes {kind}", lambda kind=kind: _makes(kind)
        yield f"numpy copies {kind}", lambda kind=kind: [_copies(kind, other) for other in KINDS]
    yield from {"numpy scalars": _scalars, "numpy shapes": _shapes, "numpy tables": _tables, "numpy facts": _facts, "numpy errors": _errors, "numpy forks": _forks}.items()


def _makes(kind):
    for shape in ((), (3,), (4, 5), (0, 3), (2, 3, 4), (300, 301)):
        x = np.zeros(shape, kind)
        np.ones(shape, kind), np.empty(shape, kind), np.full(shape, 1, kind), np.zeros_like(x), np.ones_like(x), np.empty_like(x), np.full_like(x, 1)
        x.fill(1), x.copy(), x.copy("F"), x.reshape(-1), x.ravel(), x.flatten(), x.T.copy(), np.ascontiguousarray(x.T), x.tobytes(), x.view("u1") if x.ndim else None
        x.tolist(), torch.from_numpy(x), torch.tensor(x), torch.as_tensor(x), torch.from_numpy(x).numpy(), memoryview(x), np.asarray(x), np.array(x, copy=True), copy.deepcopy(x)
        if x.ndim:
            x[:], x[::2].copy(), x[..., None], x.__setitem__(slice(None), 1), x.__setitem__(slice(None, None, 2), x[::2]), np.expand_dims(x, 0), np.squeeze(x), np.broadcast_to(x, (2, *x.shape))
            np.concatenate([x, x]), np.stack([x, x]), np.swapaxes(x, 0, -1), np.moveaxis(x, 0, -1), np.transpose(x), np.atleast_2d(x)
    y = np.array([1, 0, 1], kind)
    y[0], y[-1].item(), y[0].dtype, hash(y[0]), str(y[0]), bool(y[0]), len(y), np.frombuffer(bytearray(64), kind), np.ndarray((2,), kind, bytearray(64)), kind.type(1)
    np.array([[1, 0], [0, 1]], kind), np.asarray([1, 0]), np.asarray(1.0), np.array(1), np.array(True), np.array([]), iter(y).__next__(), repr(kind), pickle.loads(pickle.dumps(y))


def _copies(kind, other):
    for shape in ((3,), (40, 41), (300, 301)):
        x = np.zeros(shape, kind)
        y = np.empty(shape, other)
        if not (kind.kind == "c" and other.kind != "c"):
            x.astype(other), y.__setitem__(Ellipsis, x), np.array(x, other), np.asarray(x, other), x[::2].astype(other), np.copyto(y, x, casting="unsafe"), y.fill(x.flat[0]), x.T.astype(other)


def _scalars():
    for one in (2, 2.0, np.float64(2), np.int64(2), np.float64(0.5), np.array(2.0), np.array([1.0, 4.0]), np.array([1, 4])):
        for call in (np.sqrt, np.exp, np.log, np.log2, np.log10, np.ceil, np.floor, np.round, np.abs, np.sign, np.sin, np.cos, np.tanh, np.square, np.isnan, np.isinf, np.isfinite, np.negative, np.reciprocal, np.rint, np.trunc):
            call(one)
        for call in (np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.mod, np.power, np.maximum, np.minimum, np.less, np.equal, np.greater, np.less_equal, np.greater_equal, np.not_equal):
            call(one, 2), call(2.0, one), call(one, one)
        one + 1, 1.0 * one, one / 3, one // 2, one % 2, one**2, -one, abs(one), one < 3, one == 2, float(np.sum(one)), int(np.prod(one))
    for kind in (np.int64, np.int32, np.float64, np.float32):
        one = kind(3)
        one + kind(1), one * kind(2), one - kind(1), one / kind(2), one // kind(2), one % kind(2), one**kind(2), -one, abs(one), one < kind(4), one == kind(3), int(one), float(one), round(float(one)), one * 2, one + 1.5, one / 2, bool(one), str(one), one.item()


def _shapes():
    for sizes in (torch.Size([2, 3]), torch.zeros(2, 3).shape, [2, 3], (2, 3), (2,), [], range(3), np.array([2, 3]), [np.int64(2), 3], [2.0, 3], (True, False), [np.float64(2), np.int32(3)], np.array([2.0, 3.0]), 5, 2.5, np.int64(4)):
        for call in (np.prod, np.sum, np.cumsum, np.cumprod, np.max, np.min, np.asarray, np.array, np.mean, np.any, np.all, np.argmax, np.argmin, np.sort, np.size, np.shape, np.ndim, np.ravel, np.abs, np.ceil, np.diff, np.unique, np.flip):
            try:
                call(sizes)
            except (ValueError, TypeError, np.exceptions.AxisError):
                pass
        for kind in (np.int64, np.int32, np.float64, int, float):
            np.prod(sizes, dtype=kind), np.sum(sizes, dtype=kind), np.asarray(sizes, dtype=kind), np.array(sizes, dtype=kind).tolist(), np.array(sizes, kind).astype(np.int64)
        np.array(sizes) * 2, np.array(sizes) // 2, np.array(sizes) + 1, np.array(sizes).tolist(), tuple(np.atleast_1d(np.array(sizes))[::-1]), [int(each) for each in np.atleast_1d(np.array(sizes))], np.array(sizes) == 2, np.array(sizes) % 2, -np.array(sizes, dtype=float)
    np.prod((2, 3, 4)), np.prod([]), np.prod([2.0, 3.0]), int(np.prod(np.array([2, 3]))), np.cumsum([1, 2, 3]), np.cumprod([1, 2, 3]), np.sum([1, 2]), np.max([1, 2]), np.min([1, 2]), np.array([1, 2]).sum(), np.array([3, 4]).prod(), np.array([3, 4]).max()
    np.arange(5), np.arange(0, 10, 2), np.arange(5.0), np.arange(0.0, 1.0, 0.1), np.linspace(0, 1, 5), np.indices((2, 3)), np.array((2, 3)).shape, np.ceil(7 / 2), np.ndindex(2, 3), list(np.ndindex(2, 2))
    np.array_equal([1, 2], [1, 2]), np.all([True]), np.any([False]), np.iinfo(np.int32).max, np.finfo(np.float32).eps, np.finfo(np.float64).max, np.finfo(np.float16).tiny, np.inf, np.pi, np.dtype("float32").itemsize, np.broadcast_shapes((1, 2), (3, 1)), np.result_type("f4", "f8"), np.can_cast("f4", "f8"), np.isscalar(1)


def _tables():
    """What constructors make: positions, frequencies, masks. In double, as Python does."""
    places, parts = np.arange(64, dtype=np.float64)[:, None], np.arange(0, 32, 2, dtype=np.float64)
    rates = np.exp(parts * (-np.log(10000.0) / 32))
    for table in (places * rates, places / np.power(10000.0, parts / 32), np.outer(np.arange(64.0), rates), np.multiply.outer(np.arange(4.0), rates), places[:200] * parts + 1.0 - rates):
        for made in (np.sin(table), np.cos(table), np.sqrt(table), np.exp(-table), -table, table * 2, table / 2, table + table, table - 1, np.tanh(table), np.log(table + 1), np.abs(table), np.maximum(table, 0), np.minimum(table, 1), np.clip(table, 0, 1), table**2):
            made.astype(np.float32), torch.tensor(made), torch.from_numpy(made).float()
    np.eye(5), np.tril(np.ones((4, 4))), np.triu(np.ones((4, 4)), k=1).astype(bool), np.hanning(8), np.hamming(8), np.linspace(0.0, 1.0, 100), np.meshgrid(np.arange(3), np.arange(4)), np.tile(np.arange(3), 2), np.repeat(np.arange(3), 2), np.full((3, 3), -np.inf)


def _facts():
    np.random.seed(1), np.random.rand(3), np.random.randn(3), np.random.randint(0, 9, 3), np.random.default_rng(1), np.random.default_rng(1).random(3), np.random.RandomState(1), np.random.get_state(), np.random.set_state(np.random.get_state())
    np.get_printoptions(), np.errstate(all="ignore").__enter__(), np.geterr(), np.__version__, np.array([1.5, 2]).__repr__(), str(np.arange(3)), repr(np.zeros((2, 2), "f4")), np.shares_memory(np.zeros(3), np.zeros(3)), np.may_share_memory(np.zeros(3), np.zeros(3))
    x = np.zeros((4, 5), "f4")
    x.strides, x.flags, x.ctypes.data, x.__array_interface__, x.nbytes, x.base, x.flags.writeable, x.setflags(write=False), x.dtype.name, x.size, x.itemsize, np.dtype([("a", "f4")]), x.__dlpack_device__(), x.__array_struct__


def _errors():
    x = np.zeros((4, 5), "f4")
    for wrong in (lambda: x.reshape(3), lambda: x[9], lambda: np.zeros(-1), lambda: np.concatenate([x, x[0]]), lambda: x.view("f8"), lambda: np.dtype("nowhere"), lambda: np.array([[1], [1, 2]], "f4"), lambda: np.frombuffer(b"abc", "f4"),
                  lambda: x.transpose(0), lambda: int(x), lambda: bool(x), lambda: x.astype("f4", casting="nowhere"), lambda: np.float32("x"), lambda: x.__setitem__(0, np.zeros(3)), lambda: torch.from_numpy(x.astype(">f4")), lambda: torch.from_numpy(np.zeros(2, "U3"))):
        try:
            wrong()
        except (ValueError, IndexError, TypeError, RuntimeError, KeyError):
            pass


def _forks():
    """As the judge's workers come to be."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


FORBIDDEN = """
n+n; n*2; n-n; n/n; -n; np.sqrt(n); np.exp(n); np.log(n); np.tanh(n); np.sin(n); np.maximum(n,0); np.minimum(n,n); np.clip(n,0,1); np.square(n); np.power(n,2); n**2; np.floor(n); np.sign(n)
n@n; n.dot(n); np.matmul(n,n); np.dot(n[0],n[0]); np.inner(n,n); np.einsum('ij,jk->ik',n,n); np.einsum('ij->i',n); np.tensordot(n,n); np.vdot(n,n); m@m; m.dot(m); np.inner(m,m); np.outer(n[0],n[0]); np.convolve(n[0],n[0]); np.correlate(m[0],m[0])
n.sum(); n.sum(0); n.sum(1); n.mean(1); n.max(1); n.min(0); n.argmax(1); n.argmin(1); n.cumsum(1); np.cumsum(n,axis=1,dtype='f8'); n.prod(1); n.std(1); n.var(1); np.logaddexp(n,n); np.linalg.norm(n)
np.sort(n); np.argsort(n); np.partition(n,3); np.argpartition(n,3); np.searchsorted(n[0],n); np.searchsorted(m[0],m); np.bincount(k[0]); np.nonzero(n); np.lexsort((k,k)); np.digitize(m,m[0])
n<n; n==n; n>0; np.where(n>0,n,0); np.isnan(n); np.logical_and(n,n); k<<1; k^k; k&k; np.count_nonzero(n)
np.fft.fft(n); np.fft.rfft(n); np.fft.ifft(m); np.fft.rfft2(m); np.linalg.inv(n); np.linalg.solve(n,n); np.linalg.svd(n); np.linalg.qr(n); np.linalg.cholesky(n); np.linalg.eigh(n); np.linalg.det(m); np.linalg.lstsq(n,n)
h+h; h*2; h.sum(1); c*c; c@c; np.abs(c); np.conj(c); np.interp(m,m[0],m[0]); np.diff(n); np.gradient(n); np.trapezoid(n); np.cross(n[:,:3],n[:,:3]); np.kron(n,n); np.histogram(n); np.median(n); np.percentile(n,50)
"""
NOTED = """
np.sort(k); np.argsort(k); np.unique(k); np.sort(m); np.argsort(m); m.argmax(1); np.abs(n); np.isfinite(n); k%3; m+m; m*2; np.exp(m); m.sum(); m.sum(1); m.cumsum(1); k+k; k*k; k.sum(); k.sum(1); np.take(n,k); n[k%3]; n.take([0,1],0); np.choose(k,[n,n]); n.repeat(2); np.where(b,n,n); np.random.rand(3); m.mean(1); m.max(1); k.max(1); np.trace(m); np.tile(n,2); np.pad(n,1); np.roll(n,1); np.flip(n)
"""


def values():
    n = np.zeros((64, 64), "f4")
    return {"np": np, "n": n, "m": n.astype("f8"), "k": n.astype("i8"), "b": n.astype("?"), "h": n.astype("f2"), "c": n.astype("c8")}
