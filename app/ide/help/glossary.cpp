// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/help/glossary.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpwright {
namespace {

/// As they are written here: UTF-8.
struct Line {
    const char *word;
    const char *otherNames;
    const char *meaning;
};

constexpr Line lines[] = {
    {"accept, reject", "approve decline take drop",
     "Your answer to a hunk. Accepted hunks stay in the text and are what is measured next; "
     "rejected ones leave it, with your reason where you give one. An answer can be taken back"
     " by undo."},
    {"arm", "variant contender series",
     "One of the things that are timed side by side: the candidate, eager, torch.compile, each"
     " also with TF32. Arms take turns in the same minutes, under one clock, with the same "
     "inputs."},
    {"Auto, Step, Review", "mode autopilot approve",
     "How an agent's run is steered. Review: you answer each hunk. Step: you decide once an "
     "iteration, after it was measured. Auto: what verifies and is faster is kept, until a "
     "budget ends."},
    {"baseline", "reference time competitor",
     "What the candidate's time is divided by: the reference run by PyTorch, eager or by "
     "torch.compile. Measured in the same check as the candidate; one that was stored "
     "earlier is corrected by a baseline that runs now, and says so."},
    {"bet", "prediction guess",
     "What you expect of a step before its numbers are shown: a factor (3x), a percentage, a "
     "time. The ledger holds it against what was measured."},
    {"branch", "fork checkout restore",
     "Goes on from an earlier iteration: its text becomes yours. What you had stays in the "
     "tree, as an iteration of its own."},
    {"budget", "limit cost",
     "What a run may use: iterations, minutes, tokens, money. At its end the text that was "
     "kept last lies on the disk, and the run can be gone on with."},
    {"candidate", "solution submission model_new",
     "What is judged and timed: the files of kernels/ and model_new.py, which calls them in "
     "the place of the reference's forward."},
    {"ceiling", "peak rate bandwidth roof",
     "A peak that this device reaches in a small program of ours: bytes a second, operations a"
     " second of each precision. Measured, not taken from a data sheet."},
    {"certify", "thorough full tier benchmark",
     "The slow tier of a check: every baseline and the candidate in fresh processes, call by "
     "call and as one CUDA graph, until the interval is at most 1 % and a baseline against "
     "itself comes to 1."},
    {"check", "evaluate build test benchmark",
     "F5: saves, keeps the text as an iteration, compiles it, verifies it against the "
     "reference and times it beside the baselines. Its result is the verdict."},
    {"config", "tuning parameter choices autotune",
     "One set of values of the candidate's own switches (ModelNew.CHOICES): tile, threads of a"
     " block, unroll. «Check and try every config» times them all; what it finds are hints."},
    {"doubt", "caveat warning",
     "What the judge could not rule out or not try, said beside a verdict: a lower precision, "
     "a noisy machine, a check that was not run. It changes no verdict."},
    {"eager", "pytorch baseline",
     "The reference as PyTorch runs it, operator by operator, without torch.compile."},
    {"evaluation", "result report",
     "The whole outcome of one check: compile report, verification, times of all arms with "
     "their samples, environment, verdict. It is stored with its iteration."},
    {"exercised", "executed run coverage",
     "Code that ran in this check. Without a GPU kernels/*.cu is compiled and not run, and "
     "only the CPU twin is exercised; a change of which nothing ran is «not exercised» and its"
     " times say nothing of it."},
    {"failure map", "error map worst elements",
     "Where a wrong result is wrong: the elements of the output as a picture, coloured by "
     "error over allowed error. Its pattern often names the cause: last rows of a tile, every "
     "32nd element."},
    {"finding", "hint bottleneck reason",
     "What keeps a kernel from being faster, from source, ptxas, SASS, counters and times, "
     "with its evidence and the most that it could gain. A hint, never part of a verdict."},
    {"heat", "hot spots stall samples",
     "How much of a kernel's time goes to a line or an instruction, by sampled warps of Nsight"
     " Compute, and what these warps waited for."},
    {"hit, off, undecided", "prediction outcome",
     "Of a prediction or a bet. Hit: the measured factor lies in the expected range. "
     "Undecided: only its 95 % interval meets the range. Off: neither does."},
    {"hunk", "change diff block",
     "Consecutive changed lines of a proposal with their place, as in a unified diff. It is "
     "accepted, rejected or edited by itself; those that need each other are answered "
     "together."},
    {"inconclusive", "noise undecided",
     "Verified, but the times scatter too much to say which text is faster: the interval is "
     "wider than the tier allows. Measure again on a quieter machine, or by certify."},
    {"interval", "confidence error ±",
     "The 95 % confidence interval by bootstrap over blocks of calls, widened by what "
     "processes differ by. Two intervals that meet do not tell two texts apart."},
    {"iteration", "version commit history",
     "A text that was kept, with its number, its parent, its author and its evaluation. Each "
     "check of a changed text makes one; none is ever overwritten."},
    {"judge", "harness checker referee grader",
     "The program that decides: a process of its own that draws secret inputs, compares each "
     "element with the reference and an fp64 oracle, and holds the clock. It trusts nothing "
     "that the candidate loads. Built once for each account and torch."},
    {"kept, left out", "applied discarded outcome",
     "What became of a proposal. Kept: its text is the newest iteration. Kept in part: only "
     "its accepted hunks are. Left out: the text before it stays, because it was wrong, slower"
     " or rejected."},
    {"ledger", "prediction record",
     "The list of what was expected of each proposal, by its author and by you, beside what "
     "was measured."},
    {"lesson", "tutorial course",
     "A kernel from naive to fast in steps that you review: each is a patch with a reason and "
     "a prediction, measured on your machine. One of the steps does not deserve to be kept."},
    {"limiter", "occupancy limit",
     "What limits the resident warps of a streaming multiprocessor (SM) first: registers, shared memory, "
     "blocks or warps."},
    {"move", "rewrite rule optimization transformation",
     "One idea of the playbook: wide loads, a reduction in registers, another tile. It says "
     "what it expects before it is measured."},
    {"occupancy", "warps resident",
     "Resident warps over the most that a streaming multiprocessor (SM) can hold, from registers, shared "
     "memory and threads of a block. Theoretical where no counters were collected."},
    {"own text, my text", "working copy head",
     "What lies in your files, in contrast to an earlier iteration or an event of a past run, "
     "which are shown read-only."},
    {"playbook", "built-in expert agent optimizer",
     "The built-in agent: it reads the reference as a graph, writes kernels for it and tries "
     "its moves. It needs no model and no network."},
    {"precision class", "tf32 bf16 accuracy tolerance",
     "The arithmetic that a result is as exact as: fp32, TF32, BF16 and so on. A lower one "
     "passes only where the task allows it, and its time is held against a baseline of the "
     "same class."},
    {"proposal", "patch suggestion pull request",
     "A change that an agent or a series of patches offers: hunks with a reason and a "
     "prediction. It is compiled, verified and measured in a copy before you decide."},
    {"reference", "model.py ground truth",
     "The PyTorch module in model.py: what the candidate must compute, and whose time it must "
     "beat. It is never edited here."},
    {"replay", "recording playback",
     "A past run played again, event by event, with the text as it was. Nothing is compiled or "
     "measured anew; your own text stays untouched."},
    {"reward", "score grade rl",
     "What a model is trained with. −1: wrong. 1: right. 2: also more than 5 % faster than "
     "eager. 3: also more than 5 % faster than torch.compile."},
    {"sandbox", "wall isolation namespaces landlock",
     "What a candidate and its compilers run in: without network, with its own folder only. "
     "The Doctor says which kind this machine has."},
    {"side by side", "paired comparison",
     "Two texts that are timed in alternation in the same minutes. It decides whether a step "
     "is faster: times of two checks differ by more than the step does."},
    {"speed of light", "roofline bound lower limit",
     "The least time that the task can take on this device: the bytes it must move and the "
     "operations it must do, at the measured ceilings. Percentages of it compare only where it"
     " is the same."},
    {"speed-up", "faster factor times ratio acceleration",
     "How many times as fast: the time of what it is compared with (eager, torch.compile, the text before) "
     "divided by yours. 2× is half the time, 0.5× is twice the time."},
    {"spill", "local memory registers",
     "Registers that did not fit and live in local memory: stores and loads of a thread in "
     "bytes, as ptxas says."},
    {"stale", "outdated edited",
     "The text was edited since the verdict. The old word stays with it, its numbers are not "
     "of this text."},
    {"sweep", "autotune grid search", "Times every config of the candidate in one check."},
    {"text", "source code version",
     "The candidate's source files as they are at one moment; two texts are the same where "
     "every byte is."},
    {"tier", "quick certify",
     "How much a check measures. Quick: seconds, for the turn from edit to verdict. Certify: "
     "minutes, for a number that one publishes."},
    {"trajectory", "log record events jsonl",
     "The record of a run, one event a line in trajectory.jsonl: what was proposed, answered, "
     "measured. `wright replay` checks that each text comes out of it byte for byte."},
    {"twin", "cpu implementation",
     "kernels/X.cpp beside kernels/X.cu: the same computation in C++ for a CPU. It is what "
     "runs on a machine without a GPU; it says nothing of the kernel's speed."},
    {"unverifiable, degenerate", "trivial task",
     "The reference's result hardly depends on its inputs, so that a pass would prove nothing,"
     " or a constant would pass."},
    {"verdict", "result status outcome",
     "What a check comes to: pass, wrong, rejected, run failed, build failed, impossible, "
     "inconclusive, unverifiable, not run or cancelled."},
    {"workspace", "project folder",
     "A folder with model.py, kernels/ and model_new.py. Iterations and evaluations lie beside"
     " them in .warpwright/."},
};

QString tr(const char *text) {
    return QCoreApplication::translate("Glossary", text);
}

} // namespace

const std::vector<GlossaryEntry> &glossary() {
    static const std::vector<GlossaryEntry> entries = [] {
        std::vector<GlossaryEntry> made;
        for (const Line &line : lines)
            made.push_back({tr(line.word), tr(line.otherNames), tr(line.meaning)});
        return made;
    }();
    return entries;
}

std::vector<GlossaryEntry> explained(const QStringList &words) {
    std::vector<GlossaryEntry> found;
    // «speedup» is «speed-up», and the other way round.
    const auto plain = [](QString text) {
        return text.remove(QLatin1Char('-'));
    };
    for (const GlossaryEntry &entry : glossary()) {
        const QString all =
            plain(entry.word + QLatin1Char(' ') + entry.otherNames + QLatin1Char(' ') + entry.meaning);
        if (std::all_of(words.begin(), words.end(),
                        [&](const QString &word) { return all.contains(plain(word), Qt::CaseInsensitive); }))
            found.push_back(entry);
    }
    // Whose name it is comes first.
    std::stable_partition(found.begin(), found.end(), [&](const GlossaryEntry &entry) {
        return !words.isEmpty() && plain(entry.word).contains(plain(words.first()), Qt::CaseInsensitive);
    });
    return found;
}

} // namespace warpwright
