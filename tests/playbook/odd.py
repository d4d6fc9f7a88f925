# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd references: each gets kernels that agree with it, or is refused with a reason that names the obstacle. A row: name, a
word of the refusal (None: it must pass), text. None may take longer than a minute."""

HEAD = "import collections, math, typing\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\nclass Model(nn.Module):\n"
TAIL = "\n\ndef get_init_inputs():\n    return []\n"


def model(body, inputs="[torch.randn(6, 10)]"):
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").split("\n"))
    return f"{HEAD}{lines}\n\ndef get_inputs():\n    return {inputs}\n{TAIL}"


ODD = (
    ("a branch on a value", "data-dependent", model('''
def forward(self, x):
    if x.sum() > 0:
        return x * 2.0
    return x - 1.0''')),
    ("a branch on a shape", None, model('''
def forward(self, x):
    return x.exp() if x.shape[0] > 3 else x''')),
    ("autograd of its own", None, model('''
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * x * x

def forward(self, x):
    return self.Cube.apply(x) + 1.0''')),
    ("in place, on what it made itself", None, model('''
def forward(self, x):
    y = x * 2.0
    y[:, 2:4] += 1.0
    y.clamp_(min=0.0)
    return y''')),
    ("several results, two of them one", None, model('''
def forward(self, x):
    y = torch.tanh(x)
    return y, x.sum(1), y''')),
    ("results by name, one inside another", None, model('''
def forward(self, x):
    return {"scaled": x * 3.0, "parts": [x.amax(1), x.abs()]}''')),
    ("a transform", None, model('''
def forward(self, x):
    return torch.fft.fft(x).abs()''')),
    ("a transform of a large prime", "torch.fft.fft, line 9 of model.py is a transform of 1,031 points", model('''
def forward(self, x):
    return torch.fft.fft(x, n=1031).abs()''')),
    ("an operator that complex numbers have not here", "torch.cumprod, line 9 of model.py is «cumprod» of complex numbers", model('''
def forward(self, x):
    return torch.cumprod(torch.complex(x, x), 1).real''')),
    ("whole numbers", None, model('''
def forward(self, x):
    return x // 3 + x % 4''', "[torch.randint(0, 100, (6, 10))]")),
    ("a product over nothing", None, model('''
def forward(self, x):
    return x[:, :0] @ x[:, :0].t() + x[:, :6]''')),
    ("an empty result", "empty", model('''
def forward(self, x):
    return x[:0] * 2.0''')),
    ("an empty input", "empty", model('''
def forward(self, x):
    return x * 2.0''', "[torch.randn(0, 10)]")),
    ("no parameters and a number for an argument", None, model('''
def forward(self, x, factor):
    return x * factor''', "[torch.randn(6, 10), 3.5]")),
    ("a buffer that is stored", None, model('''
def __init__(self):
    super().__init__()
    self.register_buffer("mean", torch.arange(10.0))

def forward(self, x):
    return x - self.mean''')),
    ("tables that are registered nowhere", None, model('''
def __init__(self):
    super().__init__()
    angles = torch.outer(torch.arange(12.0), 1.0 / 100 ** (torch.arange(0, 10, 2) / 10))
    self.turns = torch.polar(torch.ones_like(angles), angles)
    self.slopes = torch.tensor([2.0**-each for each in range(10)])
    self.factor = torch.tensor(0.5)

def forward(self, x):
    turned = torch.view_as_complex(x.reshape(6, 5, 2)) * self.turns[:6]
    return torch.view_as_real(turned).flatten(1).type_as(x) + self.slopes.to(x) * self.factor.item()''')),
    ("a table by chance that is registered nowhere", "\"noise\" is a buffer", model('''
def __init__(self):
    super().__init__()
    self.noise = torch.randn(10)

def forward(self, x):
    return x + self.noise''')),
    ("autograd of its own, with its context apart", None, model('''
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x * x

    @staticmethod
    def setup_context(context, inputs, output):
        context.save_for_backward(*inputs)

def forward(self, x):
    y = x + 1.0
    y *= 2.0
    return self.Cube.apply(y)''')),
    ("results with names", None, model('''
class Found(typing.NamedTuple):
    sums: torch.Tensor
    signs: torch.Tensor

def forward(self, x):
    return self.Found(x.sum(1), collections.OrderedDict(signs=x.sign()))''')),
    ("written step by step into what lies turned", None, model('''
def forward(self, x):
    x = x.transpose(1, 2)
    out = torch.zeros_like(x)
    for step in range(5):
        out[:, :, step] = x[:, :, step] * x[:, :, step].sum(-1, keepdim=True)
    return out.transpose(1, 2).view(3, 5, 28)''', "[torch.randn(3, 5, 4, 7)]")),
    ("a buffer that is not stored", None, model('''
def __init__(self):
    super().__init__()
    self.scale = nn.Linear(10, 10)
    mean = torch.arange(10.0) ** 0.5
    mean[3] = -1.0
    self.register_buffer("mean", mean * torch.tensor([0.5, 2.0] * 5), persistent=False)

def forward(self, x):
    return self.scale(x) - self.mean''')),
    ("a buffer of chance that is not stored", "not stored", model('''
def __init__(self):
    super().__init__()
    self.register_buffer("mean", torch.randn(10), persistent=False)

def forward(self, x):
    return x - self.mean''')),
    ("weights with channels last", None, model('''
def __init__(self):
    super().__init__()
    self.conv = nn.Conv2d(6, 4, 3, padding=1)
    self.scale = nn.Parameter(torch.rand(1, 4, 5, 7))
    self.to(memory_format=torch.channels_last)

def forward(self, x):
    return torch.relu(self.conv(x)) * self.scale''', "[torch.randn(2, 6, 5, 7)]")),
    ("weights that lie across or apart", None, model('''
def __init__(self):
    super().__init__()
    self.across = nn.Parameter(torch.randn(10, 12).t())
    self.apart = nn.Parameter(torch.randn(24)[1::2])

def forward(self, x):
    return torch.tanh(x @ self.across.t() + self.apart) * self.across.sum(1)''')),
    ("a weight that is one number for all", "share memory", model('''
def __init__(self):
    super().__init__()
    self.register_buffer("scale", torch.rand(1).expand(10))

def forward(self, x):
    return x * self.scale''')),
    ("a weight of windows that overlap", "share memory", model('''
def __init__(self):
    super().__init__()
    self.register_buffer("windows", torch.rand(12).unfold(0, 3, 1))

def forward(self, x):
    return x[:, :, None] * self.windows''')),
    ("one weight under two names", None, model('''
def __init__(self):
    super().__init__()
    self.one = nn.Parameter(torch.randn(10))
    self.two = self.one

def forward(self, x):
    return x * self.one + self.two''')),
    ("dropout, which does nothing here", None, model('''
def __init__(self):
    super().__init__()
    self.drop = nn.Dropout(0.5)

def forward(self, x):
    return self.drop(x) * 2.0''')),
    ("bits as another type", "bits of float32", model('''
def forward(self, x):
    return (x.view(torch.int32) & -65536).view(torch.float32)''')),
    ("chance in forward", "is not supported yet", model('''
def forward(self, x):
    return x + torch.rand_like(x)''')),
    ("an input that lies across", None, model('''
def forward(self, x):
    return x.exp() + 1.0''', "[torch.randn(10, 6).t()]")),
    ("an input that is one row for all", None, model('''
def forward(self, x):
    return x * 2.0''', "[torch.randn(1, 10).expand(6, 10)]")),
    ("a scalar for an input", None, model('''
def forward(self, x, y):
    return x * y''', "[torch.randn(6, 10), torch.randn(())]")),
    ("a scalar for a result", None, model('''
def forward(self, x):
    return (x * x).mean()''')),
    ("the input itself for a result", None, model('''
def forward(self, x):
    return x, x + 1.0''')),
    ("gradients inside", "autograd inside forward (line 12 of model.py)", model('''
def forward(self, x):
    with torch.enable_grad():
        x = x.detach()
        y = (x * x).sum()
        x.requires_grad_()
        return torch.autograd.grad(y, x)[0]''')),
    ("numbers taken out in a part", "torch.Tensor.item in `inner`, line 10 of model.py looks at a value", model('''
class Inner(nn.Module):
    def forward(self, x):
        return x * x.max().item()

def __init__(self):
    super().__init__()
    self.inner = self.Inner()

def forward(self, x):
    return self.inner(x) + 1.0''')),
    ("a module that is not there", "imports nowhere_to_be_found, which is not there (line 9 of model.py)", model('''
def forward(self, x):
    import nowhere_to_be_found
    return nowhere_to_be_found.twice(x)''')),
    ("a forward that leaves", "calls exit()", model('''
def forward(self, x):
    raise SystemExit(3)''')),
    ("shapes that do not fit", "torch.Tensor.matmul, line 9 of model.py", model('''
def forward(self, x):
    return x.matmul(x)''')),
    ("a size that hangs on values", "values", model('''
def forward(self, x):
    return x[x > 0]''')),
    ("sorted", None, model('''
def forward(self, x):
    return torch.sort(x, 1)[0]''')),
    ("long rows sorted", "sort", model('''
def forward(self, x):
    return torch.sort(x, 1)[0]''', "[torch.randn(2, 9000)]")),
    ("many sums into many places", None, model('''
def forward(self, x, places):
    return torch.zeros(300_000, dtype=x.dtype).scatter_add(0, places, x)''', "[torch.randn(200_000), torch.randint(0, 300_000, (200_000,))]")),
    ("numbers that are not real", None, model('''
def forward(self, x):
    return torch.where(x > 0, x, float("nan")) + torch.where(x > 1, float("inf"), 0.0)''')),
    ("a result that goes into an argument", "forward writes into argument 2", model('''
def forward(self, x, y):
    y.add_(x)
    return y * 2.0''', "[torch.randn(4, 8), torch.randn(4, 8)]")),
    ("a forward that returns nothing", "returns nothing", model('''
def forward(self, x, y):
    y.copy_(x * 2.0)''', "[torch.randn(4, 8), torch.randn(4, 8)]")),
    ("a text for an argument", None, model('''
def forward(self, x, kind):
    return x.sin() if kind == "sine" else x.cos()''', "[torch.randn(6, 10), 'sine']")),
    ("a list of tensors for an argument", "container", model('''
def forward(self, parts):
    return parts[0] + parts[1]''', "[[torch.randn(6), torch.randn(6)]]")),
    ("bags of one length, a mean without padding", None, model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="mean", padding_idx=3)

def forward(self, x):
    return self.bag(x)''', "[torch.randint(0, 20, (9, 5)) // 7 * 3]")),
    ("bags of one length, the largest, some of them empty", None, model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="max", padding_idx=0)

def forward(self, x):
    return self.bag(x) - 1.0''', "[torch.randint(0, 20, (9, 4)) // 17 * 3]")),
    ("bags whose members weigh differently", None, model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="sum")

def forward(self, x, w):
    return torch.tanh(self.bag(x, per_sample_weights=w * 2.0))''', "[torch.randint(0, 20, (9, 5)), torch.rand(9, 5)]")),
    ("bags of one length, whose starts are counted", None, model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="mean", include_last_offset=True)

def forward(self, x):
    return self.bag(x.flatten(), torch.arange(0, 46, 5))''', "[torch.randint(0, 20, (9, 5))]")),
    ("bags of one member", None, model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="max")

def forward(self, x):
    return self.bag(x, torch.arange(9))''', "[torch.randint(0, 20, (9,))]")),
    ("bags whose bounds are read", "known at run time only", model('''
def __init__(self):
    super().__init__()
    self.bag = nn.EmbeddingBag(20, 7, mode="sum")

def forward(self, x, starts):
    return self.bag(x, starts)''', "[torch.randint(0, 20, (45,)), torch.tensor([0, 5, 5, 40])]")),
    ("statistics of one row, behind each other", None, model('''
def forward(self, x):
    return torch.stack([x.mean(1), x.std(1), x.amax(1), x.square().sum(1).sqrt()], dim=1)''', "[torch.randn(60, 100)]")),
    ("a row and its sums, behind each other", None, model('''
def forward(self, x):
    return torch.cat([x.sum(1, keepdim=True).relu(), x * 2.0, x.amin(1, keepdim=True)], dim=1)''', "[torch.randn(60, 100)]")),
    ("sums of other dimensions, behind each other", None, model('''
def forward(self, x):
    return torch.cat([x.mean(2), x.amax(1), x.mean(2) - 1.0], dim=1)''', "[torch.randn(4, 30, 50)]")),
    ("pooled in two ways, channels behind each other", None, model('''
def forward(self, x):
    both = torch.cat([F.max_pool2d(x, 2), F.avg_pool2d(x, 2)], dim=1)
    return both * both.mean((2, 3), keepdim=True)''', "[torch.randn(2, 8, 24, 24)]")),
    ("halves of sums, joined and read again", None, model('''
def forward(self, x):
    sums = torch.stack([x.float().sum(-1), x.float().amax(-1)], dim=-1).to(torch.bfloat16)
    return sums, sums[:, 1] - sums[:, 0]''', "[torch.randn(60, 128).to(torch.bfloat16)]")),
    ("colours and depths along a ray", None, model('''
def forward(self, x, colour, depth):
    weight = torch.softmax(torch.cumsum(x, 1), 1)
    return (weight[..., None] * colour).sum(1), (weight * depth).sum(1), weight''',
                                          "[torch.randn(50, 60), torch.rand(50, 60, 3), torch.rand(50, 60)]")),
    ("what runs along a row, and sums of it", None, model('''
def forward(self, x):
    running = torch.cumsum(x, 1)
    low = running.amin(1, keepdim=True)
    return torch.cat([running.amax(1, keepdim=True) - low, low, x.sum(1, keepdim=True)], 1), running.flip(0)''',
                                                  "[torch.randn(50, 200)]")),
    ("sums over two of four dimensions, turned", None, model('''
def forward(self, x):
    gates = torch.softmax(x, 1)
    return torch.stack([gates.sum((2, 3)).t(), (gates * gates).sum((2, 3)).t(), x.amax((2, 3)).t()], 0)''',
                                                     "[torch.randn(3, 6, 14, 15)]")),
)
