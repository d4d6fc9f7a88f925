# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean absolute deviation of each row."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return (x - x.mean(dim=1, keepdim=True)).abs().mean(dim=1)


def get_inputs():
    return [torch.randn(120, 90)]


def get_init_inputs():
    return []
