# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a text encoder begins, in float16: embeddings of token, of place in its own text and of segment are added and
normalised; several texts share a row.
"""

import torch
from torch import nn

ROWS = 96
LENGTH = 512
VOCABULARY = 30_522
WIDTH = 768
SEGMENTS = 2
SMALL = {"ROWS": 2, "LENGTH": 7, "VOCABULARY": 41, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, vocabulary: int, places: int, segments: int, width: int):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width, dtype=torch.float16)
        self.place = nn.Embedding(places, width, dtype=torch.float16)
        self.segment = nn.Embedding(segments, width, dtype=torch.float16)
        self.norm = nn.LayerNorm(width, eps=1e-5, dtype=torch.float16)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, tokens: torch.Tensor, places: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        return self.norm(self.token(tokens) + self.place(places) + self.segment(segments))


def get_inputs():
    # The second text of a row begins somewhere within it, and counts its places anew.
    place = torch.arange(LENGTH).expand(ROWS, LENGTH)
    second = torch.randint(1, LENGTH, (ROWS, 1))
    places = torch.where(place < second, place, place - second)
    segments = torch.randint(0, SEGMENTS, (ROWS, LENGTH))
    return [torch.randint(0, VOCABULARY, (ROWS, LENGTH)), places, segments]


def get_init_inputs():
    return [VOCABULARY, LENGTH, SEGMENTS, WIDTH]
