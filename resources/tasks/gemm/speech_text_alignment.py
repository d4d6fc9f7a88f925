# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to speech: how well does each letter fit each frame of sound? Products over the channels of two channels-first
sequences, sharpened, and nothing where the text has ended.
"""

import torch
from torch import nn

TEXTS = 48
CHANNELS = 256
LETTERS = 400
FRAMES = 1600
SMALL = {"TEXTS": 3, "CHANNELS": 6, "LETTERS": 7, "FRAMES": 9}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.precision = nn.Parameter((0.5 + torch.rand(channels, 1)) / channels**0.5)
        self.sharpness = nn.Parameter(torch.tensor(2.5))

    def forward(self, letters: torch.Tensor, frames: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        scores = torch.einsum("bcl,bcf->blf", letters * self.precision, frames) * self.sharpness
        has_ended = torch.arange(letters.shape[2], device=letters.device) >= lengths[:, None]
        return scores.masked_fill(has_ended[:, :, None], 0.0)


def get_inputs():
    lengths = torch.randint(LETTERS // 3, LETTERS + 1, (TEXTS,))
    return [torch.randn(TEXTS, CHANNELS, LETTERS), torch.randn(TEXTS, CHANNELS, FRAMES), lengths]


def get_init_inputs():
    return [CHANNELS]
