// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// New, rename and delete in kernels/. Paths are relative to the workspace ("kernels/softmax.cu"). Nothing is
/// overwritten, and what is taken away lies in <state>/trash/<time>/ from where it can be brought back.
class CandidateFiles {
public:
    CandidateFiles(QString folder, QString stateFolder);

    /// X.cu, X_binding.cpp and, `withTwin`, X.cpp from the template, with X in its names. `stem`: X, a name
    /// that C++ and Python take. Gives the paths made.
    [[nodiscard]] Result<QStringList> makeKernel(const QString &stem, bool withTwin,
                                                 const QString &resources) const;
    /// Why makeKernel() would not take this name; empty: it would. For a field that is being typed in.
    [[nodiscard]] QString whyNoKernelName(const QString &stem) const;

    /// Those that belong together: X.cu, X.cpp and X_binding.cpp, as far as they are there, where `path` is
    /// one of them and X.cu is there; else `path` alone.
    [[nodiscard]] QStringList groupOf(const QString &path) const;

    struct Renamed {
        QString from;
        QString to;
        bool operator==(const Renamed &) const = default;
    };
    /// The whole group. `name`: a new stem, or a file's name with the suffix that `path` has. All or none.
    [[nodiscard]] Result<std::vector<Renamed>> rename(const QString &path, const QString &name) const;
    /// Undoes a renaming. All or none: a file that took an old name meanwhile is in the way.
    [[nodiscard]] Result<void> renameBack(const std::vector<Renamed> &renamed) const;

    struct Trashed {
        QString folder; ///< absolute, in the trash
        QStringList paths;
        bool operator==(const Trashed &) const = default;
    };
    /// Just these files, not their groups. All or none.
    [[nodiscard]] Result<Trashed> remove(const QStringList &paths) const;
    /// Undoes a removal; a file of the same name that was made meanwhile is in the way, and stays.
    [[nodiscard]] Result<void> restore(const Trashed &trashed) const;

    struct Put {
        QStringList written; ///< the paths that were not as in the text
        Trashed before;      ///< what they held, and what the text has not
        bool operator==(const Put &) const = default;
    };
    /// Makes model_new.py and kernels/ what they are in `texts` («branch from here»); the task's own files
    /// stay as they are. An error, and nothing written, where a link would lead out of the folder.
    [[nodiscard]] Result<Put> put(const CandidateTexts &texts) const;

private:
    [[nodiscard]] QString absolute(const QString &path) const { return m_folder + QLatin1Char('/') + path; }
    [[nodiscard]] Result<QString> makeTrash() const;
    [[nodiscard]] QString leadsOutOf(const QString &path) const;

    QString m_folder;
    QString m_state;
};

} // namespace warpwright
