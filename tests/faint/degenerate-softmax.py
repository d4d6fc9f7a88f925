# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean of a softmax: degenerate, whatever the parameters."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, inner, wide):
        super().__init__()
        self.first = nn.Linear(inner, wide)

    def forward(self, x):
        return torch.softmax(self.first(x), dim=-1).mean(dim=-1)


def get_inputs():
    return [torch.rand(64, 128)]


def get_init_inputs():
    return [128, 512]
