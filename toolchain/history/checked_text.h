// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/unexercised.h"

namespace warpwright {

/// The history's part in one check from a terminal: the text becomes an iteration by `you`, as it does in the
/// window, and the evaluation is linked to it. While a window has the workspace open the history is that
/// window's: only a text that is an iteration already gets its evaluation; nor for a lone file, which has no
/// candidate. The workspace is not locked while the check runs.
class CheckedText {
public:
    /// Keeps the text that lies at `path` now.
    CheckedText(const QString &path, const DataFolders &folders);

    /// What the text is a change of; empty: nothing that ran.
    [[nodiscard]] std::optional<CheckedParent> parent() const;
    /// Once the evaluation is stored; one that was cancelled says nothing of the text.
    void link(const Evaluation &evaluation);
    /// What a person has to be told: the history could not be kept. Empty: all went well, or none is kept.
    [[nodiscard]] const QString &notice() const { return m_notice; }

private:
    QString m_state;
    QString m_notice;
    int m_iteration = 0; ///< 0: none is kept
};

} // namespace warpwright
