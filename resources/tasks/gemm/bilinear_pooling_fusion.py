# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about pictures, in bfloat16: both are projected, multiplied with each other, summed by fives and made a
unit vector: a bilinear form of low rank for each feature.
"""

import torch
import torch.nn.functional as F
from torch import nn

PAIRS = 6000
PICTURE = 2048
QUESTION = 1024
FEATURES = 1000
RANK = 5
SMALL = {"PAIRS": 4, "PICTURE": 12, "QUESTION": 9, "FEATURES": 7, "RANK": 3}


class Model(nn.Module):
    def __init__(self, picture: int, question: int, features: int, rank: int):
        super().__init__()
        self.rank = rank
        self.picture = nn.Linear(picture, features * rank, dtype=torch.bfloat16)
        self.question = nn.Linear(question, features * rank, dtype=torch.bfloat16)

    def forward(self, picture: torch.Tensor, question: torch.Tensor) -> torch.Tensor:
        both = self.picture(picture) * self.question(question)
        return F.normalize(both.unflatten(-1, (-1, self.rank)).sum(dim=-1), dim=-1)


def get_inputs():
    picture = 2.0 * torch.randn(PAIRS, PICTURE)
    return [picture.to(torch.bfloat16), (2.0 * torch.randn(PAIRS, QUESTION)).to(torch.bfloat16)]


def get_init_inputs():
    return [PICTURE, QUESTION, FEATURES, RANK]
