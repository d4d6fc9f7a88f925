// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus, and how its parts hear of each other.
#include "app/ide/agent/agent_panel.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/finding/action_words.h"
#include "app/ide/finding/find_controller.h"
#include "app/ide/finding/listing_controller.h"
#include "app/ide/finding/palette_controller.h"
#include "app/ide/finding/recent_menu.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/menu_places.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/runs/left_runs.h"
#include "app/ide/shell/runs/lesson_maker.h"
#include "app/ide/shell/runs/recording_starts.h"
#include "app/ide/shell/runs/run_offers.h"
#include "app/ide/shell/tree_display.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/window_settings.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/lit_line.h"
#include "widgets/frame/toasts.h"

#include <QAction>
#include <QHash>
#include <QMenu>
#include <QStackedWidget>
#include <QTime>

namespace warpwright {

void MainWindow::buildMenus() {
    auto *whole = new QMenu(m_parts.window);
    QHash<QString, QMenu *> groups;
    for (const QString &group : m_parts.actions->menuOrder()) {
        groups[group] = whole->addMenu(group);
        groups[group]->setToolTipsVisible(true); // of those that have one
    }
    QHash<QString, QMenu *> inside; // of the menus in them
    for (QAction *action : m_parts.actions->all()) {
        const QString group = action->property("group").toString();
        QMenu *menu = groups.value(group);
        const QString name = subMenuOf(*action);
        const bool isFirst = !name.isEmpty() && !inside.contains(group + name);
        if (!name.isEmpty() && !isFirst)
            menu = inside[group + name];
        if (m_parts.actions->beginsSection(action) && !menu->isEmpty())
            menu->addSeparator();
        if (isFirst) {
            menu = inside[group + name] = menu->addMenu(name);
            menu->setToolTipsVisible(true);
        }
        menu->addAction(action);
    }
    QMenu *agents = groups[m_parts.actions->tunePlaybook->property("group").toString()];
    connect(m_parts.actions, &Actions::offersChanged, agents, [this, agents] {
        agents->insertActions(m_parts.actions->tuneScript,
                              m_parts.actions->tuneModels() + m_parts.actions->tuneAgents());
    });
    m_parts.topBar->setMenu(whole);
    auto *key = new QAction(tr("Menu"), this);
    key->setShortcut(QKeySequence(QStringLiteral("F10")));
    connect(key, &QAction::triggered, m_parts.topBar, &TopBar::openMenu);
    addAction(key);
    m_parts.deviceMenu = new QMenu(m_parts.window);
    m_parts.topBar->setDeviceMenu(m_parts.deviceMenu);
    m_parts.workspaceMenu = new QMenu(m_parts.window);
    m_parts.workspaceMenu->addActions({m_parts.actions->open, m_parts.actions->newFromModel,
                                       m_parts.actions->openFile, m_parts.actions->openProblems,
                                       m_parts.actions->startPage, m_parts.actions->closeWorkspace});
    m_parts.topBar->setWorkspaceMenu(m_parts.workspaceMenu);
}

// In the order in which they are to hear of what happens.
void MainWindow::connectGroups() {
    makePaneActions(m_parts);
    connectWorkspace();
    connectBench();
    connectPanes();
    makeAgent(m_parts);
    makeMeasuring(m_parts);
    makeComparing(m_parts);
    makeSharing(m_parts);
    makeLanguage(m_parts);
    makeTexts(m_parts);
    makeReplay(m_parts);
    makeLessons(m_parts);
    connectFinding();
    makeGuides(m_parts);
    makePresenting(m_parts);
}

void MainWindow::connectFinding() {
    sayOtherNames(m_parts.actions->all());
    auto *palette = new PaletteController(
        *m_palette, *m_parts.actions, *m_parts.bench, *m_parts.candidate,
        [this] { return m_parts.shown->tree(); }, this);
    connect(palette, &PaletteController::filePicked, m_parts.places, &PlaceOpener::openFile);
    connect(palette, &PaletteController::iterationPicked, this, [this](int number) {
        if (m_parts.bench->workspace())
            m_parts.pages->comeToWork();
        m_parts.shown->show(number);
    });
    new FindController(m_look,
                       {*m_parts.bench, *m_parts.actions, *m_parts.candidate, *m_parts.reference,
                        *m_parts.build, m_parts.profile->assembly(), *m_parts.agentPanel, *m_parts.pastRun,
                        [this] { m_parts.panes->showBuild(); },
                        [this] { m_parts.panes->showProfilePage(QStringLiteral("assembly")); },
                        [this] {
                            m_parts.agentDock->reveal();
                        }},
                       this);
    auto *listings = new ListingController(m_look, *m_parts.candidate, this);
    connect(m_parts.actions->find, &QAction::triggered, listings, &ListingController::find);
    connect(m_parts.reference, &ReferencePanel::failed, m_parts.notices, &WindowNotices::sayTrouble);
    auto *recent = new RecentMenu(m_parts.bench->folders(), m_parts.workspaceMenu, this);
    connect(recent, &RecentMenu::openAsked, m_parts.opener, &WorkspaceOpener::open);
    connect(recent, &RecentMenu::failed, m_parts.notices, &WindowNotices::sayTrouble);
    connect(m_parts.bench, &Workbench::opened, recent,
            [this, recent] { recent->setOpen(m_parts.opener->openedPath()); });
    connect(m_parts.bench, &Workbench::closed, recent, [recent] { recent->setOpen({}); });
}

void MainWindow::connectWorkspace() {
    connect(m_parts.bench, &Workbench::opened, this, &MainWindow::showOpened);
    connect(m_parts.candidate, &CandidatePanel::loaded, this, &MainWindow::settled);
    connect(m_parts.candidate, &CandidatePanel::loaded, this, [this] { m_parts.lessonMaker->showOpened(); });
    connect(m_parts.candidate, &CandidatePanel::loaded, this, [this] { m_parts.recordings->playOpened(); });
    connect(m_parts.bench, &Workbench::closed, this, [this] {
        m_parts.topBar->setWorkspace({}, {});
        setWindowTitle(QStringLiteral("Warpwright"));
        m_parts.reasons->update();
        if (!m_parts.opener->isOpening())
            m_parts.pages->showStart();
    });
    connect(m_parts.bench, &Workbench::failed, this, [this](const QString &title, const QString &text) {
        m_parts.notices->sayTrouble(title, text);
        m_parts.opener->forgetAfter();
        if (!m_parts.bench->workspace() && m_parts.pages->isOnWork())
            m_parts.pages->showStart();
        emit settled();
    });
    connect(m_parts.bench, &Workbench::noticed, this, [this](const QString &title, const QString &text) {
        m_parts.toasts->show(newsNotice(title, text, true));
    });
}

void MainWindow::showOpened() {
    const Workspace &workspace = *m_parts.bench->workspace();
    const QString name =
        isRecording(*m_parts.bench) ? tr("%1, recording").arg(workspace.name) : workspace.name;
    m_parts.topBar->setWorkspace(name, workspace.folder);
    setWindowTitle(tr("%1 – Warpwright").arg(name));
    m_parts.pages->comeToWork();
    const QJsonObject state = m_parts.state->workspace(workspace.folder);
    m_parts.candidate->openWorkspace(state);
    if (m_parts.agentPanel->unsent().isEmpty())
        m_parts.agentPanel->setUnsent(state[QStringLiteral("unread")].toString());
    m_parts.offers->workspaceOpened();
    m_parts.reasons->update();
    m_parts.device->describe();
    m_parts.offers->showNoRun();
    m_parts.leftRuns->look();
}

void MainWindow::connectBench() {
    connect(m_parts.bench, &Workbench::filesChanged, m_parts.reasons, &ActionReasons::update);
    connect(m_parts.bench, &Workbench::shownChanged, this, [this] {
        m_parts.iterations->setShown(m_parts.bench->shown().iteration);
        m_parts.display->showNow();
        m_parts.reasons->update();
    });
    connect(m_parts.bench, &Workbench::iterationsChanged, m_parts.tree, &TreeDisplay::showRecords);
    connect(m_parts.bench, &Workbench::runChanged, this, [this] {
        if (const int number = m_parts.bench->checkedIteration(); number > 0)
            m_parts.iterations->setChecked(number); // until its records are read again
        m_parts.display->showNow();
        m_parts.reasons->update();
        m_parts.topBar->setProgress(m_parts.bench->progressNow(), m_parts.bench->isRunning(),
                                    m_parts.bench->isStopping());
    });
    connect(m_parts.bench, &Workbench::checked, m_parts.display,
            [this](const Evaluation &evaluation) { announce(evaluation, *m_parts.build, *m_parts.notices); });
}

void MainWindow::connectPanes() {
    const auto notice = [this](const QString &title, const QString &text, bool isTrouble) {
        if (isTrouble)
            m_parts.notices->sayTrouble(title, text);
        else
            m_parts.toasts->show(newsNotice(title, text));
    };
    connect(m_parts.profile, &ProfilePanel::noticed, this,
            [this](const QString &title) { m_parts.toasts->closeAll(title); });
    connect(m_parts.candidate, &CandidatePanel::noticed, this, notice);
    connect(m_parts.candidate, &CandidatePanel::draftFound, this,
            [this](const QString &title, const QString &text, const std::function<void()> &bringBack) {
                Notice draft = newsNotice(title, text, true);
                draft.actionName = tr("Bring it back");
                draft.action = bringBack;
                m_parts.toasts->show(draft);
            });
    connect(m_parts.profile, &ProfilePanel::noticed, this, notice);
    connect(m_parts.build, &BuildPanel::settingsAsked, m_parts.settings, &WindowSettings::showPage);
    connect(m_parts.profile, &ProfilePanel::iterationPicked, this,
            [this](int number) { m_parts.shown->show(number); });
    connect(m_parts.build, &BuildPanel::placeActivated, m_parts.places, &PlaceOpener::goTo);
    connect(m_parts.profile, &ProfilePanel::lineActivated, this,
            [this](const QString &file, int line) { m_parts.places->goTo(file, line, 1); });
    connectAssembly();
    connect(m_parts.candidate, &CandidatePanel::placeChanged, this,
            [this](const QString &file, int line, int column) {
                m_parts.status->setPlace(tr("%1   Ln %2, Col %3").arg(file).arg(line).arg(column));
            });
    connect(m_parts.candidate, &CandidatePanel::written, this, [this] {
        m_parts.status->setSaved(
            tr("Saved %1").arg(QTime::currentTime().toString(QStringLiteral("HH:mm:ss"))));
    });
    connect(m_parts.candidate, &CandidatePanel::saved, m_parts.bench, &Workbench::textSaved);
    connect(m_parts.candidate, &CandidatePanel::editsChanged, m_parts.bench, &Workbench::setEdits);
    connect(m_parts.candidate, &CandidatePanel::zoomAsked, m_parts.settings, &WindowSettings::changeScale);
}

void MainWindow::connectAssembly() {
    AssemblyPage *assembly = &m_parts.profile->assembly();
    connect(assembly, &AssemblyPage::placeActivated, m_parts.places, &PlaceOpener::goTo);
    connect(assembly, &AssemblyPage::placeHovered, this, [this](const QString &file, int line) {
        if (CodeEditor *editor = m_parts.candidate->currentEditor(); editor != nullptr)
            editor->decorator<LitLine>().setLine(file == m_parts.candidate->currentFile() ? line : 0);
    });
    connect(m_parts.candidate, &CandidatePanel::placeChanged, assembly, &AssemblyPage::follow);
    connect(m_parts.candidate, &CandidatePanel::lineHovered, assembly, &AssemblyPage::hover);
    connect(m_parts.candidate, &CandidatePanel::saved, assembly, &AssemblyPage::refresh);
}

} // namespace warpwright
