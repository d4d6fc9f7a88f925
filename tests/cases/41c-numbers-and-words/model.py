# SPDX-License-Identifier: GPL-3.0-or-later
"""Returns a tensor, a number, a string and None."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(32) + 0.5)

    def forward(self, x):
        y = x * self.gain + 1.0
        return y, float(x.shape[0]), "rows", None


def get_inputs():
    return [torch.randn(40, 32)]


def get_init_inputs():
    return []
