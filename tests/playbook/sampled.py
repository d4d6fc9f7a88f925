# SPDX-License-Identifier: GPL-3.0-or-later
"""References that gather at computed indices, for check.py: a name, letters of playbook_text, a word that one of the CUDA
texts must contain, and the text. Letter «i» copies sampled images to channels last."""

from odd import model

TRANSPOSED, ROWS_OF_THREAD, FLAT = "kPitch = TILE_COLUMNS", "kVectors = kRows / kWidth", "kVectorsPerRow"


def flow(channels, padding, corners, mode="bilinear", size="9, 21", out="9, 21", result="mask * seen + (1.0 - mask) * seen"):
    """An image sampled along a flow field, with many points outside, some far."""
    return model(f'''
def forward(self, x, places, mask):
    places = torch.where(places > 2.5, places * 1e9, places)
    places = torch.where(places < -2.5, places * 1e30, places)
    seen = F.grid_sample(x, places, mode="{mode}", padding_mode="{padding}", align_corners={corners})
    return {result}''', f"[torch.randn(2, {channels}, {size}), 1.2 * torch.randn(2, {out}, 2), torch.rand(2, 1, {out})]")


def levels(result):
    """A weighted sum of some points of each query, in two sizes of an image."""
    return model(f'''
def forward(self, fine, coarse, places, scores):
    share = torch.softmax(scores.flatten(2), dim=-1).view_as(scores)
    result = 0.0
    for level, picture in enumerate((fine, coarse)):
        seen = F.grid_sample(picture, places[:, :, level], padding_mode="zeros", align_corners=False)
        result = result + (seen * share[:, None, :, level]).sum(dim=-1)
    return {result}''',
                 "[torch.randn(2, 8, 7, 5), torch.randn(2, 8, 4, 3), 1.3 * torch.randn(2, 263, 2, 3, 2), torch.randn(2, 263, 2, 3)]")


def points(channels, kind="float32"):
    """Bilinear samples as gathers at flat indices, of which the inputs are the upper left corners."""
    return model(f'''
def forward(self, x, place, share):
    place = place[:, None].expand(-1, {channels}, -1)
    flat = x.flatten(2)
    return flat.gather(2, place) * (1 - share) + flat.gather(2, place + 1) * share''',
                 f"[torch.randn(2, {channels}, 6, 9).to(torch.{kind}), torch.randint(0, 53, (2, 130)), torch.rand(2, 1, 130).to(torch.{kind})]")


SAMPLED = (
    ("along_a_flow", "wobi", TRANSPOSED, flow(8, "border", True)),
    ("zeros_around", "wobi", TRANSPOSED, flow(16, "zeros", False)),
    ("sixteen_channels", "wobi", "<16, 128>", flow(16, "zeros", False, size="16, 20", out="21, 33")),
    ("reflected", "wobi", TRANSPOSED, flow(12, "reflection", False)),
    ("odd_channels", "wobi", TRANSPOSED, flow(5, "zeros", True)),
    ("more_odd_channels", "wobi", TRANSPOSED, flow(19, "border", False, size="7, 11")),
    ("several_tiles_of_channels", "wobi", TRANSPOSED, flow(100, "zeros", False, size="3, 5", out="5, 7")),
    ("nearest_of_few", "wobi", TRANSPOSED, flow(8, "zeros", False, "nearest", "4, 5", "9, 21")),
    ("double", "wobi", TRANSPOSED, model('''
def forward(self, x, places):
    return F.grid_sample(x, places, align_corners=False).sin()''', "[torch.randn(2, 6, 5, 7).double(), torch.randn(2, 18, 17, 2).double()]")),
    ("with_what_lies_along", "wobi", TRANSPOSED, model('''
def forward(self, x, places, other):
    seen = F.grid_sample(x, places, align_corners=False)
    return torch.tanh(seen) * other + seen, seen.square()''', "[torch.randn(2, 8, 6, 5), torch.randn(2, 9, 21, 2), torch.randn(2, 8, 9, 21)]")),
    ("in_hashed_grids", "wobi", "sum2[k]", model('''
def forward(self, points, corners, fine, coarse):
    parts = []
    for table, scale in ((fine, 9.0), (coarse, 3.0)):
        low = torch.floor(points * scale)
        share = (points * scale - low)[:, None]
        place = low.long()[:, None] + corners
        place = (place[..., 0] ^ (place[..., 1] * 2654435761) ^ (place[..., 2] * 805459861)) % 32
        weight = torch.where(corners == 1, share, 1.0 - share).prod(dim=-1)
        parts.append((table[place] * weight[..., None]).sum(dim=1))
    return torch.cat(parts, dim=1)''', "[torch.randn(70000, 3), torch.tensor([[(c >> d) & 1 for d in range(3)] for c in range(8)]), torch.randn(32, 2), torch.randn(32, 2)]")),
    ("channels_innermost", "wobi", FLAT, model('''
def forward(self, x, places, bias):
    seen = F.grid_sample(x, places, padding_mode="border", align_corners=False)
    return torch.relu(seen.permute(0, 2, 3, 1) + bias)''', "[torch.randn(2, 12, 6, 5), torch.randn(2, 9, 7, 2), torch.randn(12)]")),
    ("levels", "wobi", ROWS_OF_THREAD, levels("result.transpose(1, 2)")),
    ("levels_by_rows", "wobi", ROWS_OF_THREAD, levels("result")),
    ("norm_at_places", "wobi", "fusedRows", model('''
def forward(self, x, places, scale):
    seen = F.grid_sample(x, places, padding_mode="border", align_corners=True).flatten(2).transpose(1, 2)
    return F.layer_norm(seen, (40,)) * scale''', "[torch.randn(2, 40, 5, 6), 1.2 * torch.randn(2, 9, 8, 2), torch.randn(40)]")),
    ("mean_of_channels", "wobi", "fusedPointwise", model('''
def forward(self, x, places):
    return F.grid_sample(torch.softmax(x, dim=1), places, align_corners=False).square().mean(1)''',
        "[torch.randn(2, 13, 5, 6), 1.2 * torch.randn(2, 49, 47, 2)]")),
    ("points", "wobi", TRANSPOSED, points(12)),
    ("points_of_halves", "wobi", TRANSPOSED, points(24, "float16")),
    ("points_of_brain_halves", "wobi", TRANSPOSED, points(20, "bfloat16")),
    ("no_batch", "wobi", TRANSPOSED, model('''
def forward(self, x, y, z, w):
    return x[:, y, z] * w + x[:, y - 1, z]''', "[torch.randn(8, 5, 6), torch.randint(0, 5, (40,)), torch.randint(-6, 6, (40,)), torch.rand(40)]")),
    ("volume", "wobi", TRANSPOSED, model('''
def forward(self, x, a, b, c):
    return x[:, :, a, b, c] + x[:, :, a, b - 1, c]''',
        "[torch.randn(2, 8, 3, 5, 4), torch.randint(0, 3, (130,)), torch.randint(0, 5, (130,)), torch.randint(0, 4, (130,))]")),
    ("words_across", "wob", TRANSPOSED, model('''
def __init__(self):
    super().__init__()
    self.words = nn.Embedding(50, 12)

def forward(self, tokens, mask):
    return self.words(tokens).transpose(1, 2) * mask''', "[torch.randint(0, 50, (3, 37)), torch.rand(3, 1, 37)]")),
    ("two_scales", "wobc", TRANSPOSED, model('''
def __init__(self):
    super().__init__()
    self.fine = nn.Conv2d(16, 16, 3, padding=1)
    self.coarse = nn.Conv2d(16, 16, 3, padding=1)

def forward(self, x):
    small = F.max_pool2d(x, 2)
    return F.mish(self.fine(x) + F.interpolate(self.coarse(small), scale_factor=2, mode="nearest"))''', "[torch.randn(2, 16, 10, 18)]")),
)
