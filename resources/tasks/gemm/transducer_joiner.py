# SPDX-License-Identifier: GPL-3.0-or-later
"""A streaming speech recogniser in float16: every frame of sound meets every written letter, tanh of their sum, and a
product to the log probabilities of what may be written next.
"""

import torch
from torch import nn

TEXTS = 6
FRAMES = 170
LETTERS = 43
SOUND = 512
WIDTH = 640
SYMBOLS = 1025
SMALL = {"TEXTS": 2, "FRAMES": 5, "LETTERS": 3, "SOUND": 8, "WIDTH": 10, "SYMBOLS": 11}


class Model(nn.Module):
    def __init__(self, sound: int, width: int, symbols: int):
        super().__init__()
        self.sound = nn.Linear(sound, width, dtype=torch.float16)
        self.output = nn.Linear(width, symbols, dtype=torch.float16)

    def forward(self, frames: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        met = torch.tanh(self.sound(frames)[:, :, None] + letters[:, None])
        return torch.log_softmax(self.output(met), dim=-1)


def get_inputs():
    frames = 2.0 * torch.randn(TEXTS, FRAMES, SOUND)
    return [frames.to(torch.float16), torch.randn(TEXTS, LETTERS, WIDTH).to(torch.float16)]


def get_init_inputs():
    return [SOUND, WIDTH, SYMBOLS]
