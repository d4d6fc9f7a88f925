// SPDX-License-Identifier: GPL-3.0-or-later
// What was open comes back: layout and sizes, and of the workspace what was looked at.
#include "app/ide/agent/agent_desk.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/card.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/state_keeper.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QStackedWidget>

namespace warpwright {
namespace {

QString iterationKey() {
    return QStringLiteral("iteration");
}
QString leftKey() {
    return QStringLiteral("compareLeft");
}
QString rightKey() {
    return QStringLiteral("compareRight");
}
QString formKey() {
    return QStringLiteral("compareForm");
}

} // namespace

void MainWindow::keepLayout() {
    m_keeper = new StateKeeper(
        *m_state, [this] { saveLayout(); }, this);
    connect(m_bench, &Workbench::opened, this, [this] {
        if (!m_toContinue.isEmpty() && QFileInfo(m_toContinue) != QFileInfo(openedPath()))
            m_toContinue.clear(); // it was never opened, or had nothing left
        // A lesson that begins or goes on, and a recording, have a place of their own.
        const bool hasOwnPlace = !m_lessonToShow.isEmpty() || !m_toContinue.isEmpty() || m_recordingToPlay;
        m_toRestore = hasOwnPlace ? QJsonObject() : m_state->workspace(m_bench->workspace()->folder);
    });
    connect(m_bench, &Workbench::closed, this, [this] { m_toRestore.reset(); });
    connect(m_bench, &Workbench::shownChanged, m_keeper, &StateKeeper::touch);
    connect(m_candidate, &CandidatePanel::loaded, this, &MainWindow::restorePlace);
}

void MainWindow::gatherWindow() {
    m_state->setBytes(QStringLiteral("folds"), foldsNow());
    m_state->setBytes(QStringLiteral("open"), openedPath().toUtf8());
}

QString MainWindow::openedPath() const {
    if (!m_bench->workspace())
        return {};
    const Workspace &workspace = *m_bench->workspace();
    return workspace.isLoneFile ? workspace.modelFile : workspace.folder;
}

// Also that of a comparison which is looked at.
void MainWindow::gatherPlace(QJsonObject &state) const {
    const Shown &shown = m_bench->shown();
    if (shown.isEarlier && shown.replay.isEmpty())
        state[iterationKey()] = shown.iteration;
    // The file of an earlier text is not the one that is gone on with.
    const QString file = QStringLiteral("file");
    if (shown.isEarlier)
        state[file] = m_state->workspace(m_bench->workspace()->folder)[file];
    if (m_pages->currentWidget() != m_comparePage)
        return;
    const auto [left, right] = m_comparePage->sides();
    state[leftKey()] = left.word();
    state[rightKey()] = right.word();
    state[formKey()] = m_comparePage->form();
}

void MainWindow::restorePlace() {
    const std::optional<QJsonObject> kept = std::exchange(m_toRestore, std::nullopt);
    continueOpened();
    if (!kept || m_agent->isRunning() || !m_bench->workspace())
        return;
    if (const int number = (*kept)[iterationKey()].toInt(); m_bench->tree()->byNumber(number) != nullptr)
        m_bench->showIteration(number);
    const Result<ComparisonChoice> left = comparisonChoiceOf((*kept)[leftKey()].toString());
    const Result<ComparisonChoice> right = comparisonChoiceOf((*kept)[rightKey()].toString());
    if (!left.hasValue() || !right.hasValue() || m_pages->currentWidget() != m_workPage)
        return;
    compare(left.value(), right.value());
    m_comparePage->setForm(static_cast<ComparePage::Form>(
        std::clamp((*kept)[formKey()].toInt(), int(ComparePage::Differences), int(ComparePage::Sass))));
}

// "2 0 1 248 312": the class of width, what is a rail, and how wide the docks are.
QByteArray MainWindow::foldsNow() const {
    const QByteArray before = m_state->bytes(QStringLiteral("folds"));
    if (!m_hiddenDocks.isEmpty() || m_widthClass < 0)
        return before; // a page hides them
    QByteArrayList parts{QByteArray::number(m_widthClass)};
    for (const Dock *dock : {m_iterationsDock, m_agentDock})
        parts << QByteArray::number(dock->isFolded() ? 1 : 0);
    for (const Dock *dock : {m_iterationsDock, m_agentDock})
        parts << QByteArray::number(dock->isFolded() ? dock->usualWidth() : dock->width());
    return parts.join(' ');
}

// Once, and only at the width that it was left at: for another the docks fold by the width.
bool MainWindow::unfoldAsKept(int widthClass) {
    const QByteArrayList parts = std::exchange(m_keptFolds, {}).split(' ');
    if (!m_keepsLayout || parts.size() != 5 || parts[0].toInt() != widthClass)
        return false;
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (const auto &[dock, place] : {std::pair{m_iterationsDock, 1}, std::pair{m_agentDock, 2}}) {
        dock->setFolded(parts[place].toInt() == 1);
        if (dock->isFolded())
            continue;
        docks << dock;
        widths << std::clamp(parts[place + 2].toInt(), dock->usualWidth() / 2, width() / 2);
    }
    // Once more when all is laid out: before that there may be no room for them.
    const auto widen = [this, docks, widths] {
        if (!docks.isEmpty())
            m_inner->resizeDocks(docks, widths, Qt::Horizontal);
    };
    widen();
    QMetaObject::invokeMethod(this, widen, Qt::QueuedConnection);
    return true;
}

void MainWindow::resume() {
    const QString path = QString::fromUtf8(m_state->bytes(QStringLiteral("open")));
    if (path.isEmpty())
        return showStartPage();
    enum class Found { There, Gone, Taken };
    struct Answer {
        Found found = Found::There;
        QString who;
    };
    inPool(
        this,
        [path, folders = m_bench->folders()] {
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
            if (m_bench->workspace())
                return; // a person was quicker
            if (answer.found == Found::There)
                return openWorkspace(path);
            showStartPage();
            if (answer.found == Found::Gone)
                m_start->say(tr("What was open the last time, %1, cannot be opened: %2")
                                 .arg(homePath(path), answer.who.isEmpty()
                                                          ? tr("it was moved or removed. «Open a workspace» "
                                                               "finds it where it is now.")
                                                          : answer.who));
        });
}

} // namespace warpwright
