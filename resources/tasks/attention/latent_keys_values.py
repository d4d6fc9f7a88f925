# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and values of all heads are unfolded from one narrow latent vector a token, so that little has to be
kept.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 4
TOKENS = 1024
LATENT = 256
HEADS = 16
WIDTH = 64
SMALL = {"BATCH": 2, "TOKENS": 6, "LATENT": 8, "HEADS": 2, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, latent: int, heads: int, width: int):
        super().__init__()
        self.heads = heads
        self.norm = nn.RMSNorm(latent, eps=1e-6)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        self.key = nn.Linear(latent, heads * width, bias=False)
        self.value = nn.Linear(latent, heads * width, bias=False)

    def forward(self, query: torch.Tensor, latent: torch.Tensor) -> torch.Tensor:
        latent = self.norm(latent)
        key = self.key(latent).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        value = self.value(latent).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)


def get_inputs():
    return [3.0 * torch.randn(BATCH, HEADS, TOKENS, WIDTH), torch.randn(BATCH, TOKENS, LATENT)]


def get_init_inputs():
    return [LATENT, HEADS, WIDTH]
