// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/base/value_tree.h"
#include "referee/task/timed_candidate.h"
#include "referee/timing/block_timer.h"

#include <ATen/core/Tensor.h>

#include <random>
#include <string>
#include <vector>

namespace warpwright {

/// Compares results of timed calls with the reference's: what was timed must be what was verified.
///
/// Which calls is chosen after they were made, while the candidate stands still, among all whose results are
/// kept: in a batch of the usual length, all. What is read is memory, where the candidate said before that
/// its results lie; nothing of it runs for that.
class CallExaminer {
public:
    struct Wish {
        double allowed = 0.0;      ///< relative RMS difference
        double allowedWhole = 0.0; ///< part of a result's whole numbers that may differ
        bool specials = false;     ///< NaN and infinities are to be where the reference has them
        double fromItself = 0.0;   ///< relative RMS, of the same call later
        int callsOfBatch = 1;      ///< to be examined, after each batch
        double seconds = 0.0;      ///< in all; then the fewest that make sense
    };
    CallExaminer(TaskSession &session, const Json &sets, const Wish &wish);

    /// Where verdicts go from here on.
    void answerTo(Json &answer) { m_answer = &answer; }

    /// Of a new process, after its first batch: how its results lie in memory.
    void learnForm(TimedArm &arm);

    /// Examiner of a BlockTimer: settles "wrong", or rejects who ends a batch himself. Where the device has
    /// no room for the reference's call beside the candidate's memory, `compareTaken` compares later.
    void examine(TimedArm &arm, const BlockTimer::Batch &batch);
    void compareTaken();

    /// The batch that is examined next is kept, to be compared with later calls.
    void keepNext() { m_keepsNext = true; }
    /// The set of a call of the batch that was kept; -1: there is none.
    [[nodiscard]] int setOfKept() const { return m_kept.sets.empty() ? -1 : m_kept.sets[0]; }
    /// Compares that call with two later ones of the same candidate on the same inputs.
    void compareWithLater(const TimedCandidate::Later &later, const WorkerProcess &candidate);

    int examined() const { return m_examined; } ///< calls
    /// {calls, made, batches, stopped, copies, finds {share, probability}}: of calls that are left out by
    /// chance, such a share is found with that probability.
    [[nodiscard]] Json toJson() const;

private:
    /// What was read of a batch's results: of each tensor, one row a call.
    struct Taken {
        std::vector<uint32_t> calls;
        std::vector<int> sets;
        std::vector<size_t> tensors;       ///< of a result, by their order: all that follows is of these
        std::vector<Json> nodes;           ///< of the first call
        std::vector<at::Tensor> positions; ///< undefined: all elements
        std::vector<at::Tensor> rows;
        std::vector<at::Tensor> whole; ///< of the first call; empty: it is not looked at as a whole
    };

    [[nodiscard]] std::vector<uint32_t> pick(uint32_t made, uint32_t kept);
    [[nodiscard]] at::Tensor resultOf(const TimedArm &arm, const BlockTimer::Batch &batch, uint32_t call,
                                      size_t tensor, Json *where = nullptr);
    [[nodiscard]] std::vector<size_t> pickTensors();
    [[nodiscard]] Taken take(const TimedArm &arm, const BlockTimer::Batch &batch, bool isWhole);
    void demandOwnMemory(const TimedArm &arm, const BlockTimer::Batch &batch, const Taken &taken);
    [[nodiscard]] at::Tensor secretPositions(int64_t elements);
    void compare(const Taken &taken);
    void compareRows(const Taken &taken, size_t tensor, const at::Tensor &wanted);
    void compareWhole(const Taken &taken, size_t tensor, const ValueLeaf &leaf);
    void settleWrong(const std::string &reason, const std::string &advice);
    void settleSpecials(const std::string &path);
    void settleDifference(const std::string &path, double difference, double allowed, bool isOfElement);
    [[nodiscard]] const std::string &pathOf(const Taken &taken, size_t tensor) const {
        return m_form[taken.tensors[tensor]].path;
    }
    [[nodiscard]] StageAnswer stage() const { return StageAnswer(*m_answer); }

    TaskSession &m_session;
    Json *m_answer = nullptr;
    const Json &m_sets;
    Wish m_wish;
    std::vector<ValueLeaf> m_form; ///< tensors of a result; empty: not known yet
    uint64_t m_arena = 0;          ///< addresses in the candidate's process
    uint64_t m_inputs = 0;
    bool m_copies = false;
    bool m_isLearnt = false;
    std::vector<Taken> m_waiting;
    Taken m_kept;
    bool m_keepsNext = false;
    int m_examined = 0;
    int64_t m_made = 0;
    int m_batches = 0;
    int m_stopped = 0;
    double m_seconds = 0.0;
    std::mt19937_64 m_random;
};

} // namespace warpwright
