# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference is looked at before it is trusted: two calls with the same inputs and parameters, and what moved.

Nothing is judged here: the judge says what of it a task may have (reference_check.h).
"""

import inspect
import math
import random
import sys
from collections import deque

import torch

from warpwright_effects import is_result, state_name
from warpwright_facts import measure, storage_key, tensors_in
from warpwright_fixed_inputs import other_values
from warpwright_state import nudge
from warpwright_values import DTYPES, Called, Planner, dtype_name, encode, map_tensors, with_fields

WATCHED_ELEMENTS = 1 << 24  # of each result, from the first call to the second
PIECE = 1 << 24
WEIGHTS = 1 << 22
MOST_ENTRIES = 1000
OWN_ATTRIBUTES = set(vars(torch.nn.Module()))
INTEGERS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def bits_of(tensor):
    tensor = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    return tensor.view(INTEGERS[tensor.dtype.itemsize])


def pieces(tensor):
    """Its parts in order, none of them large: what is asked of them takes memory."""
    if tensor.numel() <= PIECE:
        yield tensor
        return
    rows = PIECE * len(tensor) // tensor.numel()
    for start in range(0, len(tensor), max(1, rows)):
        if rows:
            yield tensor[start : start + rows]
        else:
            yield from pieces(tensor[start])


def have_same_bits(first, second):
    if first.shape != second.shape or first.dtype != second.dtype:
        return False
    if first.numel() == 0:
        return True
    return all(torch.equal(one, other) for one, other in zip(pieces(bits_of(first)), pieces(bits_of(second))))


def checksum(tensor):
    if not tensor.numel() or tensor.layout != torch.strided or tensor.dtype not in DTYPES.values():
        return (str(tensor.dtype), tuple(tensor.shape))
    bits, total = bits_of(tensor.detach()).reshape(-1), 0
    weights = torch.arange(1, 2 * min(bits.numel(), WEIGHTS), 2, device=bits.device)  # odd: no bit is lost
    for start in range(0, bits.numel(), WEIGHTS):
        piece = bits[start : start + WEIGHTS]
        total += (start + 1) * (piece * weights[: piece.numel()]).sum().item()
    return (str(tensor.dtype), tuple(tensor.shape), total)


# ---- what a call moves

def generators(device):
    """The states of all generators that nobody has to name."""
    states = {"torch's generator": checksum(torch.get_rng_state()), "Python's random": hash(random.getstate())}
    if device.type == "cuda":
        states["torch's generator of the GPU"] = checksum(torch.cuda.get_rng_state(device))
    if "numpy" in sys.modules:
        states["numpy.random"] = hash(repr(sys.modules["numpy"].random.get_state()))
    return states


def mark(value, depth=0):
    """Something that differs when the value does, and takes no memory."""
    if isinstance(value, torch.Tensor):
        return checksum(value)
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return repr(value)
    if isinstance(value, torch.Generator):
        return checksum(value.get_state())
    if isinstance(value, random.Random):
        return hash(value.getstate())
    if isinstance(value, torch.nn.Module) or callable(value) or depth > 3:
        return type(value).__name__
    if isinstance(value, dict):
        return [(str(key), mark(item, depth + 1)) for key, item in list(value.items())[:MOST_ENTRIES]] + [len(value)]
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return [mark(item, depth + 1) for item in list(value)[:MOST_ENTRIES]] + [len(value)]
    if hasattr(value, "bit_generator"):
        return repr(value.bit_generator.state)
    return mark(vars(value), depth + 1) if hasattr(value, "__dict__") else type(value).__name__


def attributes(model):
    """Everything that a module may keep and a state_dict does not have."""
    marks = {}
    for path, module in model.named_modules():
        kept = {key: value for key, value in vars(module).items() if key not in OWN_ATTRIBUTES}
        kept |= {key: module._buffers[key] for key in module._non_persistent_buffers_set}
        marks |= {f"{path}.{key}".strip("."): (type(value).__name__, mark(value)) for key, value in kept.items()}
    return marks


def moved(before, after):
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def argument_names(model, arguments):
    """A name for each tensor of the arguments, in order: "x", "caches[0]"."""
    names = []

    def collect(value, name):
        if isinstance(value, torch.Tensor):
            names.append(name)
        elif isinstance(value, (list, tuple)):
            for place, item in enumerate(value):
                collect(item, f"{name}[{place}]")
        elif isinstance(value, dict):
            for key, item in value.items():
                collect(item, f"{name}[{key!r}]")

    try:
        parameters = list(inspect.signature(model.forward).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for place, value in enumerate(arguments):
        collect(value, positional[place] if place < len(positional) else str(place))
    return names


# ---- what it gives

def leaves(value, path="output"):
    """(path, value) of everything that is no container, by the judge's names."""
    if isinstance(value, Called):
        for name, item in value.items():
            yield from leaves(item, name or path)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for place, item in enumerate(value):
            yield from leaves(item, f"{path}[{place}]")
    else:
        yield path, value


def incomparable(value):
    """Why the judge cannot compare it; "": it can."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized or getattr(value, "is_nested", False):
            return "a tensor that is not dense (sparse, nested or quantized)"
        return "" if value.dtype in DTYPES.values() else f"a tensor of {dtype_name(value.dtype)}"
    if value is None or isinstance(value, (bool, int, float, str, torch.dtype)):
        return ""
    return f"of type {type(value).__name__}"


def sample(value):
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().reshape(-1)[:: max(1, value.numel() // WATCHED_ELEMENTS)].clone()


def not_finite(path, tensor):
    """{output, count, elements, place} of a result with NaN or infinities; None: all is finite."""
    if not (tensor.dtype.is_floating_point or tensor.dtype.is_complex) or tensor.dtype.itemsize < 2 or not tensor.numel():
        return None
    count, seen, first = 0, 0, None
    for piece in pieces(tensor.detach()):
        odd = ~torch.isfinite(piece)
        here = int(odd.sum())
        if here and first is None:
            first = seen + int(odd.reshape(-1).to(torch.uint8).argmax())
        count += here
        seen += piece.numel()
    if not count:
        return None
    place = [int(index) for index in torch.unravel_index(torch.tensor(first), tensor.shape)] if tensor.dim() else []
    value = tensor.detach()[tuple(place)].item()
    return {"output": path, "count": count, "elements": tensor.numel(), "place": place, "value": str(value)}


def difference(first, second):
    """{by, allowed} of two results of the same call, in parts of the RMS value; None: the same, as far as the order of a
    sum's terms (atomics) allows."""
    if isinstance(first, float) and isinstance(second, float):  # it may come from a sum
        same = math.isclose(first, second, rel_tol=1e-3) or math.isnan(first) and math.isnan(second)
        return None if same else {"by": None, "first": str(first), "second": str(second)}
    if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
        return None if type(first) is type(second) and first == second else {"by": None, "first": str(first), "second": str(second)}
    if have_same_bits(first, second):
        return None
    if first.shape != second.shape or first.dtype != second.dtype:
        return {"by": None, "first": f"{first.dtype}{list(first.shape)}", "second": f"{second.dtype}{list(second.shape)}"}
    if not (first.dtype.is_floating_point or first.dtype.is_complex):
        by, allowed = (first != second).double().mean().item(), 0.01
    else:
        allowed = 0.02 if first.dtype.itemsize < 4 else 1e-3
        wide = torch.complex128 if first.dtype.is_complex else torch.float64
        first, second = first.to(wide), second.to(wide)
        if not torch.equal(first.isnan(), second.isnan()):
            return {"by": None, "first": "NaN in other places", "second": "the first time"}
        finite = first.isfinite() & second.isfinite()
        first, second = first[finite], second[finite]
        size = first.abs().square().mean().sqrt().item()
        by = (first - second).abs().square().mean().sqrt().item() / size if size else 0.0
    return {"by": by} if by > allowed else None


def shares_buffer(out):
    keys = [storage_key(tensor) for _, tensor in leaves(out) if isinstance(tensor, torch.Tensor) and tensor.numel()]
    return len(set(keys)) < len(keys)


def called(out, written, arguments):
    """As WatchedCalls gives it; `written`: names by place."""
    return Called({"": out} | {f"argument {written[place]}": tensor for place, tensor in enumerate(tensors_in(arguments)) if place in written})


def shows_first_call(model, another, fresh, written, put_back):
    """"inputs" or "parameters": with other ones, what the model kept at its first call shows in its result, for a model that
    was not called before gives another one. "": it does not, or nobody can tell."""
    for other in ("inputs", "parameters"):
        try:
            new = another()
            if other == "parameters":
                for each in (model, new):
                    nudge(each, seed=1, distance=0.5)
            results = []
            for each in (model, new):
                arguments = fresh()
                arguments = other_values(arguments, seed=1) if other == "inputs" else arguments
                results.append(list(leaves(called(with_fields(each(*arguments)), written, arguments))))
        except Exception:  # inputs or parameters that it cannot take, or no memory for two
            continue
        finally:
            put_back()
        if any(difference(one, two) for (_, one), (_, two) in zip(*results)):
            return other
    return ""


# ---- the look

def looked_at(model, module_file, fresh, drawn, put_back, device, most_in_use, another=None):
    """The facts of the reference and `look`, what the judge has to know of it.

    `fresh()` gives the arguments of `drawn` anew; `put_back()` gives the model its state again, and returns what of it
    was other, by name; `most_in_use()`: bytes of the arena, at most since it was asked last, and now;
    `another()` makes the model again, with the same parameters.
    """
    before = generators(device), attributes(model)
    arguments = fresh()
    names = argument_names(model, arguments)
    _, held = most_in_use()
    facts, out, places = measure(model, arguments, module_file)
    facts["forwardBytes"] = most_in_use()[0] - held
    after = generators(device), attributes(model)
    written = {place: name for place, (name, tensor, was) in enumerate(zip(names, tensors_in(arguments), tensors_in(drawn)))
               if place in places or not have_same_bits(tensor, was)}
    results = called(out, written, arguments)
    changed = put_back()
    results.update((state_name(model, name), changed[name]) for name in sorted(changed) if is_result(name))
    look = {
        "movedGenerators": moved(before[0], after[0]),
        "incomparable": [{"output": path, "what": what} for path, value in leaves(results) if (what := incomparable(value))],
        "returns": "None" if out is None else f"a {type(out).__name__}",
        "keepsFromFirst": moved(before[1], after[1]),
    }
    facts["effects"] = {"arguments": {str(place): name for place, name in written.items()}, "state": sorted(changed)}
    if look["incomparable"]:
        return facts | {"look": look}
    facts["sharesBuffers"] = shares_buffer(out)
    has_effects = bool(written or changed)
    facts["outputs"] = encode(results if has_effects else out, Planner("none").place)
    beside = sum(tensor.numel() * tensor.dtype.itemsize for name, tensor in results.items() if name)
    facts["outputBytes"] += beside
    facts["forwardBytes"] += beside  # copies, in each call that is watched
    look["notFinite"] = [odd for path, value in leaves(results) if isinstance(value, torch.Tensor) and (odd := not_finite(path, value))]
    first = [(path, sample(value)) for path, value in leaves(results)]
    state = facts["effects"]["state"]
    del out, results, arguments, changed

    arguments = fresh()
    out = with_fields(model(*arguments))
    # What it kept at its first call only is no state: a table that is made when it is needed.
    look["keeps"] = moved(after[1], attributes(model))
    results = called(out, written, arguments)
    changed = put_back()
    look["keeps"] += sorted(changed.keys() - set(state))
    results.update((state_name(model, name), changed[name]) for name in state if name in changed and is_result(name))
    second = [(path, sample(value)) for path, value in leaves(results)]
    look["differs"] = None
    for (path, one), (other_path, other) in zip(first, second):
        found = difference(one, other) if path == other_path else {"by": None, "first": path, "second": other_path}
        if found:
            look["differs"] = {"output": path, **found}
            break
    look["showsFirst"] = ""
    if another and look["keepsFromFirst"] and not look["keeps"] and not look["differs"]:
        del out, results, changed, arguments, first, second
        look["showsFirst"] = shows_first_call(model, another, fresh, written, put_back)
    return facts | {"look": look}
