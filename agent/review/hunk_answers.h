// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/text_lines.h"
#include "toolchain/base/json.h"

#include <QString>

#include <map>
#include <set>
#include <vector>

namespace warpwright {

/// How the hunks of one proposal were answered, from its events alone: an answer for all that were open, one
/// taken back, and one given again included.
class HunkAnswers {
public:
    struct Given {
        QString answer; ///< "accept", "reject", "edit"
        QString by;     ///< "person", "policy"
        QString reason;
        TextLines newLines;        ///< of an edit
        bool isOfConflict = false; ///< mine is a rejection, theirs an acceptance

        bool operator==(const Given &) const = default;
    };

    HunkAnswers() = default;
    /// Of the event `proposal`.
    explicit HunkAnswers(const Json &proposal);

    /// Its later events, in their order; other kinds are passed over.
    void take(const QString &kind, const Json &body);

    /// By the id of the hunk.
    [[nodiscard]] const std::map<QString, Given> &given() const { return m_given; }
    [[nodiscard]] bool areAllRejected() const;

    bool operator==(const HunkAnswers &) const = default;

private:
    std::map<QString, Given> m_given;
    std::map<QString, Given> m_takenBack;
    std::vector<QString> m_hunks;
    std::set<QString> m_conflicts; ///< an answer for all that are open is none to these
};

} // namespace warpwright
