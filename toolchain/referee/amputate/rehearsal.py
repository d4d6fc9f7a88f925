# SPDX-License-Identifier: GPL-3.0-or-later
"""What a candidate may ask of torch, and what it may not, as calls.

`rehearsal.py run [cuda]` makes every call of ALLOWED in this process: what it executes is what stays of torch. `rehearsal.py
ask` is the counter-question, in the copy that was made: each call in a process of its own, and how that ended. An
answer is one line of JSON, the last one. With "cuda" the same is done on a card beside the CPU, with "numpy" beside torch
(rehearsal_numpy.py); `rehearsal.py import` only imports torch.
"""

import copy
import ctypes
import functools
import json
import os
import signal
import sys
import warnings

import torch
from torch import nn
from torch.nn import functional as F

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)
ALL = (*FLOATS, *WHOLE, torch.complex64)
DEVICE = "cpu"  # where tensors are made: torch's default device, but in ask(), whose processes each begin anew
LARGE = 300  # squared: more numbers than one thread copies


def allowed():
    """(name, call) of all that makes memory, views, copies, fills, joins and counts up."""
    for kind in ALL:
        for name, call in _of(kind):
            yield f"{name} {kind}", call
        yield f"copy {kind}", lambda kind=kind: [_copies(kind, other) for other in ALL]
    yield from {"parameters": _parameters, "modules": _modules, "shapes": _shapes, "layouts": _layouts, "errors": _errors}.items()
    if DEVICE == "cpu":
        yield from {"products": _products, "buffers": _buffers, "facts": _facts}.items()
    else:
        yield "card", _card


def _of(kind):
    def made(*shape):
        return torch.empty(*(shape or (64, 33)), dtype=kind)

    x = made().zero_()
    y = made(LARGE, LARGE + 1)
    yield "make", lambda: (
        made(), torch.zeros(3, 4, dtype=kind), torch.ones(3, 4, dtype=kind), torch.full((5,), 1, dtype=kind),
        torch.empty_like(x), torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 1), x.new_empty((3,)),
        x.new_zeros((3,)), x.new_ones((3,)), x.new_full((3,), 1), x.new_tensor([1]), torch.empty_strided((3, 4), (4, 1), dtype=kind),
        torch.tensor([1, 0, 1], dtype=kind), torch.tensor(1, dtype=kind), torch.as_tensor([[1, 0], [0, 1]], dtype=kind),
        torch.scalar_tensor(1, dtype=kind), made(0, 3), made(2, 3, 4, 5).to(memory_format=torch.channels_last),
        torch.empty_permuted((2, 3), (1, 0), dtype=kind), made(2, 3, 4, 5).zero_().contiguous(memory_format=torch.channels_last),
    )
    yield "fill", lambda: (y.fill_(1), y.zero_(), y.t().fill_(1), y[1:, ::2].fill_(0), y.fill_(torch.ones((), dtype=kind)), made(0).fill_(1))
    yield "write", lambda: (
        x.__setitem__(0, 1), x.__setitem__((slice(1, 3), slice(None, None, 2)), 0), x.__setitem__(slice(2, 4), torch.ones(2, 33, dtype=kind)),
        x.copy_(torch.ones_like(x)), x.copy_(torch.ones(33, dtype=kind)), x.t().copy_(torch.ones(33, 64, dtype=kind)),
    )
    yield "clone", lambda: (
        y.clone(), y.t().clone(), y.t().contiguous(), y[1:, ::2].clone(), y[::3].contiguous(), y.expand(2, *y.shape).contiguous(),
        y.expand(2, *y.shape).clone(), y.reshape(-1), y.t().reshape(-1), y.flatten(), y.detach().clone(), y.permute(1, 0).contiguous(),
        y.clone(memory_format=torch.contiguous_format), made(2, 30, 40, 50).transpose(1, 2).contiguous(),
        made(2, 30, 40, 50).permute(0, 2, 3, 1).contiguous(), copy.deepcopy(x), y.t().to(kind, copy=True), y[:, 5].contiguous(),
    )
    yield "join", lambda: (
        torch.cat([x, x]), torch.cat([x, x], 1), torch.cat([x, x.t().contiguous().t()], 1), torch.stack([x, x]), torch.stack([x, x], 1),
        torch.cat([y, y]), torch.cat([y, y], 1), torch.stack([y, y], 2), torch.hstack([x, x]), torch.vstack([x, x]), torch.concat([x[:0], x]), F.pad(x, (1, 1)), F.pad(y, (1, 2, 3, 4), value=1),
    )
    yield "look", lambda: (
        x[0, 0].item(), x.flatten()[0].tolist(), x[:2, :2].tolist(), bool(x[0, 0]), x.numel(), x.element_size(), x.stride(),
        x.is_contiguous(), x.untyped_storage().data_ptr(), x.data_ptr(), x._version, hash(x), len(x), x.type(), x.device, str(x.shape),
        x.storage_offset(), x.is_floating_point(), x.requires_grad, x.layout, x.names, x.is_sparse,
    )
    yield "view", lambda: (
        x.view(33, 64), x.view(-1), x.t(), x.transpose(0, 1), x.permute(1, 0), x.movedim(0, 1), x.unsqueeze(0).squeeze(0), x.expand(2, 64, 33),
        x.narrow(0, 1, 5), x.select(0, 1), x[1:, ::2], x[..., None], x.split(8), x.chunk(4), x.unbind(0), x.diagonal(), x.unfold(0, 3, 1),
        x.as_strided((3,), (1,)), x.view_as(x), x.expand_as(x), x.reshape(3, -1), x.unflatten(0, (8, 8)), x.detach(), 
        x.swapaxes(0, 1), x.view(torch.uint8), x.mT, x.real if kind.is_complex else None, torch.broadcast_to(x, (2, 64, 33)),
        x.tensor_split(4), x.hsplit(3), x.vsplit(4), x.ravel(), x.data, x.squeeze(),
    )
    yield "resize", lambda: (made(3).resize_(10, 10), made().set_(x.untyped_storage(), 0, (3,), (1,)), made(3).resize_as_(x), made(4).resize_(0))
    yield "count", lambda: () if kind is torch.bool or kind.is_complex else (
        torch.arange(5, dtype=kind), torch.arange(1, 100, 2, dtype=kind), torch.arange(LARGE * 300 if kind in (torch.float32, torch.int64) else 100, dtype=kind))
    yield "numpy", lambda: () if kind is torch.bfloat16 else (x.cpu().numpy(), torch.from_numpy(x.cpu().numpy().copy()), x.contiguous().cpu().numpy().tobytes())


def _copies(kind, other):
    x = torch.empty(40, 41, dtype=kind).zero_()
    large = torch.empty(LARGE, LARGE, dtype=kind).zero_()
    x.to(other), x.type(other), torch.empty(41, 40, dtype=other).t().copy_(x), large.to(other), large.t().to(other)
    torch.empty(40, 41, dtype=other).copy_(x), torch.empty(40, 41, dtype=other).copy_(x, non_blocking=True)
    torch.empty(40, 41, dtype=other).copy_(x[0]), large[:, ::2].to(other), x[0, 0].to(other), x[:0].to(other)
    torch.empty(40, dtype=other).fill_(x[0, 0])


def _parameters():
    weight = nn.Parameter(torch.ones(4, 4))
    other = nn.Parameter(torch.zeros(4, 4), requires_grad=False)
    with torch.no_grad():
        weight.copy_(other), weight.zero_(), weight.fill_(1), weight.data.copy_(other), weight[0].copy_(other[1])
        weight.t().contiguous(), torch.cat([weight, other])
    weight.data = torch.zeros(4, 4)
    with torch.inference_mode():
        torch.zeros(3).clone(), weight.detach().contiguous()
    with torch.enable_grad():
        weight.view(16).detach(), weight.contiguous(), weight.to(torch.float16), weight.clone()
    weight.requires_grad_(False), torch.zeros(2, requires_grad=True).detach(), copy.deepcopy(weight), weight.share_memory_()


def _modules():
    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(4, 4))
            self.register_buffer("mean", torch.zeros(3))
            self.register_buffer("count", torch.tensor(0))

        def forward(self, x):
            return x

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.many, self.all = Inner(), nn.ModuleList([Inner()]), nn.ModuleDict({"a": Inner()})
            self.list, self.names = nn.ParameterList([nn.Parameter(torch.zeros(2))]), nn.ParameterDict({"b": nn.Parameter(torch.zeros(2))})
            self.nothing, self.out, self.flat = nn.Identity(), nn.Dropout(0.5), nn.Flatten()

        def forward(self, x):
            return self.flat(self.nothing(self.one(x)))

    model = Outer().eval()
    state = {name: torch.ones_like(value) for name, value in model.state_dict().items()}
    model.load_state_dict(state), model.load_state_dict(state, strict=False), model(torch.zeros(3, 3)), list(model.parameters())
    model.to("cpu"), model.half(), model.double(), model.float(), model.to(torch.bfloat16), model.train(), model.requires_grad_(False)
    copy.deepcopy(model), list(model.named_buffers()), list(model.named_modules()), model.zero_grad(), nn.Sequential(nn.Identity())(torch.zeros(1)), repr(model)
    with torch.no_grad():
        model(torch.zeros(2, 3))


def _shapes():
    x = torch.zeros(4, 5, 6)
    torch.broadcast_tensors(x, x[0]), torch.broadcast_shapes((1, 2), (3, 1)), torch.result_type(x, 1), torch.promote_types(torch.int8, torch.float16)
    torch.atleast_2d(x[0, 0]), torch.movedim(x, 0, 2), torch.unbind(x), torch.split(x, [1, 3]), torch.squeeze(x[:1]), torch.flatten(x, 1)
    torch.empty((), dtype=torch.int64), torch.Size([1, 2]).numel(), torch.finfo(torch.float16), torch.iinfo(torch.int8), torch.is_tensor(x)
    for dims in range(1, 6):
        shape = tuple(range(2, 2 + dims))
        for kind in (torch.float32, torch.int64, torch.float16, torch.bfloat16):
            y = torch.zeros(shape, dtype=kind)
            y.permute(*reversed(range(dims))).contiguous(), y.permute(*reversed(range(dims))).clone(), y.new_zeros(shape).copy_(y), torch.cat([y, y], dims - 1)


def _layouts():
    """The same of every layout that slices, turns and repeats make."""
    for kind in (torch.float32, torch.int64, torch.float16, torch.bool):
        whole = torch.zeros(8, 6, 4, dtype=kind)
        for x in (whole, whole.transpose(0, 2), whole[::2], whole[:, :1], whole[..., 0], whole[:, 0], whole[0], whole[:, :, 1:3],
                  whole[:1].expand(5, 6, 4), whole[:0], whole[0, 0, 0], whole[None], whole[:, ::3, None]):
            x.reshape(-1), x.flatten(), x.ravel(), x.contiguous(), x.clone(), x.unsqueeze(0), x.squeeze(), x[..., None], x[None], x.detach(), x.to(torch.float32)
            x.expand(2, *x.shape).contiguous(), x.expand_as(x), x.view_as(x), x.reshape(x.shape), x.new_empty(x.shape).copy_(x), torch.empty_like(x).copy_(x), torch.zeros_like(x)
            torch.stack([x, x]), x.as_strided(x.shape, x.stride()), x.permute(tuple(reversed(range(x.dim())))).reshape(-1), x.permute(tuple(reversed(range(x.dim())))).contiguous()
            x.reshape(1, -1) if x.numel() else None, x.tolist(), copy.deepcopy(x), x.data.reshape(-1), x.cpu().numpy()
            if x.dim():
                torch.cat([x, x]), x.narrow(0, 0, x.shape[0]), x.split(1), x.unbind(0), x.chunk(2), x.transpose(0, -1), x.swapdims(0, -1), x.movedim(0, -1), list(x)
                x.transpose(0, -1).reshape(-1), x.clone().fill_(1), x.flatten(0), x.unflatten(0, (1, -1)) if x.numel() else None, x[:1], x[-1:] if x.numel() else None


def _errors():
    """What goes wrong in an honest text has to be said in torch's words."""
    x = torch.zeros(4, 5)
    for wrong in (
        lambda: x.view(3), lambda: torch.empty(-1), lambda: torch.cat([x, x[0]]), lambda: x.copy_(torch.zeros(3)), lambda: x[9], lambda: x.item(),
        lambda: x.expand(3, 3), lambda: x.permute(0), lambda: x.squeeze(7), lambda: torch.zeros(2).to("nowhere"), lambda: x.narrow(0, 3, 9),
        lambda: x.as_strided((9, 9), (9, 9)), lambda: torch.full((2,), 1e300, dtype=torch.int8), lambda: x.numpy().view("f8")[0, 0, 0],
        lambda: nn.Linear(2, 2, device="meta").load_state_dict({}), lambda: torch.stack([x, x[0]]), lambda: torch.zeros(2, dtype="x"),
        lambda: torch.ops.aten.nothing(x), lambda: x.unflatten(0, (3, 3)), lambda: x.t().view(-1), lambda: torch.frombuffer(bytearray(3), dtype=torch.float32),
        lambda: torch.zeros(2, requires_grad=True).numpy(), lambda: torch.zeros(2, requires_grad=True).fill_(1),
    ):
        try:
            wrong()
        except (RuntimeError, ValueError, IndexError, TypeError, AttributeError, NotImplementedError):
            pass


def _products():
    """BLAS as torch's library exports it: a candidate's own sources may call its products."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"))
    one, size = ctypes.c_int(1), ctypes.c_int
    for prefix, kind, number in (("s", torch.float32, ctypes.c_float), ("d", torch.float64, ctypes.c_double)):
        if not hasattr(library, prefix + "gemm_"):
            return
        for m, n, k in ((4, 4, 4), (1, 64, 64), (64, 1, 64), (64, 64, 64), (200, 300, 400), (1000, 16, 1000), (16, 1000, 64)):
            for across, down in ((b"N", b"N"), (b"T", b"N"), (b"N", b"T"), (b"T", b"T")):
                for beta in (0, 1, 2):
                    a, b, c = (torch.empty(*shape, dtype=kind).fill_(1) for shape in ((m, k), (k, n), (m, n)))
                    ref = ctypes.byref
                    getattr(library, prefix + "gemm_")(
                        ctypes.c_char_p(across), ctypes.c_char_p(down), ref(size(m)), ref(size(n)), ref(size(k)), ref(number(1)),
                        ctypes.c_void_p(a.data_ptr()), ref(size(k if across == b"T" else m)), ctypes.c_void_p(b.data_ptr()),
                        ref(size(n if down == b"T" else k)), ref(number(beta)), ctypes.c_void_p(c.data_ptr()), ref(size(m)))
            x, y = torch.empty(max(m, n), dtype=kind).fill_(1), torch.empty(max(m, n), dtype=kind).fill_(1)
            for across in (b"N", b"T"):
                getattr(library, prefix + "gemv_")(
                    ctypes.c_char_p(across), ctypes.byref(size(m)), ctypes.byref(size(n)), ctypes.byref(number(1)), ctypes.c_void_p(c.data_ptr()),
                    ctypes.byref(size(m)), ctypes.c_void_p(x.data_ptr()), ctypes.byref(one), ctypes.byref(number(0)), ctypes.c_void_p(y.data_ptr()), ctypes.byref(one))
            getattr(library, prefix + "dot_")(ctypes.byref(size(m)), ctypes.c_void_p(x.data_ptr()), ctypes.byref(one), ctypes.c_void_p(y.data_ptr()), ctypes.byref(one))


def _buffers():
    memory = bytearray(4096)
    torch.frombuffer(memory, dtype=torch.uint8).view(torch.float32).fill_(1), torch.frombuffer(memory, dtype=torch.float64, count=3, offset=8).clone()
    x = torch.zeros(8)
    torch.from_dlpack(x), torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x)), x.untyped_storage().nbytes(), x.untyped_storage().resize_(64)
    memoryview(x.numpy()), torch.empty(0).set_(x), torch.tensor(x.numpy()), torch.asarray(x.numpy()), torch.as_tensor(x.numpy())
    torch.ops.aten.alias(x), torch.ops.aten.detach(x), torch.ops.aten.lift_fresh(x), torch.ops.aten._unsafe_view(x, [2, 4]), torch.ops.aten._reshape_alias(x, [2, 4], [4, 1])
    # How the judge itself puts back what a reference's forward changes.
    torch._foreach_copy_([x, torch.zeros(3, 2)], [torch.ones(8), torch.ones(3, 2)]), torch._foreach_copy_([x], [torch.ones(8, dtype=torch.int64)])


def _facts():
    torch.get_num_threads(), torch.set_num_threads(torch.get_num_threads()), torch.manual_seed(1), torch.get_default_dtype(), torch.is_grad_enabled()
    torch.set_grad_enabled(True), torch.cuda.is_available(), torch.backends.mkldnn.is_available(), torch.get_rng_state(), torch.initial_seed()
    torch.__config__.show(), torch.backends.cpu.get_cpu_capability(), torch.default_generator.get_state(), torch.Generator().manual_seed(3)
    torch.set_rng_state(torch.get_rng_state())
    x, y = torch.zeros(2), torch.zeros(2, dtype=torch.int64)
    torch.result_type(x, y), torch.result_type(x, 1), torch.result_type(1, x), torch.result_type(1, 2.0), torch.can_cast(torch.int8, torch.float32)
    x.is_same_size(y), x.is_signed(), x.is_complex(), x.is_conj(), x.is_neg(), x.is_inference(), x.is_set_to(y), x.is_pinned(), x.size(0), x.stride(0)
    x.resolve_conj(), x.resolve_neg(), torch.is_floating_point(x), torch.is_complex(x), x.is_leaf, x.grad, x.dim(), x.ndim, x.nbytes, x.itemsize, x.dim_order()


class _Foreign:
    """Memory of somebody else's, as the worker shows the judge's to torch."""

    def __init__(self, tensor):
        self.__cuda_array_interface__ = {"shape": (tensor.nbytes,), "typestr": "|u1", "data": (tensor.data_ptr(), False), "version": 3}


def _card():
    """What there is on a card alone: streams, events, graphs, pinned memory, copies between two devices."""
    cuda = torch.cuda
    cuda.synchronize(), cuda.current_device(), cuda.device_count(), cuda.get_device_properties(0), cuda.get_device_capability(), cuda.mem_get_info()
    cuda.get_device_name(), cuda.memory_allocated(), cuda.empty_cache(), cuda.current_stream().cuda_stream, cuda.is_current_stream_capturing()
    for kind in ALL:
        x = torch.empty(70, 30, dtype=kind).zero_()
        y = x.cpu()
        x.copy_(y), y.copy_(x), y.to("cuda"), x.t().cpu(), x[::2, 1:].cpu(), y.t().cuda(), x.cpu().tolist(), torch.tensor([1, 0], dtype=kind, device="cuda")
        pinned = y.pin_memory()
        pinned.is_pinned(), x.copy_(pinned, non_blocking=True), pinned.copy_(x, non_blocking=True), y.to("cuda", non_blocking=True)
        torch.empty(9, dtype=kind, device="cpu", pin_memory=True), x.to("cpu", torch.float32), y.to("cuda", torch.float64), x.record_stream(cuda.current_stream())
    torch.as_tensor(_Foreign(x), device="cuda").clone()
    stream, begin, end = cuda.Stream(), cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
    stream.wait_stream(cuda.current_stream())
    with cuda.stream(stream):
        begin.record(), x.zero_(), torch.cat([x, x]), end.record()
    cuda.current_stream().wait_stream(stream), end.synchronize(), begin.elapsed_time(end), stream.query(), end.query(), stream.synchronize()
    graph, kept = cuda.CUDAGraph(), torch.zeros(64, 64)
    with cuda.graph(graph):
        made = kept.clone()
        made.fill_(1), made[:3].zero_(), torch.stack([made, kept]), made.t().contiguous()
    graph.replay(), cuda.synchronize()
    model = nn.Sequential(nn.Identity(), nn.Flatten())
    model.to("cuda"), model.cuda(), model.cpu(), nn.Parameter(torch.ones(3)).to("cuda"), copy.deepcopy(x)
    with cuda.device(0):
        torch.zeros(3)


# What no candidate may find in its process. Of the first list none may survive; of the second it is written down.
FORBIDDEN = """
x+x; x*2; x-x; x/x; 2-x; x*x; -x; x.neg_(); x.add_(x); x.mul_(x); x.div_(2); x.pow(2); x**0.5; x.exp(); x.log(); x.sqrt(); x.rsqrt(); x.sin(); x.tanh(); x.abs(); x.sign()
x.sigmoid(); x.erf(); x.floor(); x.round(); x.clamp(0,1); x.reciprocal(); x.lerp(x,0.5); x.addcmul(x,x); x.addcdiv(x,x); x.square(); x.maximum(x); x.minimum(x); x.fmod(2)
x@x; torch.mm(x,x); torch.bmm(c[0],c[0]); torch.addmm(x,x,x); torch.baddbmm(c[0],c[0],c[0]); torch.mv(x,x[0]); torch.dot(x[0],x[0]); torch.outer(x[0],x[0]); d@d; i@i; h@h; f@f
torch.einsum('ij,jk->ik',x,x); F.linear(x,x); F.linear(x,x,x[0]); F.bilinear(x,x,c.new_zeros(3,64,64)); torch.addmv(x[0],x,x[0]); torch.addr(x,x[0],x[0]); torch.chain_matmul(x,x)
x.sum(); x.sum(0); x.sum(1); x.mean(); x.mean(1); x.prod(); x.max(); x.max(1); x.min(); x.amax(1); x.argmax(1); x.norm(); x.var(1); x.std(); x.any(); x.all(); x.logsumexp(1)
x.cumsum(0); x.cumprod(1); x.sort(); x.topk(3); x.argsort(); x.median(); x.kthvalue(3); torch.unique(i); torch.bincount(i[0]); torch.histc(x); i.sum(); b.any(); b&b; b.sum()
torch.softmax(x,-1); torch.log_softmax(x,1); F.softmin(x,1); F.layer_norm(x,(64,)); F.group_norm(c,2); F.batch_norm(c,torch.zeros(8),torch.ones(8)); F.instance_norm(c); F.rms_norm(x,(64,))
torch.relu(x); x.relu_(); F.gelu(x); F.silu(x); F.elu(x); F.leaky_relu(x); F.softplus(x); F.hardtanh(x); F.hardswish(x); F.mish(x); F.selu(x); F.prelu(x,x[0,:1]); F.glu(x); F.logsigmoid(x)
F.conv1d(c[:,:,0],w[:,:,0]); F.conv2d(c,w); F.conv2d(c,w,padding=1); F.conv3d(c[:,:,None],w[:,:,None]); F.conv_transpose2d(c,w); F.unfold(c,3); F.fold(torch.zeros(1,9,4),(4,4),3)
F.max_pool2d(c,2); F.avg_pool2d(c,2); F.adaptive_avg_pool2d(c,1); F.max_pool1d(c[0],2); F.avg_pool3d(c[:,:,None],1); F.adaptive_max_pool2d(c,2); F.lp_pool2d(c,2,2)
F.scaled_dot_product_attention(c,c,c); F.multi_head_attention_forward(c[0],c[0],c[0],16,2,torch.zeros(48,16),torch.zeros(48),None,None,False,0.0,torch.zeros(16,16),torch.zeros(16))
F.cross_entropy(x,i[0]); F.mse_loss(x,x); F.l1_loss(x,x); F.smooth_l1_loss(x,x); F.kl_div(x,x); F.nll_loss(x,i[0]); F.cosine_similarity(x,x); F.normalize(x); torch.cdist(x,x); F.huber_loss(x,x)
x.gather(0,i); x.scatter(0,i,x); x.scatter_add(0,i,x); x.index_add(0,i[0],x); F.embedding(i,x); x.where(b,x); torch.where(b,x,x); x.masked_fill(b,1); x.tril(); x.triu(); x.take(i)
x<x; x==x; x>0; b.logical_not(); ~b; x.isnan(); x.isfinite(); torch.equal(x,x.clone()); torch.allclose(x,x); torch.searchsorted(x[0].contiguous(),x); x.nonzero(); x[b]; i+i; i//2; i%3; i<<1
h+h; h*2; f+f; d+d; h.sum(); f.exp(); torch._foreach_add([x],[x]); torch._foreach_mul([x],2); x.addcmul_(x,x); torch.ops.aten.add.Tensor(x,x); torch._C._nn.gelu(x); torch.ops.aten.mm(x,x)
torch.fft.fft(x); torch.fft.rfft(x); torch.linalg.inv(e); torch.linalg.cholesky(e); torch.linalg.qr(x); torch.linalg.svd(x); torch.linalg.solve(e,x); torch.linalg.eigh(x); torch.linalg.vector_norm(x); torch.linalg.det(x)
torch.randn(3); torch.rand(3); torch.randperm(9); x.uniform_(); x.normal_(); torch.randint(9,(3,)); F.dropout(x,0.5); torch.bernoulli(x); torch.multinomial(torch.ones(4),2); torch.linspace(0,1,5)
nn.LSTM(4,4); nn.Linear(3,4); torch.quantize_per_tensor(x,1.0,0,torch.qint8); F.interpolate(c,scale_factor=2); F.interpolate(c,scale_factor=2,mode='bilinear'); F.grid_sample(c,torch.zeros(2,4,4,2)); x.cummax(0)
torch.complex(x,x); z+z; z@z; z.abs(); torch.polar(x,x); torch.view_as_real(z)*2; x.logaddexp(x); x.hypot(x); x.atan2(x); torch.special.erfinv(x); torch.lgamma(x); x.sinc(); torch.trapezoid(x); torch.diff(x)
torch.lstm_cell(x,(x,x),torch.zeros(256,64),torch.zeros(256,64)); torch.gru_cell(x,x,torch.zeros(192,64),torch.zeros(192,64)); torch.kron(x,x); torch.cross(x[:,:3],x[:,:3],dim=1); x.trace(); x.logcumsumexp(0)
"""
NOTED = """
x.repeat(2,2); x.flip(0); x.roll(1,0); x[i]; x.index_select(0,i[0]); x.index_put_((i[0],),x[:1]); x.repeat_interleave(2); x.isinf(); torch.eye(3); torch.tril_indices(3,3)
F.one_hot(i); F.pixel_shuffle(c,2); F.channel_shuffle(c,2); torch.meshgrid(x[0],x[0]); torch.combinations(x[0]); torch.cartesian_prod(x[0],x[0]); repr(x); torch.nan_to_num(x); x.count_nonzero()
torch.sparse.mm(x.to_sparse(),x); x.to_sparse(); torch.ops.mkldnn._linear_pointwise(x,x,None,'relu',[],''); x.to_mkldnn(); torch.ops.aten._softmax(x,1,False); torch.bucketize(x,x[0])
"""


def calls(table):
    return [call.strip() for call in table.replace("\n", ";").split(";") if call.strip()]


def _numpy():
    """Beside this file, which a candidate's own folders are not."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    try:
        import rehearsal_numpy
    finally:
        del sys.path[0]
    return rehearsal_numpy


def _values():
    x, c = torch.zeros(64, 64), torch.zeros(2, 8, 16, 16)
    i, e = torch.zeros(64, 64, dtype=torch.int64), torch.zeros(64, 64)
    e.as_strided((64,), (65,)).fill_(1)
    return dict(torch=torch, nn=nn, F=F, x=x, i=i, e=e, b=x.to(torch.bool), h=x.to(torch.bfloat16), f=x.to(torch.float16), d=x.to(torch.float64), c=c,
                w=torch.zeros(8, 8, 3, 3), z=x.to(torch.complex64))


def on(device):
    global DEVICE
    DEVICE = device
    torch.set_default_device(device)


def run(*devices):
    """What raised, and in which words."""
    raised = {}
    for device in ("cpu", *devices):
        on("cpu" if device == "numpy" else device)
        for name, call in _numpy().allowed() if device == "numpy" else allowed():
            try:
                call()
            except Exception as problem:
                raised[f"{name} {device}"] = f"{type(problem).__name__}: {problem}"[:200]
    return {"raised": raised}


def _started(call):
    """A process that makes this call: its number, and where it says what was raised."""
    listen, say = os.pipe()
    child = os.fork()
    if child == 0:
        words = b""
        try:
            call()
        except BaseException as problem:
            words = f"{type(problem).__name__}: {problem}"[:200].encode()
        os.write(say, words)
        os._exit(0)
    os.close(say)
    return child, listen


def _end(child, listen):
    """How it ended: lived, trapped, or in words."""
    words = os.read(listen, 1000).decode(errors="replace")
    os.close(listen)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return "trapped" if os.WTERMSIG(status) == signal.SIGILL else f"signal {os.WTERMSIG(status)}"
    return words or "lived"


def _ends(named_calls):
    """By name; some at a time, for half of each is the parent's work."""
    ends, at_work = {}, []
    for name, call in named_calls:
        at_work.append((name, *_started(call)))
        if len(at_work) > (os.cpu_count() or 1):
            name, *started = at_work.pop(0)
            ends[name] = _end(*started)
    return ends | {name: _end(*started) for name, *started in at_work}


def _all_allowed(*devices):
    if raised := run(*devices)["raised"]:
        raise RuntimeError(str(raised))


def _computed(call, device):
    """In a process of its own: on a card no two may share what begins with the first call."""
    if device == "numpy":
        eval(call, _numpy().values())
        return
    on(device)
    eval(call, _values())
    if device == "cuda":
        torch.cuda.synchronize()


def ask(*devices):
    ends = _ends([("all", functools.partial(_all_allowed, *devices))])
    by_name = [*allowed(), *(_numpy().allowed() if "numpy" in devices else ())]
    answer = {"allowed": ends if ends["all"] == "lived" or "cuda" in devices else _ends(by_name)}
    for key in ("forbidden", "noted"):
        answer[key] = {}
        for device in ("cpu", *devices):
            table = getattr(_numpy() if device == "numpy" else sys.modules[__name__], key.upper())
            tried = _ends((call, functools.partial(_computed, call, device)) for call in calls(table))
            answer[key] |= {f"{call} {device}": end for call, end in tried.items()}
    return answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps({"run": run, "ask": ask, "import": dict}[sys.argv[1]](*sys.argv[2:])), flush=True)
