// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison.h"
#include "referee/task_session.h"
#include "referee/value_tree.h"

#include <memory>
#include <optional>
#include <string>

namespace warpwright {

/// Decides whether the candidate computes what the reference computes, and in which precision.
///
/// Each round draws fresh inputs from a secret seed, runs the fp64 oracle, the reference and the candidate on
/// the same bytes, and compares every element. Ends with the first round that is wrong. Keeps the candidate's
/// worker for timing.
class Verification {
public:
    explicit Verification(TaskSession &session);
    ~Verification();

    /// The answer to `verify`. Throws Fault for the reference and the machine; the candidate's faults are in
    /// the answer.
    Json run(const std::string &runFolder, int rounds);

    bool hasPassed() const { return m_passed; }
    std::string measuredPrecision() const { return m_measured; }
    double candidateError() const {
        return m_worstRms;
    } ///< largest RMS error over rounds and outputs, relative
    double referenceError() const { return m_referenceRms; }
    std::unique_ptr<WorkerProcess> takeCandidate() { return std::move(m_candidate); }

private:
    struct Round;

    void startWorkers(const std::string &runFolder);
    bool runRound(int number, int count);
    void compareRound(Round &round);
    void compareTensor(Round &round, size_t output);
    std::string classOf(Round &round, size_t output, const Comparison &comparison);
    const std::vector<ErrorSize> &yardstick(Round &round, const std::string &precision);
    void watchVariation(Round &round, size_t output, const Comparison &comparison);
    void judgeVariation();
    void noteOutput(const ValueLeaf &leaf);
    void settle(const std::string &verdict, const std::string &reason, const std::string &advice);
    void settleCandidateFault(const WorkerFault &fault);
    at::Tensor tensorOf(const WorkerProcess &worker, const Json &node) const;

    TaskSession &m_session;
    std::unique_ptr<WorkerProcess> m_oracle;
    std::unique_ptr<WorkerProcess> m_candidate;
    Json m_answer;
    bool m_passed = false;
    std::string m_measured;
    double m_worstRms = 0.0;
    double m_referenceRms = 0.0;
    double m_referenceSeconds = 0.0;
    std::string m_baseClass; ///< what the reference itself computes in
    int64_t m_outsideWorkdir = 0;

    /// How much an output moves when the inputs do: what does not move cannot be verified.
    struct Variation {
        std::string path;
        at::Tensor first; ///< the oracle's output of the first round
        double largest = 0.0;
        double referenceError = 0.0;
    };
    std::vector<Variation> m_variation;
};

} // namespace warpwright
