// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/child_process.h"

#include <QByteArray>
#include <QDateTime>
#include <QStringList>

#include <optional>

namespace warpwright {

/// What tools of this machine said of themselves, kept for this process as long as nothing changed on disk
/// that they said it of: a check asks five of them, which takes a tenth of a second, before it compiles.
///
/// A file is the same while its path leads to the same file with the same size and times of change, a folder
/// while no name in it comes or goes. Remembered are compilers and Python themselves: a script, or a program
/// that looks for the real one elsewhere (ccache under the name g++), may answer otherwise each time. Safe
/// from several threads.
class RememberedAnswers {
public:
    /// `askedAt`: when the question was asked; what changed after that, or just before, is not what the
    /// answer is of, and it is not kept. `watched`: what the answer rests on beside the program itself; files
    /// and folders that are not there count, too. Answers of programs that failed are for nobody to keep.
    static void keep(const ProcessRequest &question, const QByteArray &answer, const QDateTime &askedAt,
                     const QStringList &watched = {});
    /// Nothing: it was never asked with these words in this environment, or something has changed since.
    [[nodiscard]] static std::optional<QByteArray> find(const ProcessRequest &question);
    static void forgetAll();
};

} // namespace warpwright
