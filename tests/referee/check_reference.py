# SPDX-License-Identifier: GPL-3.0-or-later
"""What the judge's worker sees of a reference before it is trusted, what a call does beside what it returns, and inputs
that differ where get_inputs() does not.

Exit code 0: all right, 1: complaints, 77: no Python with torch was found (an error where REQUIRE_TOOLS=1).
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tasks"), os.path.join(HERE, "..", "..", "toolchain", "referee", "worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from torch import nn  # noqa: E402
from warpwright_fixed_inputs import ShapesChange, check_form, form_of, nearly_same, other_values, seeds_left_out  # noqa: E402
from warpwright_effects import watched  # noqa: E402
from warpwright_modes import FlushedNumbers, dispatch_mode, taken_apart  # noqa: E402
from warpwright_record import OperatorRecord, StateLeftOut  # noqa: E402
from warpwright_reference import looked_at  # noqa: E402
from warpwright_state import redraw  # noqa: E402

complaints = 0


def expect(what, found, wanted):
    global complaints
    if found != wanted:
        complaints += 1
        print(f"{what}: {found}, wanted {wanted}")


class Reference(nn.Module):
    """`function(self, *arguments)` is its forward; `parts` are its attributes."""

    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        for name, part in parts.items():
            if isinstance(part, torch.Tensor):
                self.register_buffer(name, part)
            else:
                setattr(self, name, part)

    def forward(self, *arguments):
        return self.function(self, *arguments)


def facts_of(model, train=False, arguments=None, another=None):
    model.train(train)
    drawn = [torch.randn(8, 4)] if arguments is None else arguments
    first = {name: tensor.clone() for name, tensor in model.state_dict().items()}

    def put_back():
        own, changed = model.state_dict(), {}
        for name, tensor in first.items():
            if not torch.equal(own[name], tensor):
                changed[name] = own[name].clone()
                own[name].copy_(tensor)
        return changed

    with torch.no_grad():
        return looked_at(model, __file__, lambda: [tensor.clone() for tensor in drawn], drawn, put_back, torch.device("cpu"),
                         lambda: (0, 0), another)


def look_at(function, train=False, **parts):
    return facts_of(Reference(function, **parts), train)["look"]


def count(self, x):
    self.step += 1
    return x * 2


def keep_sum(self, x):
    y = x * 2
    self.seen = y if self.seen is None else self.seen + y
    return y


def keep_last(self, x):
    self.last = x * 2
    return self.last


def lazy(self, x):
    if self.table is None:
        self.table = torch.arange(4.0)
    return x * self.table


calls = []


def outside(self, x):
    calls.append(1)
    return x * len(calls)


def poke(self, x):
    y = x.clone()
    y[2, 1] = float("nan")
    return y


# ---- random, and what a call keeps

quiet = look_at(lambda self, x: torch.relu(x))
expect("a plain reference", (quiet["movedGenerators"], quiet["keeps"], quiet["differs"], quiet["notFinite"]), ([], [], None, []))
noisy = facts_of(Reference(lambda self, x: self.drop(x), drop=nn.Dropout(0.3)), train=True)
expect("dropout at work", noisy["look"]["movedGenerators"], ["torch's generator"])
expect("where", [(place["module"], place["type"]) for place in noisy["seeded"].values()], [("drop", "Dropout")])
expect("dropout of p 0", look_at(lambda self, x: self.drop(x), train=True, drop=nn.Dropout(0.0))["movedGenerators"], [])
tiny = facts_of(Reference(lambda self, x: x + 1e-6 * torch.rand_like(x)))
expect("noise below every bound", tiny["look"]["movedGenerators"], ["torch's generator"])
expect("its operator", list(tiny["seeded"]), ["rand_like"])
expect("Python's own", look_at(lambda self, x: x * random.random())["movedGenerators"], ["Python's random"])
expect("a counter", look_at(count, step=0)["keeps"], ["step"])
expect("a growing sum", look_at(keep_sum, seen=None)["keeps"], ["seen"])
expect("the last result, kept for people", look_at(keep_last, last=None)["keeps"], [])
expect("a table made at the first call", look_at(lazy, table=None)["keeps"], [])
expect("state outside", look_at(outside)["differs"]["output"], "output")
expect("values that differ", look_at(lambda self, x: (x, len(calls), calls.append(1)))["differs"]["first"], str(len(calls) - 2))



def keep_first(self, x):
    if self.kept is None:
        self.kept = x * self.gain
    return self.kept


def pack_once(self, x):
    if self.packed is None:
        self.packed = self.gain.sqrt()
    return x * self.packed


def shows_first(function, **parts):
    def made():
        model = Reference(function, gain=None, **parts)
        model.gain = nn.Parameter(torch.full((4,), 2.0))
        return model

    return facts_of(made(), another=made)["look"]["showsFirst"]


expect("the first result", shows_first(keep_first, kept=None), "inputs")
expect("parameters of the first call", shows_first(pack_once, packed=None), "parameters")
expect("a table", shows_first(lazy, table=None), "")

# ---- results

def odd(function):
    return [(entry["output"], entry["what"]) for entry in look_at(function)["incomparable"]]


expect("a number", odd(lambda self, x: (x, x.sum().item(), float("nan"))), [])
expect("which is the same twice", look_at(lambda self, x: (x, x.sum().item(), float("nan")))["differs"], None)
expect("or is not", look_at(lambda self, x: (x, float(len(calls)), calls.append(1)))["differs"]["output"], "output[1]")
expect("a set", odd(lambda self, x: {"a": x, "b": {1}}), [("output.b", "of type set")])
expect("sparse", odd(lambda self, x: x.to_sparse()), [("output", "a tensor that is not dense (sparse, nested or quantized)")])
expect("what may stand beside", odd(lambda self, x: [x, (None, 3, "s", {"a": True})]), [])
holes = look_at(poke)["notFinite"]
expect("NaN", [(hole["output"], hole["count"], hole["elements"], hole["place"], hole["value"]) for hole in holes],
       [("output", 1, 32, [2, 1], "nan")])
expect("views of one buffer", facts_of(Reference(lambda self, x: (x * 2).chunk(2, dim=-1)))["sharesBuffers"], True)
expect("results of their own", facts_of(Reference(lambda self, x: (x * 2, x * 3)))["sharesBuffers"], False)

# ---- effects


def into(self, x, residual):
    residual.add_(x)
    x.data.copy_(residual * 2)  # which torch does not count as written


pair = [torch.randn(4, 3), torch.randn(4, 3)]
kept = [tensor.clone() for tensor in pair]
norm = Reference(into)
written = facts_of(norm, arguments=pair)
expect("written arguments", sorted(written["effects"]["arguments"]), ["0", "1"])
expect("nothing is returned", [item["kind"] for item in written["outputs"]["items"]], ["none", "tensor", "tensor"])
with torch.no_grad():
    twice = [watched(norm, norm, written["effects"])(*pair) for _ in range(2)]
expect("each call gets them anew", all(torch.equal(*each) for each in zip(pair, kept)), True)
expect("and gives the same", all(torch.equal(twice[0][name], twice[1][name]) for name in twice[0] if name), True)
expect("their names", sorted(twice[0]), ["", "argument 0", "argument 1"])

batch = nn.BatchNorm1d(4)
trained = facts_of(batch, train=True)
expect("running statistics in train mode", trained["effects"]["state"], ["num_batches_tracked", "running_mean", "running_var"])
expect("in eval mode", facts_of(nn.BatchNorm1d(4))["effects"]["state"], [])
expect("they are no refusal", (trained["look"]["keeps"], trained["look"]["differs"]), ([], None))
batch.train()
model = watched(batch, batch, trained["effects"])
with torch.no_grad():
    out = model(torch.randn(8, 4))
expect("put back after the call", (batch.running_mean.abs().sum().item(), batch.num_batches_tracked.item()), (0.0, 0))
expect("the state of a kernel's model has the same names", sorted(name for name in out if name),
       ["buffer running_mean", "buffer running_var"])

# ---- what torch may do in a candidate


def recorded(function, state):
    with torch.no_grad(), dispatch_mode(OperatorRecord)("", state) as record:
        function()
    return sorted(record.operators), sorted(record.on_state)


def without_state(function, state):
    with torch.no_grad(), dispatch_mode(StateLeftOut)(state):
        return function()


mean, rows, small = torch.zeros(4), torch.randn(64, 4), torch.randn(4)
expect("a moving average", recorded(lambda: mean.mul_(0.9).add_(0.1 * small), [mean]), ([], ["add_", "mul", "mul_"]))
expect("of the whole input", recorded(lambda: mean.lerp_(rows.mean(0), 0.1), [mean]), (["mean"], ["lerp_"]))
expect("work in the small", recorded(lambda: (rows * small, small.rsqrt()), [mean]), (["mul", "rsqrt"], []))
expect("no state, no arithmetic", recorded(lambda: small + 1, []), (["add"], []))
expect("copies", recorded(lambda: torch._foreach_copy_([mean], [small.clone()]), []), ([], []))
expect("in place it does nothing", without_state(lambda: mean.clone().add_(small).eq(mean).all().item(), [mean]), True)
expect("else NaN", without_state(lambda: (small * 2).isnan().all().item(), [mean]), True)
expect("what is larger stays", without_state(lambda: (rows * 2).isnan().any().item(), [mean]), False)

# ---- denormal numbers

little = torch.tensor([1e-20, 3e-19])
with torch.no_grad(), taken_apart(FlushedNumbers):
    expect("a step", (little * 1e-19 * 1e10).tolist(), [0.0, (little * 1e-19 * 1e10)[1].item()])
    expect("products in a sum", (torch.stack([little, little]) @ torch.stack([little, little]).t())[0, 0].item(),
           (little[1] * little[1]).item())
expect("which are there else", (torch.stack([little] * 2) @ torch.stack([little] * 2).t())[0, 0].item() > (little[1] ** 2).item(), True)

# ---- draws


def seeded():
    torch.manual_seed(0)
    return torch.randn(4)


def with_generator():
    return torch.randn(4, generator=torch.Generator().manual_seed(3))


def drawn(function, seed):
    torch.manual_seed(seed)
    with seeds_left_out():
        return function()


for function in (seeded, with_generator):
    expect(f"{function.__name__} fixes", torch.equal(function(), function()), True)
    expect(f"{function.__name__}, left out", torch.equal(drawn(function, 1), drawn(function, 2)), False)
    expect(f"{function.__name__}, from one seed", torch.equal(drawn(function, 1), drawn(function, 1)), True)
try:
    import numpy
except ImportError:
    numpy = None
if numpy is not None:
    def by_numpy():
        return torch.tensor(numpy.random.default_rng(0).normal(size=4) + numpy.random.RandomState(1).normal(size=4))

    expect("numpy's generators, left out", torch.equal(drawn(by_numpy, 1), drawn(by_numpy, 2)), False)

values = torch.rand(64, 32) + 2.0
other = other_values([values], 5)[0]
expect("new values", torch.equal(other, values), False)
expect("in the same bounds", bool(other.min() >= values.min() and other.max() <= values.max()), True)
expect("about as many below", abs((other < values.median()).float().mean().item() - 0.5) < 0.05, True)
near = nearly_same([values], 5)[0]
expect("a few numbers trade places", (0 < int((near != values).sum()) <= 64, sorted(near.flatten().tolist()) == sorted(values.flatten().tolist())), (True, True))
places = torch.arange(64).reshape(32, 2)
expect("whole numbers stay in range", sorted(other_values([places], 5)[0].flatten().tolist()), list(range(64)))
mask = torch.zeros(16, 16).masked_fill(torch.ones(16, 16).triu(1).bool(), float("-inf"))
expect("rows of a mask stay rows", sorted(other_values([mask], 5)[0].isinf().sum(1).tolist()), list(range(16)))
shares = torch.softmax(torch.randn(16, 8), 1)
expect("rows that add up to one do", torch.allclose(other_values([shares], 5)[0].sum(1), torch.ones(16)), True)
try:
    check_form(form_of([values]), form_of([values[:60]]))
    expect("shapes that change", "nothing", "an error")
except ShapesChange as change:
    expect("shapes that change", str(change), "its tensor 0 was float32[64, 32] at first, and float32[60, 32] the next time")

# ---- parameters

tenth = nn.Parameter(0.1 * torch.eye(48))
redraw(nn.ParameterList([tenth]), 3)
expect("what was never negative stays so", (bool((tenth >= 0).all()), int((tenth > 0).sum()) > 2000), (True, True))
for care, wanted in ((1, "all >= 0"), (2, "signs"), (3, "one factor")):
    weight, zeros = nn.Parameter(torch.randn(6, 5)), nn.Parameter(torch.zeros(7))
    before = weight.detach().clone()
    redraw(nn.ParameterList([weight, zeros]), 3, care)
    factors = weight.detach() / before
    expect(f"care {care} changes", torch.equal(before, weight), False)
    expect(f"care {care}: {wanted}", {1: bool((zeros >= 0).all() and zeros.any()), 2: bool((factors > 0).all() and not zeros.any()),
                                      3: bool((factors - factors[0, 0]).abs().max() < 1e-5 and not zeros.any())}[care], True)

print("reference: all right" if not complaints else f"reference: {complaints} complaints")
sys.exit(complaints > 0)
