// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/new_workspaces.h"

#include "app/ide/files/workspace_question.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/samples.h"
#include "toolchain/workspace/workspace_lock.h"
#include "toolchain/workspace/workspace_template.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace warpwright {

NewWorkspaces::NewWorkspaces(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connectProblems();
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.newFromModel, [this] {
        askForFile(m_window,
                   {FileQuestion::Of::File, tr("New workspace from a reference"), {}, QStringLiteral("*.py")},
                   [this](const QString &file) { askWorkspaceFrom(file); });
    });
    on(a.beginCandidate, [this] { beginCandidate(); });
    on(a.openFile, [this] {
        askForFile(m_window,
                   {FileQuestion::Of::File, tr("A KernelBench problem"), {}, QStringLiteral("*.py")},
                   [this](const QString &file) { newWorkspaceFrom(file); });
    });
    on(a.openProblems, [this] {
        askForFile(m_window, {FileQuestion::Of::Folder, tr("A folder of KernelBench problems")},
                   [this](const QString &folder) {
                       m_parts.problems.open(folder);
                       m_parts.pages.show(&m_parts.problems);
                   });
    });
}

void NewWorkspaces::connectProblems() {
    connect(&m_parts.problems, &ProblemList::problemPicked, this, &NewWorkspaces::newWorkspaceFrom);
    connect(&m_parts.problems, &ProblemList::folderAsked, m_parts.actions.openProblems, &QAction::trigger);
    connect(&m_parts.problems, &ProblemList::closed, &m_parts.pages, &WindowPages::backToWork);
}

void NewWorkspaces::newWorkspaceFrom(const QString &modelFile) {
    inPool(
        this,
        [modelFile, folders = m_parts.bench.folders()] {
            // A problem that was begun before is gone on with: nothing is written twice.
            const QString parent = QFileInfo(modelFile).dir().dirName();
            const QString stem = QFileInfo(modelFile).completeBaseName();
            const QString name = stem == QLatin1String("model") ? parent : parent + QLatin1Char('-') + stem;
            const QString folder = folders.data + QStringLiteral("/workspaces/") + name;
            if (QFileInfo::exists(folder + QStringLiteral("/model.py")))
                return Result<QString>::ok(folder);
            const Result<QStringList> made = createWorkspace(folder, modelFile, folders.resources);
            return made.hasValue() ? Result<QString>::ok(folder) : Result<QString>::error(made.message());
        },
        [this](const Result<QString> &folder) {
            if (!folder.hasValue()) {
                m_parts.notices.sayTrouble(tr("No new workspace"), folder.message());
                return;
            }
            m_parts.opener.open(folder.value());
            Notice where = newsNotice(tr("Workspace"), tr("It lies in \"%1\".").arg(folder.value()));
            where.isOfProgram = true; // it is told before that workspace is open
            m_parts.notices.tell(where);
        });
}

void NewWorkspaces::beginCandidate() {
    const Workspace &workspace = *m_parts.bench.workspace();
    if (workspace.isLoneFile) // beside a lone file may lie anything
        return askWorkspaceFrom(workspace.modelFile);
    inPool(
        this,
        [folder = workspace.folder, model = workspace.modelFile,
         resources = m_parts.bench.folders().resources] { return createWorkspace(folder, model, resources); },
        [this](const Result<QStringList> &made) {
            if (!made.hasValue())
                m_parts.notices.sayTrouble(tr("No candidate was written"), made.message());
            m_parts.bench.refreshFiles();
        });
}

void NewWorkspaces::askWorkspaceFrom(const QString &modelFile) {
    inPool(
        this, [modelFile, data = m_parts.bench.folders().data] { return workspacePlaces(modelFile, data); },
        [this](const WorkspacePlaces &places) {
            askForWorkspacePlace(m_window, places,
                                 [this, modelFile = places.modelFile](const QString &folder) {
                                     makeWorkspaceIn(folder, modelFile);
                                 });
        });
}

void NewWorkspaces::makeWorkspaceIn(const QString &folder, const QString &modelFile) {
    inPool(
        this,
        [folder, modelFile, resources = m_parts.bench.folders().resources] {
            // One of this very reference is gone on with: nothing is written twice.
            const Result<QByteArray> there = readTextFile(folder + QStringLiteral("/model.py"));
            const Result<QByteArray> text = readTextFile(modelFile);
            if (QFileInfo::exists(folder + QStringLiteral("/model_new.py")) && there.hasValue() &&
                text.hasValue() && there.value() == text.value())
                return Result<void>::ok();
            const Result<QStringList> made = createWorkspace(folder, modelFile, resources);
            return made.hasValue() ? Result<void>::ok() : Result<void>::error(made.message());
        },
        [this, folder](const Result<void> &made) {
            if (!made.hasValue())
                return m_parts.notices.sayTrouble(tr("No new workspace"), made.message());
            m_parts.opener.open(folder);
        });
}

} // namespace warpwright
