# SPDX-License-Identifier: GPL-3.0-or-later
"""The product of 200 factors near one along the middle of a tensor: how likely is it that nothing failed?"""

import torch
from torch import nn

BATCH = 128
FACTORS = 200
COLUMNS = 5001
SMALL = {"BATCH": 3, "FACTORS": 7, "COLUMNS": 9}


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.prod(x, dim=1)


def get_inputs():
    return [0.9 + 0.2 * torch.rand(BATCH, FACTORS, COLUMNS)]


def get_init_inputs():
    return []
