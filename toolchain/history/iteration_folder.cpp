// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration_folder.h"

#include "toolchain/base/text_file.h"
#include "toolchain/history/iteration_store.h"

#include <QDateTime>
#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

constexpr int foldersToKeep = 32;

void removeOld(const QString &parent) {
    int kept = 0;
    for (const QFileInfo &folder : QDir(parent).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time))
        // Another window may be reading a young one.
        if (++kept > foldersToKeep && folder.lastModified().secsTo(QDateTime::currentDateTime()) > 3600)
            QDir(folder.filePath()).removeRecursively();
}

} // namespace

Result<Workspace> layOutIteration(const Workspace &workspace, int number, const DataFolders &folders) {
    const auto texts = IterationStore(workspace.state).texts(number);
    if (!texts.hasValue())
        return Result<Workspace>::error(texts.message());
    const QString parent = folders.cache + QStringLiteral("/iterations");
    const QString folder = parent + QLatin1Char('/') + textHashOf(texts.value()).left(32);
    if (!QDir(folder).exists()) {
        const QString made = QStringLiteral("%1.tmp-%2").arg(folder).arg(getpid());
        for (const auto &[name, text] : texts.value()) {
            if (QDir::isAbsolutePath(name) || name.split(QLatin1Char('/')).contains(QStringLiteral("..")))
                continue; // the history is a repository that others may have written
            if (const auto written = writeFileAtomically(made + QLatin1Char('/') + name, text);
                !written.hasValue())
                return Result<Workspace>::error(written.message());
        }
        // Whoever else made it meanwhile made the same.
        if (!QDir().rename(made, folder))
            QDir(made).removeRecursively();
        removeOld(parent);
    }
    auto opened = Workspace::open(folder, folders);
    if (!opened.hasValue())
        return opened;
    Workspace made = std::move(opened).value();
    made.hasUtils = workspace.hasUtils; // they decide on flags, and are no part of a text
    return Result<Workspace>::ok(std::move(made));
}

} // namespace warpwright
