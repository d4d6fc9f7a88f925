// SPDX-License-Identifier: GPL-3.0-or-later
// Finding in main_window.h: the palette, find in all texts and in listings, and recent workspaces.
#include "app/ide/agent/agent_desk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/finding/action_words.h"
#include "app/ide/finding/find_desk.h"
#include "app/ide/finding/listing_desk.h"
#include "app/ide/finding/palette_desk.h"
#include "app/ide/finding/recent_menu.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/main_window.h"
#include "widgets/popups/command_palette.h"

#include <QFileInfo>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {

void MainWindow::connectFinding() {
    sayOtherNames(m_actions->all());
    m_paletteDesk = new PaletteDesk(
        *m_palette, *m_actions, *m_bench, *m_candidate, [this] { return shownTree(); }, this);
    connect(m_paletteDesk, &PaletteDesk::filePicked, this, &MainWindow::openFile);
    connect(m_paletteDesk, &PaletteDesk::iterationPicked, this, [this](int number) {
        if (m_bench->workspace())
            showPage(m_workPage);
        showIteration(number);
    });
    m_finding = new FindDesk(m_look,
                             {*m_bench, *m_actions, *m_candidate, *m_reference, *m_build,
                              m_profile->assembly(), *m_agentPanel, *m_pastRun, [this] { showBuild(); },
                              [this] { showProfilePage(QStringLiteral("assembly")); },
                              [this] {
                                  m_agentDock->reveal();
                              }},
                             this);
    m_listings = new ListingDesk(m_look, *m_candidate, this);
    connect(m_actions->find, &QAction::triggered, m_listings, &ListingDesk::find);
    connect(m_reference, &ReferencePanel::failed, this, &MainWindow::sayTrouble);
    auto *recent = new RecentMenu(m_bench->folders(), m_workspaceMenu, this);
    connect(recent, &RecentMenu::openAsked, this, &MainWindow::openWorkspace);
    connect(recent, &RecentMenu::failed, this, &MainWindow::sayTrouble);
    connect(m_bench, &Workbench::opened, recent, [this, recent] { recent->setOpen(openedPath()); });
    connect(m_bench, &Workbench::closed, recent, [recent] { recent->setOpen({}); });
}

void MainWindow::showBuild() {
    if (!m_bench->workspace())
        return;
    if (m_pages->currentWidget() != m_workPage)
        showPage(m_workPage);
    constexpr int build = 2;
    presentInstead(build);
    if (m_four->enlarged() >= 0 && m_four->enlarged() != build)
        m_four->enlarge(m_four->enlarged()); // all alike again
}

void MainWindow::openFile(const QString &file, int line) {
    if (!m_bench->workspace())
        return;
    if (m_pages->currentWidget() != m_workPage)
        showPage(m_workPage);
    const Workspace &workspace = *m_bench->workspace();
    const QString path = workspace.folder + QLatin1Char('/') + file;
    const auto showRoom = [this](int room) {
        presentInstead(room);
        if (m_four->enlarged() >= 0 && m_four->enlarged() != room)
            m_four->enlarge(m_four->enlarged()); // all alike again
    };
    constexpr int reference = 0;
    constexpr int candidate = 1;
    if (QFileInfo(path) == QFileInfo(workspace.modelFile)) {
        showRoom(reference);
        m_reference->showReference();
        if (line > 0)
            m_reference->goTo(line, 1);
    } else if (m_candidate->showFile(file)) {
        showRoom(candidate);
        if (line > 0)
            m_candidate->goTo(path, line, 1);
        else
            m_candidate->focusHere();
    } else {
        showRoom(reference);
        m_reference->openFile(path, line, 1);
    }
}

} // namespace warpwright
