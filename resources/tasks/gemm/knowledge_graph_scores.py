# SPDX-License-Identifier: GPL-3.0-or-later
"""Knowledge graphs: subject times relation, against all objects at once, and a logistic score."""

import torch
from torch import nn

QUERIES = 4000
OBJECTS = 15_001
RELATIONS = 200
WIDTH = 400
SMALL = {"QUERIES": 6, "OBJECTS": 17, "RELATIONS": 5, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, objects: int, relations: int, width: int):
        super().__init__()
        self.entity = nn.Embedding(objects, width)
        self.relation = nn.Embedding(relations, width)
        self.scale = width**-0.5

    def forward(self, subject: torch.Tensor, relation: torch.Tensor) -> torch.Tensor:
        query = self.entity(subject) * self.relation(relation)
        return torch.sigmoid(self.scale * query @ self.entity.weight.t())


def get_inputs():
    return [torch.randint(0, OBJECTS, (QUERIES,)), torch.randint(0, RELATIONS, (QUERIES,))]


def get_init_inputs():
    return [OBJECTS, RELATIONS, WIDTH]
