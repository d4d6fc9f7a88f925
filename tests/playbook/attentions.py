# SPDX-License-Identifier: GPL-3.0-or-later
"""References with attention, for check.py: masks, layouts, sizes that fill no tile, weights with other users."""

MODEL = """
import torch
import torch.nn.functional as F

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.randn({heads}, {queries}, {keys}))
        self.gate = torch.nn.Parameter(torch.randn({heads} * {values}))

    def forward(self, q, k, v):
        {lines}

def get_inputs():
    return [torch.randn(2, {heads}, {queries}, {width}){type}, torch.randn(2, {shared}, {keys}, {width}){type},
            torch.randn(2, {shared}, {keys}, {values}){type}]

def get_init_inputs():
    return []
"""


def row(name, lines, heads=3, queries=70, keys=70, width=32, values=None, shared=None, type=""):
    return name, MODEL.format(lines="\n        ".join(lines.strip().split("\n")), heads=heads, queries=queries,
                              keys=keys, width=width, values=values or width, shared=shared or heads, type=type)


HAND = "weights = torch.softmax(q @ k.transpose(-2, -1) * 0.2{more}, dim=-1)\nreturn weights @ v"


def spoiled(name, which):
    """One element is the NaN that a GPU produces."""
    text = row(name, HAND.format(more=""))[1].replace("return [torch", "return spoiled([torch").replace("]\n\ndef get_init", "])\n\ndef get_init")
    return name, f"{text}\ndef spoiled(tensors):\n    tensors[{which}].view(torch.int32)[0, 1, 7, 3] = 0x7fffffff\n    return tensors\n"


ROWS = (
    spoiled("no_number_in_queries", 0), spoiled("no_number_in_keys", 1), spoiled("no_number_in_values", 2),
    row("plain_attention", "return F.scaled_dot_product_attention(q, k, v)"),
    row("causal_attention", "return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)",
        queries=150, keys=150, width=64, type=".bfloat16()"),
    row("causal_by_hand", "scores = q @ k.transpose(-2, -1) / 4\nseen = torch.ones(70, 70, dtype=torch.bool).tril()\n"
        "scores = scores.masked_fill(~seen, float('-inf'))\nreturn (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(2, 70, -1)"),
    row("finite_mask", "scores = q @ k.transpose(-2, -1) / 4\nseen = torch.ones(70, 70).tril()\n"
        "scores = scores.masked_fill(seen == 0, -1e9)\nreturn F.softmax(scores, dim=-1) @ v"),
    row("added_mask", "mask = torch.full((40, 90), float('-inf')).triu(51)\n" + HAND.format(more=" + mask"), queries=40, keys=90),
    row("sliding_window", "i = torch.arange(200)[:, None]\nj = torch.arange(200)[None]\n"
        "scores = (q @ k.mT * 0.3).masked_fill((i - j).abs() > 20, float('-inf'))\nreturn scores.softmax(-1) @ v",
        queries=200, keys=200, heads=2),
    row("place_bias", HAND.format(more=" + self.bias").replace("weights @ v", "(weights @ v).transpose(1, 2)"), queries=49, keys=49),
    row("slopes", "distance = torch.arange(70)[:, None] - torch.arange(70)\n"
        "slopes = 2.0 ** -torch.arange(1, 4).view(3, 1, 1)\n" + HAND.format(more=" - slopes * distance.abs()")),
    row("bias_under_a_mask", "scores = (q @ k.mT + self.bias).masked_fill(~torch.ones(150, 150, dtype=torch.bool).tril(), float('-inf')) * 0.2\n"
        "return scores.softmax(-1) @ v", queries=150, keys=150),
    row("cap", "scores = 5 * torch.tanh(q @ k.mT / 20)\nreturn torch.softmax(scores, -1) @ v * torch.sigmoid(q)"),
    row("odd_sizes", "return F.scaled_dot_product_attention(q, k, v)", queries=37, keys=53, width=20, values=27),
    row("odd_halves", "return F.scaled_dot_product_attention(q, k, v)", queries=37, keys=53, width=23, values=10, type=".half()"),
    row("wide_halves", HAND.format(more=""), queries=33, keys=130, width=128, type=".half()"),
    row("wide_floats", HAND.format(more=""), queries=33, keys=130, width=128),
    row("shared_heads", "return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)", heads=4, shared=2, type=".bfloat16()"),
    row("turned_keys", "keys = k.transpose(-2, -1).contiguous()\nreturn torch.softmax(q @ keys, -1) @ v"),
    row("given_turned", "return torch.softmax(q.reshape(6, 70, 32) @ k.reshape(6, 32, 70), -1) @ v.reshape(6, 70, 32)"),
    row("turned_places", "a = (q * 1.5).transpose(1, 2).reshape(2, 70, 96).view(2, 70, 3, 32).transpose(1, 2).relu()\n"
        "return (torch.softmax(a @ k.mT, -1) @ v).transpose(1, 2).reshape(2, 70, 96) * self.gate"),
    row("seen_by_a_truth", "i = torch.arange(150)[:, None].bool()\nscores = (q @ k.mT * 0.3).masked_fill(~(i <= torch.arange(150)), float('-inf'))\n"
        "return scores.softmax(-1) @ v", queries=150, keys=150),
    row("nothing_seen", "seen = torch.arange(70)[:, None] - 3 > torch.arange(70)\n"
        "return F.scaled_dot_product_attention(q, k, v, attn_mask=seen)"),
    row("repeated", "return torch.softmax(q @ k.mT, -1) @ v * torch.ones(2, 1, 1, 1, 1).cumsum(0)"),
    # For a warpgroup: layouts that TMA takes, and more tiles than stages.
    row("heads_behind_places", "q, k, v = (x.reshape(2, -1, 3, 64).transpose(1, 2) for x in (q, k, v))\n"
        "return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)", heads=1, queries=150, keys=333, width=192, type=".half()"),
    row("parts_of_one", "q, k, v = q.chunk(3, -1)\nreturn F.scaled_dot_product_attention(q, k, v, is_causal=True)",
        queries=300, keys=8, width=192, values=64, type=".bfloat16()"),
    row("shared_wide_heads", "return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)", heads=4, shared=2, queries=65, keys=450, width=128,
        values=64, type=".bfloat16()"),
    row("filled_up_halves", HAND.format(more=""), queries=130, keys=260, width=48, values=64, type=".half()"),
    # Not one fused kernel: the weights have other users, or the reduction has another axis.
    row("weights_wanted", "weights = torch.softmax(q @ k.mT, -1)\nreturn weights @ v, weights.mean(1)"),
    row("over_queries", "return torch.softmax(q @ k.mT, -2) @ v"),
    row("two_products", "return torch.softmax(q @ k.mT + v @ q.mT, -1) @ v"),
)
