# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reference must compute and move at least: FLOPs by operator, bytes of what it touches.

One forward pass is watched below autograd, where composite operators are already taken apart.
FLOPs: matrix products, convolutions and attention as torch.utils.flop_counter counts them (a multiply-add is two),
recurrent layers that a library takes whole by what their weights multiply;
every pointwise operator one per output element; reductions one per input element; softmax 5 and norms 7 per element.
Bytes: elements of inputs, parameters and buffers that some operator reads, once each, and the outputs once.
A slice counts as the slice, a lookup (embedding, gather, index) as what it picks.
"""

import sys

import torch
from torch.utils.flop_counter import flop_registry
from warpwright_modes import dispatch_mode
from warpwright_values import tensors_in, with_fields

LOOKUPS = {"embedding", "gather", "index", "index_select", "take", "take_along_dim"}
PER_ELEMENT = {
    "_softmax": 5, "_log_softmax": 5, "native_layer_norm": 7, "native_group_norm": 7, "native_batch_norm": 7,
    "_native_batch_norm_legit": 7, "_native_batch_norm_legit_no_training": 7, "cudnn_batch_norm": 7, "_fused_rms_norm": 7,
}
METHOD = (
    "one watched forward pass: products, convolutions and attention by torch.utils.flop_counter, pointwise 1 per output "
    "element, reductions 1 per input element, softmax 5 and norms 7; bytes: inputs, parameters and buffers that are "
    "read, once, plus outputs"
)


ATTENTION = "_scaled_dot_product_"
RECURRENT = {"_cudnn_rnn", "mkldnn_rnn_layer"}
MATRIX_PRODUCTS = {"mm", "addmm", "bmm", "baddbmm"}
HALVES = (torch.float16, torch.bfloat16)


def attention_flops(query, key, value):
    """Both products; several heads of the query may share one of the keys, which torch's counter refuses."""
    batches_and_rows = query.numel() // query.shape[-1]
    return 2 * batches_and_rows * key.shape[-2] * (query.shape[-1] + value.shape[-1])


def recurrent_flops(rows, first, second, *others):
    """Each matrix of weights multiplies each row, whatever the layer and the direction: cuDNN has a list of them, oneDNN
    the two of one layer."""
    weights = sum(tensor.numel() for tensor in (first if isinstance(first, list) else [first, second]) if tensor.dim() == 2)
    return 2 * (rows.numel() // rows.shape[-1]) * weights


def storage_key(tensor):
    return tensor.untyped_storage().data_ptr()


class Watcher:
    """For dispatch_mode()."""

    def __init__(self, model, module_file, leaves):
        super().__init__()
        self.seeded = {}  # operators that draw random numbers: where the first call of each came from
        self._model, self._file = model, module_file
        self.matrix_flops = self.half_flops = self.other_flops = 0
        self.has_product = self.has_convolution = False
        self._known_flops = {}
        self.uncounted = set()  # products whose FLOPs nobody could tell
        self.operators = {}
        self._leaf_bytes = {storage_key(leaf): leaf.untyped_storage().nbytes() for leaf in leaves if leaf.numel()}
        self._touched = {}

    def touched_bytes(self):
        return sum(min(self._leaf_bytes[key], sum(parts.values())) for key, parts in self._touched.items())

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = function(*args, **kwargs)
        packet = function._overloadpacket
        name = packet.__name__
        if getattr(function, "is_view", False) or name in ("detach", "alias", "_unsafe_view"):
            return out
        self.operators[name] = self.operators.get(name, 0) + 1
        if torch.Tag.nondeterministic_seeded in function.tags and name not in self.seeded:
            self.seeded[name] = self._place()
        inputs, outputs = tensors_in((args, kwargs)), tensors_in(out)
        self._touch(name, inputs, outputs)
        if packet in flop_registry or name.startswith(ATTENTION) or name in RECURRENT:
            self._count_products(packet, name, args, kwargs, out)
            if "conv" in name:
                self.has_convolution = True
            else:
                self.has_product = True
        elif name in PER_ELEMENT:
            self.other_flops += PER_ELEMENT[name] * (inputs[0].numel() if inputs else 0)
        elif torch.Tag.pointwise in function.tags:
            self.other_flops += sum(tensor.numel() for tensor in outputs)
        elif inputs and outputs and sum(t.numel() for t in outputs) < inputs[0].numel() and name not in LOOKUPS:
            self.other_flops += inputs[0].numel()
        return out

    def _place(self):
        """The line of the reference's file that led here, and the innermost module."""
        line, module = None, None
        frame = sys._getframe(2)
        while frame is not None:
            if line is None and frame.f_code.co_filename == self._file:
                line = frame.f_lineno
            owner = frame.f_locals.get("self") if module is None and frame.f_code.co_name == "forward" else None
            module = owner if isinstance(owner, torch.nn.Module) else module
            frame = frame.f_back
        path = next((path for path, part in self._model.named_modules() if part is module), "")
        return {"line": line, "module": path, "type": type(module).__name__ if path else ""}

    def _count_products(self, packet, name, args, kwargs, out):
        try:
            if name.startswith(ATTENTION):
                flops = attention_flops(*args[:3])
            elif name in RECURRENT:
                flops = recurrent_flops(*args)
            else:
                flops = self._product_flops(packet, name, args, kwargs, out)
            self.matrix_flops += flops
            # The device's units for 16 bits do at least twice the work of those for TF32.
            if all(tensor.dtype in HALVES for tensor in tensors_in(args) if tensor.dtype.is_floating_point):
                self.half_flops += flops
        except Exception:  # a counter that does not know these shapes makes no reference unusable
            self.uncounted.add(name)

    def _product_flops(self, packet, name, args, kwargs, out):
        # A loop over time multiplies the same shapes ten thousand times, and torch's counter is slower than the product.
        key = (name, *[tensor.shape for tensor in tensors_in(args)]) if name in MATRIX_PRODUCTS else None
        if key is None or key not in self._known_flops:
            flops = int(flop_registry[packet](*args, **kwargs, out_val=out))
            if key is None:
                return flops
            self._known_flops[key] = flops
        return self._known_flops[key]

    def _touch(self, name, inputs, outputs):
        for position, tensor in enumerate(inputs):
            key = storage_key(tensor) if tensor.numel() else None
            if key not in self._leaf_bytes:
                continue
            count = tensor.numel()
            if any(stride == 0 for stride in tensor.stride()):  # expanded: the same element many times
                count = 1
                for size, stride in zip(tensor.shape, tensor.stride()):
                    count *= size if stride else 1
            if name in LOOKUPS and position == 0 and outputs:
                count = min(count, outputs[0].numel())
            part = (tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()))
            self._touched.setdefault(key, {})[part] = count * tensor.dtype.itemsize


def measure(model, arguments, module_file):
    """Runs the model once. Returns the facts, its output, and the places of the arguments' tensors that torch counts as
    written."""
    leaves = list(tensors_in(arguments)) + list(model.parameters()) + list(model.buffers())
    versions = [(tensor, tensor._version) for tensor in tensors_in(arguments)]
    with dispatch_mode(Watcher)(model, module_file, leaves) as watcher:
        out = with_fields(model(*arguments))
    output_bytes = sum(tensor.numel() * tensor.dtype.itemsize for tensor in tensors_in(out))
    parameters = list(model.parameters())
    facts = {
        "flops": watcher.matrix_flops + watcher.other_flops,
        "matrixFlops": watcher.matrix_flops,
        "halfMatrixFlops": watcher.half_flops,
        "bytes": watcher.touched_bytes() + output_bytes,
        "outputBytes": output_bytes,
        "method": METHOD + "".join(f"; FLOPs of {name} are not counted" for name in sorted(watcher.uncounted)),
        "operators": watcher.operators,
        "hasProduct": watcher.has_product,
        "hasConvolution": watcher.has_convolution,
        "aliasesInputs": any(
            tensor.layout == torch.strided and tensor.numel() and storage_key(tensor) in {storage_key(leaf) for leaf in leaves if leaf.numel()} for tensor in tensors_in(out)
        ),
        "seeded": watcher.seeded,
        "parameters": {
            "count": sum(parameter.numel() for parameter in parameters),
            "bytes": sum(parameter.numel() * parameter.dtype.itemsize for parameter in parameters),
        },
    }
    written = {place for place, (tensor, before) in enumerate(versions) if tensor._version != before}
    return facts, out, written
