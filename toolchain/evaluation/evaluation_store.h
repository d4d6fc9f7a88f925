// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace warpwright {

/// What an evaluation says of itself that could not be stored; `why`: a sentence.
[[nodiscard]] QString doubtOfUnkept(const QString &why);
[[nodiscard]] bool isDoubtOfUnkept(const QString &doubt);

/// The evaluations of one workspace on disk: <state>/evaluations/<id>.json, and <id>.log with what the
/// compilers said. Documents are written whole or not at all, never changed, and never removed by us.
class EvaluationStore {
public:
    explicit EvaluationStore(const QString &stateFolder);

    /// The path of the document. A full disk is an error; the value in memory is still good. A log that finds
    /// no room costs no document: that says so in a doubt.
    [[nodiscard]] Result<QString> store(const Evaluation &evaluation, const QString &compileLog = {}) const;

    /// Oldest first.
    [[nodiscard]] QStringList ids() const;
    [[nodiscard]] Result<Evaluation> load(const QString &id) const;
    [[nodiscard]] Result<Evaluation> latest() const;
    /// The newest one that says what these exact inputs give.
    [[nodiscard]] Result<Evaluation> find(const QString &inputsHash) const;

    [[nodiscard]] QString pathOf(const QString &id) const;

private:
    QString m_folder;
};

} // namespace warpwright
