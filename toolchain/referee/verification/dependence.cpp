// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/dependence.h"

#include "referee/base/report_text.h"
#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/comparison/precision_class.h"

#include <algorithm>
#include <limits>

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
        const AllowedError error = judgedError(round, leaf.path);
        if (known == m_outputs.end())
            m_outputs.push_back({leaf.path, values, error, {}, {}});
        else
            *known = {leaf.path, values, error, known->byInputs, known->byWeights};
    }
}

// What was judged of the round already is known for nothing.
AllowedError Dependence::judgedError(const VerificationRound &round, const std::string &path) {
    for (const Json &judged : round.outputs) {
        if (judged.value("name", "") == path && judged["referenceRmsError"].is_number() &&
            judged["rmsBound"].is_number())
            return {judged["rmsBound"].get<double>(), judged["referenceRmsError"].get<double>()};
    }
    return {};
}

// Where the result moves by so much that no class could excuse it, nothing more is asked.
void Dependence::compare(VerificationRound &round, const WorkerProcess &owner, bool areWeights) {
    const std::vector<std::string> &classes = m_session.allowedPrecision();
    const bool areFine = std::none_of(classes.begin(), classes.end(),
                                      [](const std::string &name) { return rankOf(name) > rankOf("TF32"); });
    for (size_t i = 0; i < round.oracle.size(); ++i) {
        const ValueLeaf &leaf = round.oracle[i];
        for (Output &output : m_outputs) {
            if (output.path != leaf.path || !leaf.isTensor())
                continue;
            const at::Tensor values = watched(round, i, owner);
            if (values.sizes() != output.values.sizes())
                continue;
            Movement found;
            found.by = relativeDifference(output.values, values);
            found.round = round.number;
            found.error = judgedError(round, leaf.path);
            if (found.error.allowed == 0.0)
                found.error = output.error;
            if (found.error.allowed == 0.0 || found.by < (areFine ? Movement::plain : Movement::widest))
                found.error = m_allowed(round, i);
            found.isSame = found.by == 0.0 || (round.hasOracle && found.isRounding());
            (areWeights ? output.byWeights : output.byInputs).add(found);
        }
    }
}

bool Dependence::isComplete() const {
    return std::any_of(m_outputs.begin(), m_outputs.end(), [this](const Output &output) {
        return output.byInputs.isCompared() &&
               (output.byWeights.isCompared() || m_session.weights().state().empty());
    });
}

bool Dependence::isAny(Movement Output::*by, bool (Movement::*is)() const) const {
    return std::any_of(m_outputs.begin(), m_outputs.end(), [by, is](const Output &output) {
        return !(output.*by).isCompared() || ((output.*by).*is)();
    });
}

bool Dependence::isSame(Movement Output::*by) const {
    return std::all_of(m_outputs.begin(), m_outputs.end(), [by](const Output &output) {
        return (output.*by).isCompared() && (output.*by).isSame;
    });
}

// An output that stands still beside one that moves is a table, most likely; alone it may be a layer that no
// signal comes through.
bool Dependence::isFaint() const {
    return isSame(&Output::byInputs) ||
           std::any_of(m_outputs.begin(), m_outputs.end(), [](const Output &output) {
               return output.byInputs.isFaint() || output.byWeights.isFaint();
           });
}

double Dependence::margin() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Output &output : m_outputs) {
        for (const Movement &movement : {output.byInputs, output.byWeights}) {
            if (movement.isCompared() && !movement.isSame)
                least = std::min(least, movement.margin());
        }
    }
    return isSame(&Output::byInputs) ? 0.0 : least;
}

void Dependence::add(const Dependence &other) {
    for (Output &output : m_outputs) {
        for (const Output &theirs : other.m_outputs) {
            if (theirs.path != output.path)
                continue;
            output.byInputs.add(theirs.byInputs);
            output.byWeights.add(theirs.byWeights);
        }
    }
}

std::string Dependence::degeneracy() const {
    if (m_outputs.empty() || !isSame(&Output::byInputs))
        return {};
    const bool areWeightsSame = std::none_of(m_outputs.begin(), m_outputs.end(), [](const Output &output) {
        return output.byWeights.isCompared() && !output.byWeights.isSame;
    });
    return std::string("The reference's result is the same for all inputs") +
           (areWeightsSame ? " and parameters" : "") +
           " that were drawn, up to the rounding of fp64: a constant" +
           (areWeightsSame ? "" : " made of the parameters") + " is as right as a computation.";
}

std::string Dependence::evidence(Movement Output::*by) const {
    std::string text;
    for (const Output &output : m_outputs) {
        const Movement &movement = output.*by;
        text += (text.empty() ? "" : ", ") + output.path + " moved by " + scientific(movement.by) +
                " of its RMS value at most (" +
                (movement.round > 0 ? "round " + std::to_string(movement.round)
                                    : "parameters drawn to carry the signal") +
                "; the comparison allows " + scientific(movement.error.allowed) + ")";
    }
    return text + ". ";
}

void Dependence::judge(StageAnswer &stage) const {
    if (m_outputs.empty() || isSame(&Output::byInputs))
        return;
    const auto isTold = [this](Movement Output::*by) {
        return isAny(by, &Movement::isTold) || isAny(by, &Movement::isPlain) || isSame(by);
    };
    if (!isTold(&Output::byInputs))
        return stage.settle(
            "unverifiable",
            "The reference's result hardly depends on its inputs: with other ones " +
                evidence(&Output::byInputs) + "A candidate that ignores them would pass.",
            "Choose inputs or parameters in model.py for which the result varies, or allow no precision but "
            "the reference's own.");
    if (!isTold(&Output::byWeights))
        return stage.settle("unverifiable",
                            "The reference's result hardly depends on its parameters: with other ones " +
                                evidence(&Output::byWeights) + "A candidate that ignores them would pass.",
                            "Choose parameters in model.py that matter, or take them out of it.");
    for (const Output &output : m_outputs) {
        if (output.byInputs.isCompared() && !output.byInputs.isSame && !output.byInputs.isTold())
            stage.doubt("The reference's " + output.path + " moves by " + scientific(output.byInputs.by) +
                        " of its RMS value with its inputs; the comparison allows " +
                        scientific(output.byInputs.error.allowed) + ", so a constant in its place may pass.");
    }
    if (isSame(&Output::byWeights))
        stage.doubt("No parameter of the reference changes its result: whether a candidate reads them cannot "
                    "be told.");
}

} // namespace warpwright
