# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrast of pictures and texts: unit vectors, all pairs' cosines, and cross entropy with the own partner
both ways.
"""

import torch
import torch.nn.functional as F
from torch import nn

PAIRS = 8192
WIDTH = 512
SMALL = {"PAIRS": 9, "WIDTH": 16}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(14.0))

    def forward(self, pictures: torch.Tensor, texts: torch.Tensor) -> torch.Tensor:
        cosines = self.scale * F.normalize(pictures, dim=-1) @ F.normalize(texts, dim=-1).t()
        own = torch.arange(cosines.shape[0], device=cosines.device)
        by_picture = F.cross_entropy(cosines, own, reduction="none")
        by_text = F.cross_entropy(cosines.t(), own, reduction="none")
        return 0.5 * (by_picture + by_text)


def get_inputs():
    shared = torch.randn(PAIRS, WIDTH)
    return [shared + torch.randn(PAIRS, WIDTH), shared + torch.randn(PAIRS, WIDTH)]


def get_init_inputs():
    return []
