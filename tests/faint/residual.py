# SPDX-License-Identifier: GPL-3.0-or-later
"""A residual network whose last norm of each block begins at zero, with a softmax at its end."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.bn2.weight)

    def forward(self, x):
        return torch.relu(x + self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))))


class Model(nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.head = nn.Linear(channels, 100)

    def forward(self, x):
        x = self.blocks(torch.relu(self.stem(x)))
        return torch.softmax(self.head(x.mean((2, 3))), dim=-1)


def get_inputs():
    return [torch.rand(4, 3, 16, 16)]


def get_init_inputs():
    return [16, 4]
