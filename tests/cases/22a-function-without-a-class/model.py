# SPDX-License-Identifier: GPL-3.0-or-later
"""A function with its parameters as arguments, and no class around it."""

import torch
import torch.nn.functional as F

ROWS, WIDTH, OUT = 64, 48, 20


def forward_fn(x, weight, bias):
    return F.elu(F.linear(x, weight, bias))


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(OUT, WIDTH) * WIDTH**-0.5, torch.randn(OUT)]
