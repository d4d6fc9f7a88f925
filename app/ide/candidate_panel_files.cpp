// SPDX-License-Identifier: GPL-3.0-or-later
// New, rename and delete of the candidate's files.
#include "app/ide/candidate_panel.h"
#include "toolchain/candidate_files.h"
#include "widgets/ask_bar.h"

#include <QFileInfo>

namespace warpwright {
namespace {

CandidateFiles filesOf(const Workspace &workspace) {
    return {workspace.folder, workspace.state};
}

} // namespace

void CandidatePanel::newKernel() {
    if (m_bench.workspace()->isLoneFile) {
        emit noticed(tr("This is a lone file"), tr("Make a workspace of it first: New from model.py."),
                     false);
        return;
    }
    m_ask->ask(tr("Name of the new kernel"), QString(), [this](const QString &typed) {
        const CandidateFiles files = filesOf(*m_bench.workspace());
        const QString stem = typed.trimmed();
        const QString wrong = files.whyNoKernelName(stem);
        if (!wrong.isEmpty())
            return wrong;
        inPool(
            this,
            [files, stem, resources = m_bench.folders().resources] {
                return files.makeKernel(stem, true, resources);
            },
            [this, stem](const Result<QStringList> &made) {
                if (!made.hasValue()) {
                    emit noticed(tr("No new kernel"), made.message(), true);
                    return;
                }
                m_wanted = QStringLiteral("kernels/%1.cu").arg(stem);
                m_bench.refreshFiles();
            });
        return QString();
    });
}

void CandidatePanel::renameCurrent() {
    const QString name = relative(currentPath());
    if (!isCandidatePath(name) || !name.startsWith(QLatin1String("kernels/"))) {
        emit noticed(tr("Not renamed"),
                     tr("\"%1\" has a fixed name; only files in kernels/ can be renamed.").arg(name), false);
        return;
    }
    m_ask->ask(tr("New name of %1").arg(QFileInfo(name).fileName()), QFileInfo(name).completeBaseName(),
               [this, name](const QString &typed) {
                   saveAll([this, name, typed = typed.trimmed()](bool isSaved) {
                       if (!isSaved)
                           return;
                       inPool(
                           this,
                           [files = filesOf(*m_bench.workspace()), name, typed] {
                               return files.rename(name, typed);
                           },
                           [this](const Result<std::vector<CandidateFiles::Renamed>> &renamed) {
                               if (!renamed.hasValue()) {
                                   emit noticed(tr("Not renamed"), renamed.message(), true);
                                   return;
                               }
                               m_wanted = renamed.value().empty() ? QString() : renamed.value().front().to;
                               m_bench.refreshFiles();
                           });
                   });
                   return QString();
               });
}

void CandidatePanel::deleteCurrent() {
    const QString name = relative(currentPath());
    if (!name.startsWith(QLatin1String("kernels/"))) {
        emit noticed(
            tr("Not deleted"),
            tr("\"%1\" belongs to every workspace; only files in kernels/ can be deleted.").arg(name), false);
        return;
    }
    saveAll([this, name](bool isSaved) {
        if (!isSaved)
            return;
        const CandidateFiles files = filesOf(*m_bench.workspace());
        inPool(
            this, [files, name] { return files.remove({name}); },
            [this, files, name](const Result<CandidateFiles::Trashed> &trashed) {
                if (!trashed.hasValue()) {
                    emit noticed(tr("Not deleted"), trashed.message(), true);
                    return;
                }
                m_bench.refreshFiles();
                // Nothing is lost: it waits in the trash of the workspace.
                m_ask->offer(tr("%1 was moved to the workspace's trash.").arg(name),
                             {{tr("Undo"),
                               [this, files, removed = trashed.value()] {
                                   inPool(
                                       this, [files, removed] { return files.restore(removed); },
                                       [this](const Result<void> &restored) {
                                           if (!restored.hasValue())
                                               emit noticed(tr("Not brought back"), restored.message(), true);
                                           m_bench.refreshFiles();
                                       });
                               }},
                              {tr("Close"), [] {
                               }}});
            });
    });
}

} // namespace warpwright
