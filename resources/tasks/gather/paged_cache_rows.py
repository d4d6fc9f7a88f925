# SPDX-License-Identifier: GPL-3.0-or-later
"""Serving a language model in bfloat16: keys and values lie in pages all over a pool; each text's pages are brought
together, heads outside, zero after its end. Keys get their head's scale.
"""

import torch
from torch import nn

PAGES = 4000
SLOTS = 16
HEADS = 8
WIDTH = 128
TEXTS = 24
LONGEST = 130
SMALL = {"PAGES": 20, "SLOTS": 4, "HEADS": 2, "WIDTH": 6, "TEXTS": 3, "LONGEST": 5}


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.scale = nn.Parameter((0.5 + torch.rand(heads, 1, 1)).to(torch.bfloat16))

    def forward(self, keys: torch.Tensor, values: torch.Tensor, pages: torch.Tensor, lengths: torch.Tensor):
        place = torch.arange(pages.shape[1] * keys.shape[1], device=pages.device)
        is_after = (place >= lengths[:, None])[:, None, :, None]
        key = keys[pages].flatten(1, 2).transpose(1, 2) * self.scale
        value = values[pages].flatten(1, 2).transpose(1, 2)
        return key.masked_fill(is_after, 0.0).contiguous(), value.masked_fill(is_after, 0.0).contiguous()


def get_inputs():
    pools = [torch.randn(PAGES, SLOTS, HEADS, WIDTH).to(torch.bfloat16) for _ in range(2)]
    pages = torch.randperm(PAGES)[:TEXTS * LONGEST].view(TEXTS, LONGEST)
    return [*pools, pages, torch.randint(SLOTS, LONGEST * SLOTS + 1, (TEXTS,))]


def get_init_inputs():
    return [HEADS]
