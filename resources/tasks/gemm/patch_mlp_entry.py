# SPDX-License-Identifier: GPL-3.0-or-later
"""The first half of a vision transformer's second branch: layer norm of each patch, the widening product, and the
exact GELU.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 40
PATCHES = 197
WIDTH = 1280
HIDDEN = 5120
SMALL = {"PICTURES": 2, "PATCHES": 5, "WIDTH": 12, "HIDDEN": 20}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.widen = nn.Linear(width, hidden)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)
        nn.init.normal_(self.widen.weight, 0.0, 1.5 / width**0.5)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        return F.gelu(self.widen(self.norm(patches)))


def get_inputs():
    return [0.5 + 2.0 * torch.randn(PICTURES, PATCHES, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
