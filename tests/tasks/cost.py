# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task would cost eager PyTorch on an H200, estimated: no GPU is asked, tensors are on the meta device.

Each operator takes the longer of its bytes and its FLOPs, and 5 us more. The rates are those of an ordinary eager
kernel, not of a perfect one. Convolutions in float are faster than products: cuDNN may use TF32 as PyTorch comes,
cuBLAS may not. A cuDNN recurrence takes 11 us for a step of a layer in a direction.
"""

import math
import weakref

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

BYTES_PER_SECOND = 4.0e12
FLOAT_PER_SECOND = 50e12
FLOAT_CONVOLUTION_PER_SECOND = 100e12
HALF_PER_SECOND = 600e12
LAUNCH_SECONDS = 5e-6
RECURRENT_STEP_SECONDS = 11e-6

MATRIX = ("mm", "addmm", "bmm", "baddbmm", "convolution", "attention", "lstm", "gru", "rnn_tanh", "rnn_relu")
LOOKUPS = ("embedding", "_embedding_bag", "_embedding_bag_forward_only", "index", "gather", "index_select", "take")
UNCHARGED = ("empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "detach", "_unsafe_view",
             "lift_fresh", "alias", "_reshape_alias", "unsafe_split")
SHAPED = ("expand", "zeros", "ones", "full", "new_zeros", "new_ones", "new_full", "arange", "native_layer_norm",
          "native_group_norm", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "adaptive_max_pool2d", "roll",
          "upsample_bilinear2d", "upsample_nearest2d", "im2col", "linspace", "repeat", "tril", "triu",
          "scalar_tensor", "native_channel_shuffle", "pixel_shuffle")


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)


def bytes_of(tensor):
    """Of the elements that exist: an expanded dimension is read from the cache."""
    return math.prod(s for s, stride in zip(tensor.shape, tensor.stride()) if stride) * tensor.dtype.itemsize


class Cost:
    """Sums over the operators of one forward."""

    def __init__(self):
        self.seconds = self.flops = self.traffic = 0.0
        self.operators, self.peak, self.live = 0, 0, 0
        self.matrix_seconds = 0.0
        self.signature = {}  # what it does, in order of first appearance, without its shapes

    def add(self, name, read, written, flops, dtype, what, launch=LAUNCH_SECONDS):
        moved = sum(map(bytes_of, read)) + sum(map(bytes_of, written))
        if name in LOOKUPS:
            moved = 2 * sum(map(bytes_of, written)) + sum(bytes_of(t) for t in read if not t.is_floating_point())
        rate = HALF_PER_SECOND if dtype in (torch.bfloat16, torch.float16) else (
            FLOAT_CONVOLUTION_PER_SECOND if name == "convolution" else FLOAT_PER_SECOND)
        seconds = max(moved / BYTES_PER_SECOND, flops / rate) + launch
        self.seconds += seconds
        self.matrix_seconds += seconds if name in MATRIX else 0.0
        self.flops += flops
        self.traffic += moved
        self.operators += 1
        self.signature.setdefault((name, *what))


def signed(name, value):
    """An argument without sizes: ranks, dtypes, dimensions, strides and flags stay."""
    if isinstance(value, torch.Tensor):
        return (value.dim(), str(value.dtype))
    if isinstance(value, (list, tuple)):
        return None if name in SHAPED else tuple(signed(name, item) for item in value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return None if name in SHAPED else value
    return None


def signed_arguments(name, arguments, options):
    if name == "convolution":
        weight, groups = arguments[1], arguments[8]
        kind = "whole" if groups == 1 else "depthwise" if weight.shape[1] == 1 else "grouped"
        return (*(signed(name, value) for value in arguments[:8]), kind)
    return tuple(signed(name, value) for value in (*arguments, *options.values()))


class OperatorWatch(TorchDispatchMode):
    def __init__(self, cost):
        super().__init__()
        self.cost, self.holders = cost, {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = function(*args, **kwargs)
        name = function._overloadpacket.__name__
        written = list(tensors_in(out))
        for tensor in written:
            self.hold(tensor)
        if function.is_view or name in UNCHARGED:
            return out
        count = flop_registry.get(function._overloadpacket)
        flops = count(*args, **kwargs, out_val=out) if count else 0
        read = list(tensors_in((args, kwargs)))
        dtype = next((t.dtype for t in read if t.is_floating_point()), None)
        self.cost.add(name, read, written, flops, dtype, signed_arguments(name, args, kwargs))
        return out

    def hold(self, tensor):
        """Counts storage that lives, for the peak: views hold it too."""
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if self.holders.get(key, 0) == 0:
            self.cost.live += size
            self.cost.peak = max(self.cost.peak, self.cost.live)
        self.holders[key] = self.holders.get(key, 0) + 1
        weakref.finalize(tensor, self.let_go, key, size)

    def let_go(self, key, size):
        self.holders[key] -= 1
        if self.holders[key] == 0:
            self.cost.live -= size


class LibraryWatch(TorchFunctionMode):
    """What CUDA does in one call of a library, and the meta device in many operators."""

    RECURRENT = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}

    def __init__(self, cost):
        super().__init__()
        self.cost = cost

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if name in self.RECURRENT and len(args) == 9:
            return self.recurrence(name, *args)
        if name == "scaled_dot_product_attention":
            return self.attention(*args, **kwargs)
        return function(*args, **kwargs)

    def attention(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                  enable_gqa=False):
        out = torch.empty(*query.shape[:-1], value.shape[-1], device=query.device, dtype=query.dtype)
        flops = 2 * out.numel() // out.shape[-1] * key.shape[-2] * (query.shape[-1] + value.shape[-1])
        if query.dtype == torch.float64:
            # No library's attention takes double: PyTorch writes all scores down, about three times over.
            scores = 3 * 8 * query.numel() // query.shape[-1] * key.shape[-2]
            self.cost.peak = max(self.cost.peak, self.cost.live + scores)
        read = [query, key, value] + ([attn_mask] if attn_mask is not None else [])
        what = (query.dim(), attn_mask is not None, is_causal, enable_gqa, str(query.dtype))
        self.cost.add("attention", read, [out], flops / (2 if is_causal else 1), query.dtype, what)
        return out

    def recurrence(self, name, x, state, weights, has_biases, layers, dropout, train, bidirectional, batch_first):
        directions = 2 if bidirectional else 1
        first = state[0] if name == "lstm" else state
        steps, batch = (x.shape[1], x.shape[0]) if batch_first else (x.shape[0], x.shape[1])
        width = first.shape[-1] * directions
        sizes = (batch, steps, width) if batch_first else (steps, batch, width)
        out = torch.empty(sizes, device=x.device, dtype=x.dtype)
        flops = 2 * steps * batch * sum(w.numel() for w in weights if w.dim() == 2)
        what = (layers, has_biases, bidirectional, batch_first, len(weights), str(x.dtype))
        launch = RECURRENT_STEP_SECONDS * steps * layers * directions
        self.cost.add(name, [x, *weights], [out], flops, x.dtype, what, launch)
        states = [torch.empty_like(item) for item in (state if name == "lstm" else (state,))]
        return (out, *states)


def doubled(value):
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def estimate(module, is_double=False):
    """The cost of one forward of a task's module at full size. Nothing is computed: all tensors are on meta.
    In double it is the judge's oracle, for the sake of its memory."""
    cost = Cost()
    with torch.device("meta"), torch.no_grad():
        model = module.Model(*module.get_init_inputs()).eval()
        inputs = module.get_inputs()
        if is_double:
            model, inputs = model.double(), [doubled(value) for value in inputs]
        held = list(model.parameters()) + list(model.buffers()) + list(tensors_in(inputs))
        cost.input_bytes = sum(map(bytes_of, tensors_in(inputs)))
        cost.state_bytes = sum(map(bytes_of, held)) - cost.input_bytes
        cost.live = cost.peak = cost.input_bytes + cost.state_bytes
        with OperatorWatch(cost), LibraryWatch(cost):
            out = model(*inputs)
        cost.dtypes = sorted({str(t.dtype).removeprefix("torch.") for t in held if t.is_floating_point()})
        cost.output_elements = sum(t.numel() for t in tensors_in(out))
    return cost
