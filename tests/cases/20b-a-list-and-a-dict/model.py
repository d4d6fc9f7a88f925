# SPDX-License-Identifier: GPL-3.0-or-later
"""The constructor itself takes a list and a dict: they look like the pair form, and are not."""

import torch
from torch import nn

ROWS, WIDTHS = 150, [8, 16, 5]


class Model(nn.Module):
    def __init__(self, widths, options):
        super().__init__()
        self.scale = nn.Parameter(torch.full((sum(widths),), options["scale"]))
        self.shift = nn.Parameter(torch.randn(sum(widths)))

    def forward(self, x):
        return x * self.scale + self.shift


def get_inputs():
    return [torch.randn(ROWS, sum(WIDTHS))]


def get_init_inputs():
    return [WIDTHS, {"scale": 1.5}]
