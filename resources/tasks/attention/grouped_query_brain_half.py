# SPDX-License-Identifier: GPL-3.0-or-later
"""Causal attention of a language model in bfloat16, where four query heads share one head of keys and values."""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 3
HEADS = 24
SHARED = 6
TOKENS = 4096
WIDTH = 128
SMALL = {"BATCH": 2, "HEADS": 4, "SHARED": 2, "TOKENS": 9, "WIDTH": 8}


class Model(nn.Module):
    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        out = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
        return out.transpose(1, 2).flatten(2)


def get_inputs():
    query = (1.5 * torch.randn(BATCH, HEADS, TOKENS, WIDTH)).to(torch.bfloat16)
    key = torch.randn(BATCH, SHARED, TOKENS, WIDTH).to(torch.bfloat16)
    return [query, key, torch.randn(BATCH, SHARED, TOKENS, WIDTH).to(torch.bfloat16)]


def get_init_inputs():
    return []
