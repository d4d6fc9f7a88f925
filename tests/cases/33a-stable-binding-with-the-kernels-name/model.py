# SPDX-License-Identifier: GPL-3.0-or-later
"""Scales each row by its own number."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x, scale):
        return x * scale[:, None]


def get_inputs():
    return [torch.randn(200, 100), torch.randn(200)]


def get_init_inputs():
    return []
