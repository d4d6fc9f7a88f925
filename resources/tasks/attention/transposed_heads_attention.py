# SPDX-License-Identifier: GPL-3.0-or-later
"""The library's attention in half precision on views whose heads lie inside the tokens, as projections leave
them.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 16
TOKENS = 1024
HEADS = 20
WIDTH = 64
SMALL = {"BATCH": 2, "TOKENS": 7, "HEADS": 3, "WIDTH": 8}


class Model(nn.Module):
    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        query, key, value = (x.transpose(1, 2) for x in (query, key, value))
        return F.scaled_dot_product_attention(query, key, value).transpose(1, 2)


def get_inputs():
    shape = (BATCH, TOKENS, HEADS, WIDTH)
    query = (1.5 * torch.randn(shape)).to(torch.float16)
    return [query, torch.randn(shape).to(torch.float16), torch.randn(shape).to(torch.float16)]


def get_init_inputs():
    return []
