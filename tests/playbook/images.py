# SPDX-License-Identifier: GPL-3.0-or-later
"""References with 2-D convolutions that can be channels last, or that are matmuls, for check.py --odd: a row as in odd.py.
Each is tried in both layouts."""

from odd import model

IMAGES = (
    ("a residual block", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, stride=2, padding=1)
    self.norm = nn.BatchNorm2d(16)
    self.second = nn.Conv2d(16, 16, (3, 5), padding=(2, 4), dilation=2, bias=False)
    self.short = nn.Conv2d(8, 16, 1, stride=2)

def forward(self, x):
    h = torch.relu(self.norm(self.first(x)))
    return torch.relu(self.second(h) + self.short(x))''', "[torch.randn(3, 8, 13, 18)]")),
    ("norms and what follows in the library's own pass", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(16, 32, 3, padding=1, bias=False)
    self.norms = nn.ModuleList([nn.BatchNorm2d(32) for _ in range(4)])
    self.second = nn.Conv2d(32, 32, 3, padding=1)
    self.third = nn.Conv2d(32, 32, 1, bias=False)
    self.fourth = nn.Conv2d(32, 32, 3, padding=1)
    self.last = nn.Conv2d(32, 16, 1)
    self.scale = nn.Parameter(torch.rand(32, 1, 1) + 0.5)
    for norm in self.norms:
        nn.init.uniform_(norm.weight, 0.5, 2)
        nn.init.uniform_(norm.running_var, 0.5, 2)
        nn.init.normal_(norm.running_mean)
        nn.init.normal_(norm.bias)

def forward(self, x):
    h = F.silu(self.norms[0](self.first(x)))
    h = torch.relu(self.norms[1](self.second(h)) + h)
    h = F.gelu((self.norms[2](self.third(h)) - 0.25) / self.scale) + h
    h = torch.relu(self.norms[3](self.third(h)) + self.fourth(h)) + self.scale
    h = F.leaky_relu(self.fourth(h) * self.scale * 0.5, 0.2) + h
    h = F.relu6(self.second(h)) + F.elu(self.third(h))
    h = F.hardswish(self.second(F.relu6(self.fourth(h)))) + h
    return self.last(torch.tanh(self.norms[3](self.second(h)))) * self.scale[:16]''', "[torch.randn(2, 16, 13, 18)]")),
    ("channels that become pixels, and few results", None, model('''
def __init__(self):
    super().__init__()
    self.up = nn.Conv2d(16, 32, 3, padding=1)
    self.act = nn.PReLU(8)
    self.sounds = nn.Conv1d(16, 24, 3, bias=False)
    self.last = nn.Conv2d(16, 3, 3, padding=1)
    self.one = nn.Conv2d(20, 1, (1, 3))

def forward(self, x, y, z):
    up = self.act(F.pixel_shuffle(self.up(x), 2))
    sounds = self.sounds(y)
    sounds = sounds.view(2, 8, 3, sounds.shape[2]).transpose(2, 3).flatten(2)
    return up, sounds * 2, torch.tanh(self.last(x)), torch.sigmoid(self.one(z)) + x[:1, :1, :, 2:]''',
        "[torch.randn(2, 16, 7, 10), torch.randn(2, 16, 12), torch.randn(1, 20, 7, 10)]")),
    ("windows that step along a signal", None, model('''
def __init__(self):
    super().__init__()
    self.waves = nn.Conv1d(1, 22, 40, stride=16)
    self.wide = nn.Conv1d(1, 16, 50, stride=16, padding=25, bias=False)
    self.whole = nn.Conv1d(1, 8, 32, stride=8)

def forward(self, x, y):
    energy = self.waves(F.pad(x, (20, 20), mode="reflect")).square()
    real, other = self.wide(y).chunk(2, 1)
    return torch.log(energy + 1), real * other, torch.tanh(self.whole(y[:, :, 1:]))''',
        "[torch.randn(3, 1, 160), torch.randn(2, 1, 177)]")),
    ("what is added, of fewer dimensions or at one place", None, model('''
def __init__(self):
    super().__init__()
    self.images = nn.Conv2d(8, 8, 3, padding=1)
    self.sounds = nn.Conv1d(8, 16, 3, padding=1)
    self.place = nn.Conv2d(16, 16, 3)

def forward(self, x, y, z, r):
    return self.images(x) + self.sounds(y), r + torch.relu(self.place(z))''', "[torch.randn(2, 8, 16, 12), torch.randn(8, 8, 12), torch.randn(1, 16, 3, 3), torch.randn(1, 16, 1, 1)]")),
    ("few filters of one channel", None, model('''
def __init__(self):
    super().__init__()
    self.edges = nn.Conv2d(1, 2, 3, bias=False)
    self.blur = nn.Conv2d(1, 1, (5, 3), padding=(2, 1), stride=2)
    self.sounds = nn.Conv1d(1, 6, 9, padding=4, dilation=2)

def forward(self, x, y):
    e = self.edges(F.pad(x.reshape(6, 1, 13, 18), (1, 1, 1, 1), mode="replicate"))
    return torch.sqrt((e * e).sum(1) + 1e-6), torch.relu(self.blur(x[:, :1])), self.sounds(y)''', "[torch.randn(2, 3, 13, 18), torch.randn(3, 1, 40)]")),
    ("branches that are joined", None, model('''
def __init__(self):
    super().__init__()
    self.one = nn.Conv2d(16, 12, 1)
    self.two = nn.Conv2d(16, 32, 3, padding=1)
    self.three = nn.Conv2d(16, 16, 3, padding=2, dilation=2, bias=False)
    self.pooled = nn.Conv2d(16, 4, 1)
    self.last = nn.Conv2d(64, 16, 3, padding=1)
    self.sounds = nn.ModuleList([nn.Conv1d(16, 16, 1 + 2 * i, padding=i) for i in range(3)])

def forward(self, x, y):
    branches = [torch.relu(self.one(x)), F.silu(self.two(x)), self.three(x), self.pooled(F.max_pool2d(x, 3, 1, 1))]
    y = torch.cat([torch.relu(sound(y)) for sound in self.sounds], dim=1)
    return self.last(torch.cat(branches, dim=1)), y.mean(dim=2), y.amax(dim=2)''', "[torch.randn(2, 16, 11, 14), torch.randn(3, 16, 25)]")),
    ("sounds, volumes, groups, and back again", None, model('''
def __init__(self):
    super().__init__()
    self.sound = nn.Conv1d(8, 16, 3, dilation=2, padding=2)
    self.norm = nn.BatchNorm1d(16)
    self.back = nn.ConvTranspose1d(16, 8, 4, stride=2, padding=1)
    self.volume = nn.Conv3d(3, 16, 3, stride=(1, 2, 2), padding=1, bias=False)
    self.other = nn.Conv3d(16, 32, (1, 3, 3), padding=(0, 1, 1), groups=4)
    self.up = nn.ConvTranspose3d(32, 8, (3, 2, 2), stride=(1, 2, 2), padding=(1, 0, 0), groups=2)
    self.parts = nn.Conv2d(32, 48, 3, stride=(1, 2), padding=(1, 3), dilation=(2, 1), groups=4)
    self.wide = nn.ConvTranspose2d(48, 32, (3, 4), stride=(2, 1), padding=1, dilation=(1, 2), output_padding=(1, 0), groups=4)

def forward(self, x, y, z):
    x = torch.relu(self.norm(self.sound(x)))
    y = F.silu(self.other(torch.relu(self.volume(y))))
    z = torch.tanh(self.wide(torch.relu(self.parts(z))))
    return self.back(x), self.up(y), z''', "[torch.randn(2, 8, 21), torch.randn(2, 3, 5, 12, 14), torch.randn(2, 32, 9, 13)]")),
    ("zeros around an image", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, stride=2, padding=(0, 1))
    self.depth = nn.Conv2d(16, 16, 3, stride=2, groups=16)
    self.last = nn.Conv1d(8, 4, 3)

def forward(self, x, y):
    h = self.first(F.pad(x, (1, 1, 2, 2)))
    return self.depth(F.pad(h, (0, 1, 0, 1))), self.depth(F.pad(torch.relu(h), (2, 1, 1, 0), value=0.5)), self.last(F.pad(y, (4, 0)))''',
                                    "[torch.randn(3, 8, 13, 18), torch.randn(3, 8, 20)]")),
    ("a norm of groups between", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(4, 32, 3, padding=1)
    self.norm = nn.GroupNorm(4, 32)
    self.second = nn.Conv2d(32, 20, 3, bias=False)
    self.last = nn.Linear(20, 7)

def forward(self, x):
    return self.last(self.second(F.silu(self.norm(self.first(x)))).mean(dim=(2, 3)))''',
                                               "[torch.randn(2, 4, 17, 20)]")),
    ("a norm after the last", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 24, 3, padding=1)
    self.norm = nn.InstanceNorm2d(24, affine=True)

def forward(self, x):
    return self.norm(self.first(x))''', "[torch.randn(2, 8, 17, 20)]")),
    ("pooling, and both ends of it", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1, padding_mode="reflect")
    self.second = nn.Conv2d(16, 8, 3, bias=False)

def forward(self, x):
    wide = torch.tanh(self.first(x))
    return wide, self.second(F.max_pool2d(wide, 2))''', "[torch.randn(2, 8, 18, 20)]")),
    ("channels normalised as in a transformer", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 32, 4, stride=4)
    self.norm = nn.LayerNorm(32)
    self.up = nn.Linear(32, 48)
    self.down = nn.Linear(48, 32)

def forward(self, x):
    h = self.first(x)
    y = self.down(F.gelu(self.up(self.norm(h.permute(0, 2, 3, 1)))))
    return h + y.permute(0, 3, 1, 2)''', "[torch.randn(2, 8, 24, 28)]")),
    ("an image that lies with channels last already", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3)

def forward(self, x):
    return self.first(x.permute(0, 3, 1, 2)), x.sum()''', "[torch.randn(2, 12, 20, 8)]")),
    ("a joined image, and one that is cut", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1)
    self.second = nn.Conv2d(24, 16, 3, padding=1)
    self.third = nn.Conv2d(8, 4, 1)

def forward(self, x):
    h = self.second(torch.cat([x, F.relu(self.first(x))], 1))
    return self.third(h[:, 4:12]) * torch.sigmoid(h[:, :4])''', "[torch.randn(2, 8, 18, 21)]")),
    ("half the bits", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1).bfloat16()
    self.second = nn.Conv2d(16, 8, 3, padding=1, bias=False).bfloat16()

def forward(self, x):
    return self.second(F.relu(self.first(x)))''', "[torch.randn(2, 8, 18, 21).bfloat16()]")),
    ("one row of an image", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, (1, 3))
    self.second = nn.Conv2d(16, 8, 1)

def forward(self, x):
    return self.second(self.first(x).exp())''', "[torch.randn(1, 8, 1, 21)]")),
    ("one tap, in every number of dimensions", None, model('''
def __init__(self):
    super().__init__()
    self.line = nn.Conv1d(8, 12, 1)
    self.image = nn.Conv2d(12, 8, 1, bias=False)
    self.volume = nn.Conv3d(8, 4, 1)
    self.lonely = nn.Conv2d(8, 5, 1)

def forward(self, x):
    h = F.silu(self.line(x))
    image = self.image(h.view(2, 12, 6, 8))
    return image, self.volume(image.view(2, 8, 2, 3, 8).exp()).tanh(), self.lonely(image)''', "[torch.randn(2, 8, 48)]")),
    ("one tap at one place, and to one channel", None, model('''
def __init__(self):
    super().__init__()
    self.squeeze = nn.Conv2d(12, 5, 1)
    self.excite = nn.Conv2d(5, 12, 1)
    self.one = nn.Conv2d(12, 1, 1)
    self.from_one = nn.Conv2d(1, 3, 1)

def forward(self, x):
    y = x * torch.sigmoid(self.excite(F.relu(self.squeeze(x.mean((2, 3), keepdim=True)))))
    return y + torch.sigmoid(self.one(y)), self.from_one(x[:, :1]).exp()''', "[torch.randn(3, 12, 5, 7)]")),
    ("patches as tokens", None, model('''
def __init__(self):
    super().__init__()
    self.patches = nn.Conv2d(3, 24, (4, 6), stride=(4, 6))
    self.first = nn.Parameter(torch.randn(24))
    self.norm = nn.LayerNorm(24)

def forward(self, x):
    tokens = self.patches(x).flatten(2).transpose(1, 2)
    return self.norm(torch.cat([self.first.expand(2, 1, 24), tokens], 1)), tokens''', "[torch.randn(2, 3, 12, 24)]")),
    ("patches in torch's order, and none that is whole", None, model('''
def __init__(self):
    super().__init__()
    self.bare = nn.Conv2d(3, 16, 2, stride=2, bias=False)
    self.biased = nn.Conv2d(3, 16, 2, stride=2)
    self.beyond = nn.Conv2d(3, 16, 5, stride=5)
    self.waves = nn.Conv1d(1, 8, 16, stride=16)

def forward(self, x):
    waves = self.waves(x.view(2, 1, -1)).transpose(1, 2)
    return self.bare(x), F.gelu(self.biased(x)), self.beyond(x), waves * 2.0''', "[torch.randn(2, 3, 12, 16)]")),
    ("patches that are put side by side", None, model('''
def __init__(self):
    super().__init__()
    self.up = nn.ConvTranspose2d(8, 6, 2, stride=2)
    self.wide = nn.ConvTranspose2d(6, 4, (1, 3), stride=(1, 3), bias=False)
    self.line = nn.ConvTranspose1d(4, 3, 4, stride=4)
    self.more = nn.ConvTranspose2d(8, 6, 2, stride=2, output_padding=1)

def forward(self, x):
    y = self.wide(self.up(x))
    return y.exp(), self.line(y.flatten(2)).tanh(), self.more(x)''', "[torch.randn(2, 8, 4, 8)]")),
    ("one tap with half the bits", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 1).half()
    self.second = nn.Conv2d(16, 8, 1, bias=False).half()

def forward(self, x):
    h = F.silu(self.first(x))
    y = self.second(h)
    return h, y, y.sin()''', "[torch.randn(2, 8, 4, 8).half()]")),
    ("one tap with twice as many bits", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 13, 1).double()

def forward(self, x):
    return self.first(x).sin()''', "[torch.randn(2, 8, 4, 8).double()]")),
    ("one tap between tokens", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 1)
    self.second = nn.Conv2d(16, 8, 1)
    self.mix = nn.Conv1d(32, 32, 1)
    self.norm = nn.LayerNorm(16)

def forward(self, x):
    h = self.norm(self.first(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1))
    tokens = h.flatten(1, 2)
    return self.second((tokens * self.mix(tokens)).transpose(1, 2).reshape(2, 16, 4, 8))''', "[torch.randn(2, 4, 8, 8)]")),
    ("zeros before, and none behind", None, model('''
def __init__(self):
    super().__init__()
    self.filter = nn.Conv1d(8, 12, 3, dilation=2)
    self.gate = nn.Conv1d(8, 12, 3, dilation=2, bias=False)
    self.image = nn.Conv2d(8, 8, 3, stride=2)
    self.grouped = nn.Conv2d(8, 8, (2, 3), groups=2)

def forward(self, x, y):
    x = F.pad(x, (4, 0))
    image = torch.relu(self.image(F.pad(y, (1, 0, 1, 0))))
    return torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x)), image, self.grouped(F.pad(y, (2, 0, 1, 0))).exp()''',
                                        "[torch.randn(3, 8, 60), torch.randn(3, 8, 40, 44)]")),
)
