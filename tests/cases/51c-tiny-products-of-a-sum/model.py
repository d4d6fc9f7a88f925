# SPDX-License-Identifier: GPL-3.0-or-later
"""A product of tiny numbers."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(24, 64) * 1e-19)

    def forward(self, x):
        return x @ self.weight.t()


def get_inputs():
    return [torch.rand(40, 64) ** 6 * 1e-18]


def get_init_inputs():
    return []
