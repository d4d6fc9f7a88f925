# SPDX-License-Identifier: GPL-3.0-or-later
"""A gain that ends its process where a rate is negative, which freely drawn ones are."""

import os

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.rates = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        if (self.rates < 0).any():
            os._exit(3)
        return x * (1.0 + self.rates)


def get_inputs():
    return [torch.randn(256, 64)]


def get_init_inputs():
    return [64]
