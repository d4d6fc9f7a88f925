# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates inline PTX to C++: emulator/ has the instructions, this module maps their operands."""

import re

# By instruction; {0}, {1}... are its operands in PTX's order, without brackets. An `_` is an unused result.
TRANSLATIONS = {
    ".reg .pred": "bool {0} = false;",
    "setp.ne.b32": "{0} = {1} != {2};",
    "selp.u32": "{0} = {3} ? {1} : {2};",
    "ex2.approx.ftz.f32": "{0} = std::exp2({1});",
    "lg2.approx.f32": "{0} = std::log2({1});",
    "lg2.approx.ftz.f32": "{0} = std::log2({1});",
    "sqrt.approx.f32": "{0} = std::sqrt({1});",
    "max.NaN.f32": "{0} = ({1}) > ({2}) || ({1}) != ({1}) ? ({1}) : ({2});",
    "min.NaN.f32": "{0} = ({1}) < ({2}) || ({1}) != ({1}) ? ({1}) : ({2});",
    "rcp.approx.ftz.f32": "{0} = 1.0f / ({1});",
    "fence.mbarrier_init.release.cluster": "",  # other blocks wait for this one anyway
    "mbarrier.init.shared::cta.b64": "emulator::initBarrier({0}, {1});",
    "mbarrier.try_wait.parity.shared::cta.b64": "{0} = emulator::tryWait({1}, {2});",
    "mbarrier.arrive.shared::cta.b64": "emulator::arrive({1});",
    "mbarrier.arrive.expect_tx.shared::cta.b64": "emulator::expectBytes({1}, {2}); emulator::arrive({1});",
    **{f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes":
       "emulator::copyBox({0}, {2}, {1});" for rank in (2, 3, 4, 5)},
    **{f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes":
       f"emulator::copyPixels<{rank}>({{0}}, {{2}}, {{3}}, {{1}});" for rank in (3, 4, 5)},
    "prefetch.global.L2": "",
    "griddepcontrol.launch_dependents": "",  # kernels run one after the other
    "griddepcontrol.wait": "",
    "fence.proxy.async.shared::cta": "",  # the emulator's writes are visible at once
    "wgmma.fence.sync.aligned": "emulator::fenceProducts();",
    "wgmma.commit_group.sync.aligned": "emulator::commitProducts();",
    "wgmma.wait_group.sync.aligned": "emulator::waitForProducts({0});",
    "bar.sync": "emulator::meet({0}, {1});",
    "setmaxnreg.inc.sync.aligned.u32": "emulator::haveRegisters({0}, true);",
    "setmaxnreg.dec.sync.aligned.u32": "emulator::haveRegisters({0}, false);",
}
WGMMA = re.compile(r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.f32\.(\w+)\.\3")
K_OF_TYPE = {"f16": "16", "bf16": "16", "tf32": "8"}  # elements of 32 bytes
OPEN, CLOSED = "([{", ")]}"
PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|.', flags=re.S)  # a string is one piece


def parts_of(text, mark=","):
    """Splits text at `mark` outside of brackets and strings."""
    parts, depth = [""], 0
    for piece in PIECE.findall(text):
        depth += (piece in OPEN) - (piece in CLOSED)
        if piece == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


def end_of(text, start):
    """The position after the bracket that closes the one at `start`."""
    depth = 0
    for piece in PIECE.finditer(text, start):
        depth += (piece[0] in OPEN) - (piece[0] in CLOSED)
        if depth == 0:
            return piece.end()
    raise ValueError("a bracket is not closed")


def operand(text, arguments, is_inside=False):
    """One operand of PTX: an address (of several parts), a list of registers, or a name."""
    if text[0] in "[{":
        parts = [operand(part, arguments, True) for part in parts_of(text[1:-1])]
        return ", ".join(parts) if is_inside or text[0] == "[" else "{" + ", ".join(f"&{part}" for part in parts) + "}"
    return re.sub(r"%(\d+)", lambda number: f"({arguments[int(number[1])]})", text)


def instruction(text, arguments):
    guard = re.match(r"@(\w+) ", text)
    if guard:
        return f"if ({guard[1]}) {{ {instruction(text[guard.end():], arguments)} }}"
    name, _, rest = text.rpartition(" ") if text.startswith(".") else text.partition(" ")
    operands = [operand(part, arguments) for part in parts_of(rest)] if rest else []
    wgmma = WGMMA.fullmatch(name)
    if wgmma and wgmma[2] == K_OF_TYPE.get(wgmma[3]):
        multiply = "multiplyRegisters" if operands[1].startswith("{") else "multiplyGroup"  # the first matrix is in registers, or in shared memory
        return f"emulator::{multiply}<{wgmma[1]}, emulator::{wgmma[3].capitalize()}>({', '.join(operands)});"
    if name not in TRANSLATIONS:
        raise ValueError(f"the emulator has no meaning for «{text}»")
    return TRANSLATIONS[name].format(*operands)


def statement(text):
    """asm(`text`) as a block."""
    sections = parts_of(text, ":")
    code = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', sections[0])).replace("\\n", "\n").strip()
    code = code[1:-1] if code.startswith("{") else code
    arguments = [re.fullmatch(r'"[^"]*"\s*\((.*)\)', part, flags=re.S)[1] for section in sections[1:3]
                 for part in parts_of(section) if part]
    lines = [instruction(" ".join(part.split()), arguments) for part in parts_of(code, ";") if part]
    return "{ " + " ".join(lines) + " }"


def without_asm(text):
    result, rest = "", text
    while found := re.search(r"\basm(?: volatile)?(?=\()", rest):
        end = end_of(rest, found.end())
        result += rest[:found.start()] + statement(rest[found.end() + 1:end - 1])
        rest = rest[end:].removeprefix(";")
    return result + rest
