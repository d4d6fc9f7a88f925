# SPDX-License-Identifier: GPL-3.0-or-later
"""The gradient of a layer's weights: a transposed tall matrix times another, few results, a very long inner
dimension.
"""

import torch
from torch import nn

SAMPLES = 100_003
WIDTH = 512
OUTPUTS = 384
SMALL = {"SAMPLES": 33, "WIDTH": 9, "OUTPUTS": 7}


class Model(nn.Module):
    def forward(self, x: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
        return gradient.t() @ x


def get_inputs():
    return [torch.randn(SAMPLES, WIDTH), torch.randn(SAMPLES, OUTPUTS)]


def get_init_inputs():
    return []
