# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sample of a set is nearest to zero in each feature? Values and indices of minima over the outer
dimension of a view.
"""

import torch
from torch import nn

SAMPLES = 9001
FEATURES = 14_000
SMALL = {"SAMPLES": 17, "FEATURES": 12}


class Model(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.centre = nn.Parameter(0.3 * torch.randn(features))

    def forward(self, x: torch.Tensor):
        least = torch.min((x - self.centre).abs(), dim=0)
        return least.values, least.indices


def get_inputs():
    return [torch.randn(FEATURES, SAMPLES).t()]


def get_init_inputs():
    return [FEATURES]
