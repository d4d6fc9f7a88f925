// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/start_actions.h"

#include "app/ide/files/workspace_question.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/samples.h"
#include "toolchain/workspace/workspace_lock.h"
#include "toolchain/workspace/workspace_template.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>
#include <QCursor>
#include <QFileInfo>
#include <QMenu>
#include <QShortcut>

namespace warpwright {

StartActions::StartActions(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connectStart();
    connectActions();
}

void StartActions::connectStart() {
    StartPage *start = &m_parts.start;
    const Actions &a = m_parts.actions;
    for (const QAction *action : {a.open, a.newFromModel, a.openFile})
        connect(action, &QAction::changed, this, &StartActions::showKeys);
    showKeys();
    connect(start, &StartPage::openAsked, &m_parts.opener, &WorkspaceOpener::open);
    connect(start, &StartPage::sampleAsked, this, &StartActions::openSample);
    connect(start, &StartPage::continueAsked, &m_parts.opener, &WorkspaceOpener::continueIn);
    // With a workspace open it is a page like the others.
    auto *escape = new QShortcut(Qt::Key_Escape, start);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, [this] {
        if (m_parts.bench.workspace())
            m_parts.pages.backToWork();
    });
    connect(start, &StartPage::newAsked, a.newFromModel, &QAction::trigger);
    connect(start, &StartPage::openDialogAsked, a.open, &QAction::trigger);
    connect(start, &StartPage::problemAsked, this, [this] {
        auto *menu = new QMenu(m_window);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_parts.actions.openFile, m_parts.actions.openProblems});
        // Below the row that was pressed, by a key as well.
        const QWidget *row = m_parts.start.focusWidget();
        menu->popup(row != nullptr ? row->mapToGlobal(QPoint(0, row->height())) : QCursor::pos());
    });
    connect(start, &StartPage::agentsAsked, this, [this](QWidget *row) {
        auto *menu = new QMenu(row);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_parts.actions.setUpModel, m_parts.actions.setUpAgent});
        menu->popup(row->mapToGlobal(QPoint(0, row->height())));
    });
    connect(start, &StartPage::setUpAsked, a.setUp, &QAction::trigger);
}

// The settings may give other ones, while the window is made and later.
void StartActions::showKeys() {
    const auto keyOf = [](const QAction *action) {
        return action->shortcut().toString(QKeySequence::NativeText);
    };
    const Actions &a = m_parts.actions;
    m_parts.start.setKeys(keyOf(a.open), keyOf(a.newFromModel), keyOf(a.openFile));
}

void StartActions::connectActions() {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.open, [this] { m_parts.opener.openByDialog(); });
    on(a.startPage, [this] { m_parts.pages.showStart(); });
    on(a.doctor, [this] {
        m_parts.pages.showStart();
        m_parts.start.revealDoctor();
    });
    on(a.followLesson, [this] {
        m_parts.pages.showStart();
        m_parts.start.revealLessons();
    });
    on(a.closeWorkspace, [this] { m_parts.opener.close(); });
}

void StartActions::openSample(const QString &name) {
    inPool(
        this,
        [name, folders = m_parts.bench.folders()] {
            using Answer = Result<QString>;
            const Result<std::vector<Sample>> samples = listSamples(folders.resources);
            if (!samples.hasValue())
                return Answer::error(samples.message());
            for (const Sample &sample : samples.value())
                if (sample.name == name)
                    return openSampleCopy(sample, folders.data);
            return Answer::error(QStringLiteral("There is no sample \"%1\".").arg(name));
        },
        [this](const Result<QString> &folder) {
            if (folder.hasValue())
                return m_parts.opener.open(folder.value());
            if (!m_parts.bench.workspace())
                m_parts.pages.showStart();
            m_parts.notices.sayTrouble(tr("Cannot open the sample"), folder.message());
        });
}

void StartActions::resume(const QString &path) {
    if (path.isEmpty())
        return m_parts.pages.showStart();
    enum class Found { There, Gone, Taken };
    struct Answer {
        Found found = Found::There;
        QString who;
    };
    inPool(
        this,
        [path, folders = m_parts.bench.folders()] {
            if (!QFileInfo::exists(path))
                return Answer{Found::Gone, {}};
            const Result<Workspace> workspace = Workspace::open(path, folders);
            if (!workspace.hasValue())
                return Answer{Found::Gone, workspace.message()};
            // Whoever starts the program once more wants another workspace, not this one without its keys.
            WorkspaceLock lock(workspace.value().state);
            return lock.take() == WorkspaceLock::State::HeldByOther ? Answer{Found::Taken, lock.message()}
                                                                    : Answer();
        },
        [this, path](const Answer &answer) {
            if (m_parts.bench.workspace())
                return; // a person was quicker
            if (answer.found == Found::There)
                return m_parts.opener.open(path);
            m_parts.pages.showStart();
            if (answer.found == Found::Gone)
                m_parts.start.say(
                    tr("What was open the last time, %1, cannot be opened: %2")
                        .arg(homePath(path), answer.who.isEmpty()
                                                 ? tr("it was moved or removed. «Open a workspace» "
                                                      "finds it where it is now.")
                                                 : answer.who));
        });
}

} // namespace warpwright
