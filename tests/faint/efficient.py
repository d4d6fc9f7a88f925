# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverted bottlenecks with gates, whose statistics are those of no batch."""

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, channels, reduced):
        super().__init__()
        self.down = nn.Conv2d(channels, reduced, 1)
        self.up = nn.Conv2d(reduced, channels, 1)

    def forward(self, x):
        s = torch.nn.functional.silu(self.down(x.mean((2, 3), keepdim=True)))
        return x * torch.sigmoid(self.up(s))


class MBConv(nn.Module):
    def __init__(self, channels, expand):
        super().__init__()
        wide = channels * expand
        self.expand = nn.Conv2d(channels, wide, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(wide)
        self.depth = nn.Conv2d(wide, wide, 3, padding=1, groups=wide, bias=False)
        self.bn2 = nn.BatchNorm2d(wide)
        self.gate = Gate(wide, channels // 2)
        self.project = nn.Conv2d(wide, channels, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = torch.nn.functional.silu(self.bn1(self.expand(x)))
        y = torch.nn.functional.silu(self.bn2(self.depth(y)))
        return self.bn3(self.project(self.gate(y)))


class Model(nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(MBConv(channels, 4) for _ in range(blocks)))
        self.head = nn.Linear(channels, 100)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


def get_inputs():
    return [torch.rand(4, 3, 12, 12)]


def get_init_inputs():
    return [8, 6]
