# SPDX-License-Identifier: GPL-3.0-or-later
"""The logarithm of a sum behind two large products."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, inner, wide):
        super().__init__()
        self.first = nn.Linear(inner, inner)
        self.second = nn.Linear(inner, wide)

    def forward(self, x):
        x = torch.sigmoid(self.first(x))
        return torch.logsumexp(self.second(x), dim=1)


def get_inputs():
    return [torch.rand(32, 512)]


def get_init_inputs():
    return [512, 2048]
