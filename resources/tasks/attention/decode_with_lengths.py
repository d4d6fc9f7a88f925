# SPDX-License-Identifier: GPL-3.0-or-later
"""One new token for each text, against keys and values that were kept, of which each text has filled another
number.
"""

import torch
from torch import nn

TEXTS = 64
HEADS = 16
PLACES = 1600
WIDTH = 64
SMALL = {"TEXTS": 3, "HEADS": 2, "PLACES": 9, "WIDTH": 6}


class Model(nn.Module):
    def forward(self, query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, lengths: torch.Tensor):
        scores = torch.einsum("thc,thpc->thp", query, keys) * query.shape[-1] ** -0.5
        is_empty = torch.arange(keys.shape[2], device=keys.device) >= lengths[:, None, None]
        weights = torch.softmax(scores.masked_fill(is_empty, float("-inf")), dim=-1)
        return torch.einsum("thp,thpc->thc", weights, values)


def get_inputs():
    kept = (TEXTS, HEADS, PLACES, WIDTH)
    lengths = torch.randint(PLACES // 4, PLACES + 1, (TEXTS,))
    return [2.0 * torch.randn(TEXTS, HEADS, WIDTH), torch.randn(kept), torch.randn(kept), lengths]


def get_init_inputs():
    return []
