# SPDX-License-Identifier: GPL-3.0-or-later
"""A loss of probabilities: one that is none, or NaN, is an assert on the device."""

import torch
from torch import nn
from torch.nn import functional


class Model(nn.Module):
    def forward(self, p: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return functional.binary_cross_entropy(p, targets, reduction="none")


def get_inputs():
    return [torch.rand(512, 512), torch.rand(512, 512)]


def get_init_inputs():
    return []
