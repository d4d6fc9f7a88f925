# SPDX-License-Identifier: GPL-3.0-or-later
"""What a candidate's constructor asks of torch where torch has no arithmetic: random numbers are zeros there.

The values do not matter: load_state_dict overwrites all that is registered before anything is called.
"""

import warnings

import torch

IN_PLACE = ("uniform_", "normal_", "random_", "random_.to", "random_.from", "bernoulli_.float", "exponential_", "log_normal_", "cauchy_", "geometric_")
FROM_SIZE = ("rand", "rand.generator", "randn", "randn.generator")
FROM_RANGE = ("randint", "randint.generator"), ("randint.low", "randint.low_generator")
ALIKE = ("rand_like", "randn_like", "randint_like", "randint_like.low_dtype")
INITIALISERS = ("trunc_normal_", "orthogonal_", "eye_", "dirac_", "sparse_")

_kept = []  # goes, and what it registered goes


def give_zeros(device):
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    key = "CUDA" if device.type == "cuda" else "CPU"

    def zeros(size, generator=None, **options):
        return torch.zeros(size, **options)

    def zeros_like(tensor, *range_, generator=None, **options):
        return torch.zeros_like(tensor, **options)

    def in_place(tensor, *arguments, **options):
        return tensor.zero_()

    functions = dict.fromkeys(IN_PLACE, in_place) | dict.fromkeys(FROM_SIZE, zeros) | dict.fromkeys(ALIKE, zeros_like)
    functions |= dict.fromkeys(FROM_RANGE[0], lambda high, size, **options: zeros(size, **options))
    functions |= dict.fromkeys(FROM_RANGE[1], lambda low, high, size, **options: zeros(size, **options))
    functions["normal.float_float"] = lambda mean, deviation, size, **options: zeros(size, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that torch's own are overridden
        for name, function in functions.items():
            library.impl(name, function, key)
    for name in INITIALISERS:
        setattr(torch.nn.init, name, in_place)
