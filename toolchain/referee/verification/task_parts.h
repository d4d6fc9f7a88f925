// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/task/task_session.h"

#include <string>
#include <vector>

namespace warpwright {

/// Each input and each parameter of a task by itself (worker/warpwright_parts.py): what its own scale hides
/// is shown by a factor, and of what shows nowhere there is a doubt.
///
/// It is the reference's doing: looked at once, and kept beside the baselines.
class TaskParts {
public:
    explicit TaskParts(TaskSession &session) : m_session(session) {}

    [[nodiscard]] bool isKnown() const { return m_told.is_object(); }
    /// `allowed`: what the comparison lets a result err by, of its RMS value. `seconds`: of one call.
    void look(WorkerProcess &oracle, const Json &inputs, double allowed, double seconds);

    /// How parameters and inputs are drawn from now on: as they come, or so that each part shows.
    enum class Drawn { AsTheyAre, Shown, FewParameters };
    void draw(Drawn how) const;
    /// Inputs that every draw gives the same become others, until draw(). False: there are none.
    bool drawConstants(bool areFew = false) const;

    void doubt(StageAnswer &stage) const;

private:
    [[nodiscard]] std::string key(double allowed) const;
    void varyInputs(const Json &factors, const Json &constants, bool areFew = false) const;

    TaskSession &m_session;
    Json m_told;
};

} // namespace warpwright
