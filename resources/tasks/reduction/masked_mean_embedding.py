# SPDX-License-Identifier: GPL-3.0-or-later
"""One vector for a text: the mean over its real tokens, without the padding, made a unit vector."""

import torch
import torch.nn.functional as F
from torch import nn

TEXTS = 512
TOKENS = 384
WIDTH = 640
SMALL = {"TEXTS": 3, "TOKENS": 7, "WIDTH": 11}


class Model(nn.Module):
    def forward(self, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        real = torch.arange(states.shape[1], device=states.device) < lengths[:, None]
        total = (states * real[:, :, None]).sum(dim=1)
        return F.normalize(total / lengths[:, None], dim=-1)


def get_inputs():
    return [torch.randn(TEXTS, TOKENS, WIDTH), torch.randint(1, TOKENS + 1, (TEXTS,))]


def get_init_inputs():
    return []
