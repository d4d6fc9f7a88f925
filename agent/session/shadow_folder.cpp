// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/shadow_folder.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/task_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace warpwright {

Result<QString> layOutShadow(const Workspace &workspace, const CandidateTexts &texts,
                             const DataFolders &folders, ShadowOf what, const QString &whose) {
    using Answer = Result<QString>;
    const QByteArray place = QCryptographicHash::hash(
        (whose.isEmpty() ? workspace.folder : workspace.folder + QChar::Null + whose).toUtf8(),
        QCryptographicHash::Sha256);
    // The last part is the name that people read in a report.
    const QString folder =
        QStringLiteral("%1/shadows/%2%3/%4")
            .arg(folders.cache, QString::fromLatin1(place.toHex().left(24)),
                 what == ShadowOf::TextBefore ? QStringLiteral("-before") : QString(), workspace.name);
    if (const Result<void> made = makeFolder(folder); !made.hasValue())
        return Answer::error(made.message());
    for (const auto &[path, text] : texts) {
        const QString file = folder + QLatin1Char('/') + path;
        // What is the same keeps its time: compilers and Python look at it.
        if (const Result<QByteArray> there = readTextFile(file); there.hasValue() && there.value() == text)
            continue;
        if (const Result<void> written = writeFileAtomically(file, text); !written.hasValue())
            return Answer::error(written.message());
    }
    Workspace shadow;
    shadow.folder = folder;
    shadow.modelFile = folder + QStringLiteral("/model.py");
    const Result<CandidateTexts> there = readCandidateTexts(shadow);
    if (!there.hasValue())
        return Answer::error(there.message());
    for (const auto &[path, text] : there.value())
        if (texts.count(path) == 0 && !QFile::remove(folder + QLatin1Char('/') + path))
            return Answer::error(
                QStringLiteral("Cannot take \"%1\" out of the shadow \"%2\". Remove that folder.")
                    .arg(path, folder));
    // What is too large for a text.
    for (const TaskFile &file : neighboursOf(workspace.modelFile)) {
        const QString link = folder + QLatin1Char('/') + file.name;
        if (file.isText() || QFileInfo(link).canonicalFilePath() == QFileInfo(file.path).canonicalFilePath())
            continue;
        if (const Result<void> made = makeFolder(QFileInfo(link).path()); !made.hasValue())
            return Answer::error(made.message());
        QFile::remove(link);
        if (!QFile::link(file.path, link))
            return Answer::error(QStringLiteral("Cannot link \"%1\". Remove that folder.").arg(link));
    }
    const QString utils = folder + QStringLiteral("/utils");
    if (workspace.hasUtils != QFileInfo::exists(utils)) {
        const bool isDone = workspace.hasUtils
                                ? QFile::link(workspace.folder + QStringLiteral("/utils"), utils)
                                : QFile::remove(utils);
        if (!isDone)
            return Answer::error(QStringLiteral("Cannot set \"%1\" right. Remove that folder.").arg(utils));
    }
    return Answer::ok(folder);
}

} // namespace warpwright
