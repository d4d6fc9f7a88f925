// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timed_outputs.h"

#include "referee/comparison.h"
#include "referee/judged_tensor.h"
#include "referee/report_text.h"
#include "referee/value_tree.h"

#include <algorithm>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;

} // namespace

TimedOutputs::TimedOutputs(TaskSession &session, Json &answer, const Json &sets, double allowed,
                           double allowedWhole)
    : m_session(session),
      m_stage(answer),
      m_sets(sets),
      m_allowed(allowed),
      m_allowedWhole(allowedWhole),
      m_random(TaskSession::secretSeed()) {}

// On a GPU every block at first, then every fourth: what goes wrong after many calls stays wrong. On a CPU,
// where the reference takes as long as what is timed, the first and a fourth of the others: which ones,
// nobody knows.
bool TimedOutputs::isChecked(int block) {
    if (m_session.device().memory == MemoryKind::Cpu)
        return m_isFirst || m_random() % 4 == 0;
    return m_isFirst || block < 4 || block % 4 == 3;
}

void TimedOutputs::check(int block, TimedArm &arm, const std::vector<int> &order, int ring) {
    if (!isChecked(block) || order.empty())
        return;
    const Phases::Span span(m_session.phases(), "timed outputs");
    const size_t last = order.size() - 1;
    const auto kept = std::min(order.size(), static_cast<size_t>(ring));
    const size_t anyOne = last - m_random() % kept;
    const auto slotOf = [ring](size_t call) {
        return static_cast<int>(call % static_cast<size_t>(ring));
    };
    // On a CPU, where the reference's calls are a good part of a check's time, one is enough in later blocks.
    const bool isLastToo = std::exchange(m_isFirst, false) || m_session.device().memory != MemoryKind::Cpu;
    if (isLastToo)
        checkCall(arm, last, order[last], slotOf(last));
    if ((anyOne != last || !isLastToo) && m_stage.isOpen())
        checkCall(arm, anyOne, order[anyOne], slotOf(anyOne));
}

void TimedOutputs::checkCall(TimedArm &arm, size_t call, int set, int slot) {
    const Json mine = arm.worker->call("timed_output", {{"slot", slot}}, 60.0);
    WorkerProcess &reference = m_session.reference();
    m_session.trim(*arm.worker);
    m_session.asTask([&] {
        const Json theirs = reference.call("run",
                                           {{"inputs", m_sets[static_cast<size_t>(set)]},
                                            {"clone", m_session.clonesInputs()},
                                            {"mode", "strict"}},
                                           limitSeconds);
        const std::vector<ValueLeaf> here = leavesOf(mine.at("outputs"), "output");
        const std::vector<ValueLeaf> there = leavesOf(theirs.at("outputs"), "output");
        for (size_t i = 0; i < there.size() && m_stage.isOpen(); ++i) {
            if (!there[i].isTensor())
                continue;
            const std::string type = i < here.size() ? here[i].node.value("type", "") : "";
            if (i >= here.size() || describeTensor(here[i].node) != describeTensor(there[i].node) ||
                (type != "Tensor" && type != "Parameter")) {
                m_stage.settle("wrong",
                               "A timed call returned " + shapeOfTree(mine.at("outputs")) +
                                   " of another form than the same code did when it was verified.",
                               "Return the same tensors from every call.");
                break;
            }
            const at::Tensor got = tensorAt(here[i].node, arm.worker->arena());
            const at::Tensor wanted = tensorAt(there[i].node, reference.arena());
            const double difference = differenceOfTimed(wanted, got);
            ++m_checked;
            const double allowed = wanted.is_floating_point() || wanted.is_complex()
                                       ? m_allowed
                                       : std::max(m_allowed, m_allowedWhole);
            if (!(difference <= allowed))
                m_stage.settle("wrong",
                               "A result from the timed calls differs from the reference: " + here[i].path +
                                   " of call " + std::to_string(call + 1) + " of a batch by " +
                                   scientific(difference) + " of its RMS value (allowed " +
                                   scientific(allowed) + "), though the same code passed verification.",
                               "Look for state kept between calls: caches, static buffers, counters.");
        }
        reference.call("release", Json::object(), 60.0);
        m_session.trim(reference);
    });
}

} // namespace warpwright
