// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/dependence.h"

#include "referee/judged_tensor.h"
#include "referee/report_text.h"

#include <algorithm>

namespace warpwright {

namespace {

constexpr int64_t watchedElements = int64_t{1} << 26; ///< larger outputs are watched in their first part only

at::Tensor watched(const VerificationRound &round, size_t output, const WorkerProcess &owner) {
    const FlatValues values = round.oracleValues(output, owner);
    return values.slice(0, std::min(watchedElements, values.numel()));
}

} // namespace

void Dependence::remember(const VerificationRound &round, const WorkerProcess &owner) {
    for (size_t i = 0; i < round.oracle.size(); ++i) {
        const ValueLeaf &leaf = round.oracle[i];
        if (!leaf.isTensor())
            continue;
        const at::Tensor values = watched(round, i, owner).clone();
        const auto known = std::find_if(m_outputs.begin(), m_outputs.end(),
                                        [&leaf](const Output &output) { return output.path == leaf.path; });
        if (known != m_outputs.end())
            known->values = values;
        else
            m_outputs.push_back({leaf.path, values, -1.0, -1.0, 0.0});
    }
}

void Dependence::compare(const VerificationRound &round, const WorkerProcess &owner, bool areWeights) {
    for (size_t i = 0; i < round.oracle.size(); ++i) {
        const ValueLeaf &leaf = round.oracle[i];
        for (Output &output : m_outputs) {
            if (output.path != leaf.path || !leaf.isTensor())
                continue;
            const at::Tensor values = watched(round, i, owner);
            if (values.sizes() != output.values.sizes())
                continue;
            double &most = areWeights ? output.byWeights : output.byInputs;
            most = std::max(most, relativeDifference(output.values, values));
        }
    }
    for (const Json &output : round.outputs) {
        for (Output &known : m_outputs) {
            if (known.path == output.value("name", "") && output["referenceRmsError"].is_number())
                known.referenceError =
                    std::max(known.referenceError, output["referenceRmsError"].get<double>());
        }
    }
}

bool Dependence::isComplete() const {
    return std::any_of(m_outputs.begin(), m_outputs.end(), [this](const Output &output) {
        return output.byInputs >= 0.0 && (output.byWeights >= 0.0 || m_session.weights().state().empty());
    });
}

void Dependence::judge(StageAnswer &stage) const {
    const auto moved = [](const Output &output, double by) {
        return by < 0.0 || by >= std::max(1e-3, 10.0 * output.referenceError);
    };
    const auto evidence = [this](double Output::*by) {
        std::string text;
        for (const Output &output : m_outputs)
            text += output.path + " moved by " + scientific(output.*by) + " of its RMS value. ";
        return text;
    };
    if (m_outputs.empty())
        return;
    if (std::none_of(m_outputs.begin(), m_outputs.end(),
                     [&](const Output &output) { return moved(output, output.byInputs); })) {
        stage.settle("unverifiable",
                     "The reference's output hardly depends on its inputs: with other inputs " +
                         evidence(&Output::byInputs) + "Any constant would pass.",
                     "Choose inputs or parameters for which the result varies.");
        return;
    }
    if (std::none_of(m_outputs.begin(), m_outputs.end(),
                     [&](const Output &output) { return moved(output, output.byWeights); }))
        stage.settle("unverifiable",
                     "The reference's output hardly depends on its parameters: with other ones " +
                         evidence(&Output::byWeights) + "A candidate that ignores them would pass.",
                     "Choose parameters that matter, or take them out of the reference.");
}

} // namespace warpwright
