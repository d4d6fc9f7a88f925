# SPDX-License-Identifier: GPL-3.0-or-later
"""References for the sort kernel, for check.py: lengths around powers of two, ties, NaN, zeros of both signs, all its types."""

from functions import group
from odd import model

# 1 / x distinguishes the zeros; an index of NaN may be that of any NaN.
ROWS = (
    ("sorted_lengths", group(
        "[torch.randn(5, 33), torch.randn(3, 64), torch.randn(2, 65), torch.randn(7, 127), torch.randn(3, 1000), torch.randn(2, 1025), torch.randn(300, 40)]",
        "a, b, c, d, e, f, g", "a.sort(1).values", "b.sort(1)[1]", "c.sort(-1, descending=True)[0]", "d.sort(1)[0] + d.sort(1)[1]", "e.sort(1, descending=True)[1]",
        "f.sort(1)[0]", "f.argsort(1, descending=True)", "g.sort(-1)[0]", "g.argsort(-1)")),
    ("sorted_ties", group(
        "[torch.randint(0, 6, (4, 90)).float(), torch.randint(-3, 3, (2, 3, 700)), torch.ones(3, 50)]", "x, y, one", "x.sort(1)[0]", "torch.sort(x, dim=1, stable=True)[1]",
        "torch.sort(x, dim=1, stable=True, descending=True)[1]", "torch.sort(y, dim=2, stable=True)[1]", "torch.sort(y, dim=2, stable=True, descending=True)[1]",
        "y.sort(2)[0]", "torch.sort(one, dim=1, stable=True)[1]", "torch.sort(y, dim=2, stable=True, descending=True)[0]")),
    ("sorted_odd_numbers", group(
        "[torch.where(torch.randn(4, 200) > 1.5, math.nan, torch.randn(4, 200)), torch.where(torch.randn(4, 100) > 0.5, math.inf, torch.where(torch.randn(4, 100) > 0, -math.inf, torch.randn(4, 100))), "
        "torch.full((2, 40), math.nan), torch.where(torch.randn(3, 77) > 0, 0.0, -0.0), torch.where(torch.randn(4, 90) > 1.0, math.nan, torch.randn(4, 90)).neg()]", "x, y, none, zero, signed",
        "signed.sort(1)[0]", "torch.sort(signed, dim=1, stable=True, descending=True)[1]", "signed.half().sort(1)[0]", "torch.sort(signed.double(), dim=1, stable=True)", "x.sort(1)[0]", "x.sort(1, descending=True)[0]", "torch.sort(x, dim=1, stable=True)[1]",
        "torch.sort(x, dim=1, stable=True, descending=True)[1]", "y.sort(1)[0]", "torch.sort(y, dim=1, stable=True, descending=True)[1]", "torch.sort(none, dim=1, stable=True)[1]",
        "none.sort(1)[0]", "1.0 / torch.sort(zero, dim=1, stable=True)[0]", "torch.sort(zero, dim=1, stable=True)[1]",
        "1.0 / torch.sort(zero, dim=1, stable=True, descending=True)[0]", "torch.sort(zero, dim=1, descending=True, stable=True)[1]",
        "torch.sort(torch.where(zero > -1.0, x[:3, :77] * 0.0, zero), dim=1, stable=True)[0].sum(1)", "(1.0 / zero.sort(1)[0]).sum(1)")),
    ("sorted_types", group(
        "[torch.randn(3, 130).half(), torch.randn(3, 130).bfloat16(), torch.randn(3, 130).double(), torch.randint(-9**9, 9**9, (3, 130)), torch.randint(-99, 99, (3, 130), dtype=torch.int32), "
        "torch.randint(-99, 99, (3, 130), dtype=torch.int16), torch.randint(-99, 99, (3, 130), dtype=torch.int8), torch.randint(0, 199, (3, 130), dtype=torch.uint8), "
        "torch.tensor([2**63 - 1, -2**63] * 20)[None]]", "h, b, d, l, i, s, c, u, e", "h.sort(1)[0]", "torch.sort(h, dim=1, stable=True)", "b.sort(1, descending=True)[0]", "torch.sort(b, dim=1, stable=True, descending=True)",
        "d.sort(1)[0]", "torch.sort(d, dim=1, stable=True, descending=True)", "l.sort(1)[0]", "torch.sort(l, dim=1, stable=True, descending=True)", "torch.sort(l, dim=1, stable=True)[1]", "i.sort(1, descending=True)[0]",
        "torch.sort(i, dim=1, stable=True)", "s.sort(1)[0]", "torch.sort(s, dim=1, stable=True, descending=True)[1]", "torch.sort(c, dim=1, stable=True)", "torch.sort(u, dim=1, stable=True, descending=True)",
        "e.sort(1)[0]", "torch.sort(e, dim=1, stable=True, descending=True)", "torch.sort(h * 2 + 1, dim=1, stable=True)", "(h * 2).sort(1)[0]", "l.to(torch.int32).sort(1)[0]", "h.float().sort(1)[0]")),
    ("sorted_along", group(
        "[torch.randn(5, 60, 7), torch.randn(40, 90), torch.randn(200), torch.randn(2, 3, 4, 50), torch.randn(50)]", "x, y, z, w, b", "x.sort(1)[0]", "x.sort(1, descending=True)[1]", "y.sort(0)[0]", "y.t().sort(1)[0]", "z.sort()[0]",
        "z.sort(0, descending=True)[1]", "(w * 2.0 + b).sort(3)[0]", "(torch.tanh(w) - b).sort(-1, descending=True)[1]", "w.transpose(0, 2).sort(-1)[0]", "w[:, 1:, :3, 5:].sort(-1)[0]", "torch.softmax(w, -1).sort(-1)[0]",
        "w.flip(-1).sort(-1)[1]", "torch.msort(y)", "y.cumsum(1).sort(1)[0].cumsum(1)", "y.gather(1, y.argsort(1))", "b.expand(3, 50).sort(1)[1]", "torch.sort(y @ y.t(), dim=1)[0]")),
    ("first_of_rows", group(
        "[torch.randn(6, 300), torch.randn(3, 1200), torch.randn(4, 50, 9), torch.randint(0, 9**9, (3, 100)), torch.where(torch.randn(4, 90) > 1.0, math.nan, torch.randn(4, 90))]", "x, y, z, l, none", "x.topk(20, 1)[0]", "x.topk(20, 1)[1]", "x.topk(3)[1]",
        "y.topk(100, 1, largest=False)[0]", "y.topk(100, 1)[1]", "z.topk(17, 1)[0]", "z.topk(5, 1, largest=False)[1]", "l.topk(30)[0]", "l.topk(30, largest=False)[1]", "none.topk(40)[0]", "none.topk(40, largest=False)[0]", "l.kthvalue(7, 1)[0]", "l.median(1)[0]",
        "x.sort(1)[0][:, 7:20]", "x.topk(300)[0].flip(1)", "x.topk(1)[0]")),
    ("sorted_images", model('''
def __init__(self):
    super().__init__()
    self.conv, self.small = nn.Conv2d(4, 40, 3, padding=1), nn.Conv2d(40, 3, 1)

def forward(self, x):
    y = self.conv(x)
    weights, places = torch.softmax(y.flatten(2), -1).topk(9, -1)
    return y.flatten(2).sort(-1)[0], y.sort(1)[0].sum(1), self.small(torch.relu(y.sort(1, descending=True)[0])), y.flatten(2).gather(-1, places) * weights''', "[torch.randn(2, 4, 7, 9)]")),
    ("sorted_turns", model('''
def __init__(self):
    super().__init__()
    self.cell = nn.Linear(50, 50)

def forward(self, x):
    h, seen = torch.zeros(3, 50, dtype=x.dtype), []
    for t in range(x.shape[1]):
        order, places = torch.sort(torch.tanh(self.cell(h)) + x[:, t], dim=1, descending=True)
        h = order * 0.5 + x[:, t].gather(1, places)
        seen.append(h)
    return torch.stack(seen, 1), h''', "[torch.randn(3, 40, 50)]")),
    ("long_sorted_rows", group(
        "[torch.randn(2, 2500), torch.randn(1, 4096), torch.randn(1, 5000), torch.randint(-99, 99, (1, 4000))]", "x, y, z, w", "x.sort(1)[0]", "torch.sort(x, dim=1)[1]", "y.sort(1, descending=True)[0]", "z.argsort(1)", "torch.sort(w, dim=1, stable=True)[1]")),
)
