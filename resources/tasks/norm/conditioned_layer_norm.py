# SPDX-License-Identifier: GPL-3.0-or-later
"""Layer norm without parameters; factor, offset and a gate for the residual come from a condition, as in
diffusion transformers.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 48
TOKENS = 1024
WIDTH = 1152
SMALL = {"BATCH": 2, "TOKENS": 5, "WIDTH": 12}


class Model(nn.Module):
    def forward(self, x: torch.Tensor, condition: torch.Tensor) -> torch.Tensor:
        scale, shift, gate = condition[:, None, :].chunk(3, dim=-1)
        h = F.layer_norm(x, x.shape[-1:], eps=1e-6)
        return x + gate * (h * (1.0 + scale) + shift)


def get_inputs():
    return [torch.randn(BATCH, TOKENS, WIDTH), 0.5 * torch.randn(BATCH, 3 * WIDTH)]


def get_init_inputs():
    return []
