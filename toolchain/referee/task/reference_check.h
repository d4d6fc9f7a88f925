// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/fault.h"
#include "referee/base/stage_answer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

/// The reference is looked at before it is trusted: what of it makes a verdict impossible is said before
/// there is a candidate to blame, and what a verdict has to be read with is a doubt in each of them.
class ReferenceCheck {
public:
    ReferenceCheck() = default;
    /// `trains`: it runs in train mode.
    ReferenceCheck(std::string model, bool trains) : m_model(std::move(model)), m_trains(trains) {}

    /// Of the answer to `facts`. Throws Fault("task-failed") for a reference that is random, keeps state that
    /// cannot be put back, or gives nothing that can be compared.
    void judge(const Json &facts);

    /// Every draw was the same input. `changed`: how the judge made others (`vary` of the workers'
    /// draw_inputs).
    void noteFixedInputs(const std::string &changed);
    /// An output had another shape for other values.
    void noteShape(const std::string &output, const std::string &first, const std::string &now);
    /// The task's other parameters were drawn with so much care (TaskWeights).
    void noteCare(int care);

    /// NaN and infinities in an output, by its path, with the reference's own parameters.
    int64_t knownSpecials(const std::string &output) const;

    void tell(StageAnswer &stage) const; ///< the doubts
    bool trains() const { return m_trains; }

private:
    void refuseRandom(const Json &look, const Json &seeded) const;
    void refuseState(const Json &look) const;
    void refuseDifference(const Json &look) const;
    void refuseResults(const Json &facts, const Json &look) const;
    void noteSpecials(const Json &facts, const Json &specials);
    void noteEffects(const Json &effects);
    [[noreturn]] void refuse(const std::string &what, const std::string &why,
                             const std::string &advice) const;

    std::string m_model;
    bool m_trains = false;
    Json m_specials = Json::array();
    std::string m_care;
    std::string m_shape;
    std::vector<std::string> m_doubts;
};

/// get_inputs() gave another form than at its first draw; `change` says which.
Fault shapesFault(const std::string &model, const std::string &change);

/// Of a wrong output that is a tensor of the model's state; empty: it is none.
std::pair<std::string, std::string> wordsOfState(const std::string &output);
/// Of a result that is right in the other mode, train or eval: for the reason and as the advice.
std::pair<std::string, std::string> wordsOfOtherMode(bool trains);

} // namespace warpwright
