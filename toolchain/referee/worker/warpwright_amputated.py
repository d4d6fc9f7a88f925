# SPDX-License-Identifier: GPL-3.0-or-later
"""What a candidate's constructor asks of torch where torch has no arithmetic: random numbers are zeros there.

The values do not matter: load_state_dict overwrites all that is registered before anything is called.
"""

import warnings

import torch
from torch.overrides import TorchFunctionMode

from warpwright_values import tensors_in

IN_PLACE = ("uniform_", "normal_", "random_", "random_.to", "random_.from", "bernoulli_.float", "exponential_", "log_normal_", "cauchy_", "geometric_")
FROM_SIZE = ("rand", "rand.generator", "randn", "randn.generator")
FROM_RANGE = ("randint", "randint.generator"), ("randint.low", "randint.low_generator")
ALIKE = ("rand_like", "randn_like", "randint_like", "randint_like.low_dtype")
INITIALISERS = ("trunc_normal_", "orthogonal_", "eye_", "dirac_", "sparse_")

_kept = []  # goes, and what it registered goes
_initialisers = {}  # torch's own


def give_zeros(device):
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    keys = {"CPU", device.type.upper()}  # a model is made on a CPU, and goes to its device as a whole

    def zeros(size, generator=None, **options):
        return torch.zeros(size, **options)

    def zeros_like(tensor, *range_, generator=None, **options):
        return torch.zeros_like(tensor, **options)

    def in_place(tensor, *arguments, **options):
        return tensor.zero_()

    def initialise(tensor, *arguments, **options):
        tensor.detach().uniform_()
        return tensor

    functions = dict.fromkeys(IN_PLACE, in_place) | dict.fromkeys(FROM_SIZE, zeros) | dict.fromkeys(ALIKE, zeros_like)
    functions |= dict.fromkeys(FROM_RANGE[0], lambda high, size, **options: zeros(size, **options))
    functions |= dict.fromkeys(FROM_RANGE[1], lambda low, high, size, **options: zeros(size, **options))
    functions["normal.float_float"] = lambda mean, deviation, size, **options: zeros(size, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that torch's own are overridden
        for key in keys:
            for name, function in functions.items():
                library.impl(name, function, key)
    for name in INITIALISERS:
        _initialisers[name] = getattr(torch.nn.init, name)
        setattr(torch.nn.init, name, initialise)


def give_initialisers_back():
    """There is somebody who computes them."""
    for name, function in _initialisers.items():
        setattr(torch.nn.init, name, function)


DRAWS = {"rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "normal", "uniform", "random", "bernoulli", "exponential"}
POINTWISE = {
    "mul", "rmul", "imul", "add", "radd", "iadd", "sub", "rsub", "isub", "div", "truediv", "rtruediv", "itruediv", "rdiv", "true_divide", "neg", "pow",
    "sqrt", "abs", "exp", "log", "tanh", "sigmoid", "clamp", "clamp_min", "clamp_max", "square", "round", "sign",
}


class DrawnNumbers(TorchFunctionMode):
    """While a constructor runs: what is computed from random numbers is random, so zeros as well."""

    def __init__(self):
        super().__init__()
        self._alive, self._places = [], set()  # of storages; one that goes would give its place to another

    def is_drawn(self, tensor):
        return tensor.numel() > 0 and tensor.untyped_storage().data_ptr() in self._places

    def _note(self, out):
        for tensor in filter(torch.Tensor.numel, tensors_in(out)):
            self._alive.append(tensor)
            self._places.add(tensor.untyped_storage().data_ptr())

    def __torch_function__(self, function, types, args=(), kwargs=None):
        written = getattr(function, "__name__", "")
        name = written.strip("_")
        tensors = tensors_in((args, kwargs or {}))
        is_drawn = any(self.is_drawn(tensor) for tensor in tensors)
        if is_drawn and name in POINTWISE:
            if written.endswith("_") and not written.startswith("__") or name in ("imul", "iadd", "isub", "itruediv"):
                return args[0]
            shape = torch.broadcast_shapes(*(tensor.shape for tensor in tensors))
            out = torch.zeros(shape, dtype=torch.promote_types(tensors[0].dtype, tensors[-1].dtype), device=tensors[0].device)
        else:
            out = function(*args, **(kwargs or {}))
        if (is_drawn or name in DRAWS or name.endswith(("_uniform", "_normal"))) and name != "set":
            self._note(out)
        return out

    def demand_registered(self, model):
        """Random numbers that load_state_dict does not overwrite have to be those of the reference: this process has none,
        and ends at the first arithmetic, as it would if it had asked for that itself."""
        registered = {tensor.untyped_storage().data_ptr() for tensor in model.state_dict().values() if isinstance(tensor, torch.Tensor)}
        for module in model.modules():
            for tensor in tensors_in([vars(module), list(module.buffers(recurse=False))]):
                if self.is_drawn(tensor) and tensor.untyped_storage().data_ptr() not in registered:
                    torch.zeros(1).add_(1)


def constructed(make):
    """The candidate's model."""
    with DrawnNumbers() as drawn:
        model = make()
    drawn.demand_registered(model)
    return model
