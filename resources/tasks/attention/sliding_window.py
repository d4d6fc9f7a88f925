# SPDX-License-Identifier: GPL-3.0-or-later
"""Long texts: each token sees the 256 before it and itself only; the band is given as a mask to the library's
attention.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 2
HEADS = 12
TOKENS = 2500
WIDTH = 64
WINDOW = 256
SMALL = {"BATCH": 2, "HEADS": 2, "TOKENS": 9, "WIDTH": 8, "WINDOW": 3}


class Model(nn.Module):
    def __init__(self, tokens: int, window: int):
        super().__init__()
        place = torch.arange(tokens)
        apart = place[:, None] - place
        self.register_buffer("seen", (apart >= 0) & (apart <= window))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(query, key, value, attn_mask=self.seen)


def get_inputs():
    shape = (BATCH, HEADS, TOKENS, WIDTH)
    return [1.5 * torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [TOKENS, WINDOW]
