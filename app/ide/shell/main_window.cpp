// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/main_window.h"

#include "app/ide/agent/agent_desk.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/language/place_walk.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/state_keeper.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_desk.h"
#include "app/ide/measured/counter_desk.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_desk.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/settings/setup_page.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/start_page.h"
#include "toolchain/compile/header_store.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/house_style.h"
#include "widgets/look/scaled_layouts.h"
#include "widgets/popups/command_palette.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int leastWidth = 900;
constexpr int leastHeight = 560;
constexpr int leastWithAgent = 960; // both columns of panes beside it, and the rail of the iterations
constexpr int leavesWithinMs = 60000;

/// Rooms take their margins from it while they are built; the theme comes with all other settings, later.
void takeScale(Look &look, const Settings &settings, QWidget &window) {
    look.set(look.theme(), settings.fontScale > 0 ? settings.fontScale : 1.0);
    new ScaledLayouts(look, window); // before any room
}

} // namespace

MainWindow::MainWindow(DataFolders folders, QString programVersion, QWidget *parent)
    : QWidget(parent),
      m_bench(new Workbench(folders, std::move(programVersion), this)),
      m_counters(new CounterDesk(*m_bench, this)),
      m_share(new ShareDesk(this)),
      m_actions(new Actions(this)),
      m_state(new WindowState(folders.data + QStringLiteral("/window.json"))),
      m_loaded(Settings::loadOrDefaults(folders.settingsFile())),
      m_inner(new QMainWindow(this)),
      m_topBar((takeScale(m_look, m_loaded.settings, *this), new TopBar(m_look, *m_actions, this))),
      m_status(new StatusLine(m_look, *m_actions, this)),
      m_pages(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setMinimumSize(leastWidth, leastHeight); // beside a browser, with text of any size
    resize(qRound(m_look.px(1600) / m_look.scale()), qRound(m_look.px(1000) / m_look.scale()));
    m_inner->setWindowFlags(Qt::Widget);
    buildCentre();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_topBar);
    column->addWidget(m_inner, 1);
    column->addWidget(m_status);
    m_palette = new CommandPalette(m_look, this);
    m_toasts = new Toasts(m_look, m_pages); // over every page
    buildMenus();
    buildPages();
    for (QAction *action : m_actions->all())
        addAction(action);
    connectActions();
    connectBench();
    connectAgent();
    connectCounters();
    connectComparing();
    connectSharing();
    connectLanguage();
    connectFiles();
    buildRuns();
    connectLessons();
    connectFinding();
    connectHelp();
    connectPresenting();
    connect(&m_look, &Look::changed, this, &MainWindow::applyTheme);
    applyTheme();
    loadSettings();
    restoreLayout();
    keepLayout();
    connectNotices();
    enableActions();
    describeDevice();
    showBanner();
}

MainWindow::~MainWindow() {
    delete m_state;
}

void MainWindow::buildCentre() {
    m_reference = new ReferencePanel(m_look, *m_bench, this);
    m_candidate = new CandidatePanel(m_look, *m_bench, m_actions->beginCandidate, this);
    m_build = new BuildPanel(m_look, *m_bench, *m_actions, this);
    m_profile = new ProfilePanel(m_look, *m_bench, *m_actions, *m_counters, this);
    m_four = new FourPanes(m_look, {m_reference, m_candidate, m_build, m_profile}, this);
    m_banner = new VerdictBanner(m_look, this);
    m_workPage = new QWidget(this);
    auto *column = new QVBoxLayout(m_workPage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_replayBar = new ReplayBar(m_look,
                                {m_actions->replayPlay, m_actions->replayBack, m_actions->replayForward,
                                 m_actions->branchHere, m_actions->continueRun, m_actions->backToText},
                                this);
    m_workHead = new QWidget(m_workPage);
    auto *head = new QVBoxLayout(m_workHead);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(0);
    head->addWidget(m_replayBar);
    head->addWidget(m_banner);
    column->addWidget(m_workHead);
    column->addWidget(m_four, 1);
    m_pages->addWidget(m_workPage);
    m_inner->setCentralWidget(m_pages);
    m_inner->setDockNestingEnabled(false);

    m_iterations = new IterationsPanel(m_look, *m_actions, this);
    m_iterationsDock = new Dock(m_look, QStringLiteral("iterationsDock"), QStringLiteral("branch"),
                                tr("Iterations"), m_iterations, this);
    m_iterationsDock->setWidths(200, 248);
    m_inner->addDockWidget(Qt::LeftDockWidgetArea, m_iterationsDock);
    m_agentStack = new QStackedWidget(this);
    m_agentStack->addWidget(m_agentPanel = new AgentPanel(m_look, this));
    m_agentStack->addWidget(m_pastRun = new PastRunPanel(m_look, this));
    m_lesson = new LessonDesk(m_look, *m_bench, *m_actions, this);
    m_agentDock = new Dock(m_look, QStringLiteral("agentDock"), QStringLiteral("playbook"), tr("Agent"),
                           m_lesson->above(m_agentStack), this);
    m_agentDock->setWidths(280, 312);
    m_inner->addDockWidget(Qt::RightDockWidgetArea, m_agentDock);
    m_inner->resizeDocks({m_iterationsDock, m_agentDock},
                         {m_iterationsDock->usualWidth(), m_agentDock->usualWidth()}, Qt::Horizontal);
    connect(&m_look, &Look::changed, this, &MainWindow::foldForWidth); // larger text needs more room
    for (Dock *dock : {m_iterationsDock, m_agentDock})
        connect(dock, &Dock::foldAsked, this, [this, dock](bool isFolded) {
            dock->setFolded(isFolded);
            if (!isFolded)
                m_inner->resizeDocks({dock}, {dock->usualWidth()}, Qt::Horizontal);
        });
}

void MainWindow::keepNothing() {
    m_keepsLayout = false;
    m_four->resetSizes();
}

void MainWindow::preparesJudge() {
    m_start->judge().prepareWith(findPreparer());
}

void MainWindow::applyTheme() {
    QPalette palette = m_look.theme().palette();
    qApp->setPalette(palette);
    qApp->setFont(m_look.font(TextRole::Body));
    update();
}

void MainWindow::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.window"));
}

void MainWindow::openWorkspace(const QString &path) {
    leaveWork(path, [this, path] {
        leaveText([this, path] {
            // Closing the one before must not flash the start page.
            m_isOpening = true;
            m_failedToKeep.invalidate();
            m_bench->open(path);
            m_isOpening = false;
        });
    });
}

// Nobody asked to write what is unsaved into the files: it comes back as a draft with its workspace. Where no
// draft can be written, the file is the better place.
void MainWindow::leaveText(const std::function<void()> &then) {
    if (!m_candidate->isSaving() && m_candidate->keepDrafts())
        return then();
    m_candidate->saveAll([then](bool isSaved) {
        if (isSaved)
            then();
    });
}

void MainWindow::startCheck(const std::function<void()> &check) {
    m_candidate->saveAll([this, check](bool isSaved) {
        if (!isSaved)
            return; // the candidate said why
        m_candidate->markChecked();
        check();
    });
}

void MainWindow::goTo(const QString &file, int line, int column) {
    if (!m_bench->workspace())
        return;
    m_walk->leave();
    const Workspace &workspace = *m_bench->workspace();
    const QString path = QFileInfo(file).isAbsolute() ? file : workspace.folder + QLatin1Char('/') + file;
    if (QFileInfo(path) == QFileInfo(workspace.modelFile)) {
        presentInstead(0);
        m_reference->goTo(line, column);
        return;
    }
    presentInstead(1);
    if (!m_candidate->goTo(path, line, column))
        m_toasts->show(newsNotice(tr("This place is not in the workspace"),
                                  QStringLiteral("%1:%2").arg(path).arg(line)));
}

void MainWindow::sayTrouble(const QString &title, const QString &text) {
    showTrouble(troubleNotice(title, text));
}

void MainWindow::sayOfProgram(const QString &title, const QString &text) {
    Notice notice = troubleNotice(title, text);
    notice.isOfProgram = true;
    showTrouble(std::move(notice));
}

void MainWindow::showTrouble(Notice notice) {
    if (const QString row = settingsRowIn(notice.text); !row.isEmpty()) {
        notice.actionName = tr("Settings > %1").arg(row);
        notice.action = [this, row] {
            showSettings(row);
        };
    }
    m_toasts->show(std::move(notice));
}

bool MainWindow::showPane(const QString &name) {
    const QString pane = name.toLower();
    static const QStringList four{QStringLiteral("reference"), QStringLiteral("candidate"),
                                  QStringLiteral("build"), QStringLiteral("profile")};
    if (const qsizetype index = four.indexOf(pane); index >= 0) {
        if (m_four->enlarged() != static_cast<int>(index))
            m_four->enlarge(static_cast<int>(index));
        return true;
    }
    if (pane == QLatin1String("settings")) {
        showSettings();
        return true;
    }
    if (pane == QLatin1String("models")) {
        showSettings(tr("Models"));
        return true;
    }
    if (pane == QLatin1String("setup")) {
        showPage(m_setupPage);
        return true;
    }
    if (pane == QLatin1String("lesson")) {
        m_lesson->openPage();
        return true;
    }
    if (pane == QLatin1String("compare")) {
        (m_actions->compareWithParent->isEnabled() ? m_actions->compareWithParent
                                                   : m_actions->compareWithEager)
            ->trigger();
        return true;
    }
    if (pane == QLatin1String("find") || pane == QLatin1String("files")) {
        (pane == QLatin1String("find") ? m_actions->findAll : m_actions->goToFile)->trigger();
        return true;
    }
    if (pane == QLatin1String("palette")) {
        m_actions->commands->trigger();
        return true;
    }
    return m_build->showPage(pane) || m_profile->showPage(pane);
}

void MainWindow::foldForWidth() {
    const int width = this->width();
    const int widthClass = width < m_look.px(1280) ? 0 : width < m_look.px(1440) ? 1 : 2;
    if (widthClass == m_widthClass)
        return;
    // Only a change of class folds: what a person folded or unfolded at this size stays.
    m_widthClass = widthClass;
    if (unfoldAsKept(widthClass))
        return;
    // While an agent works its pane is where it asks, and bets are placed: the iterations yield first.
    const bool keepsAgent = m_agent != nullptr && m_agent->isRunning() && !m_agentDock->isFolded() &&
                            width >= m_look.px(leastWithAgent);
    m_agentDock->setFolded(widthClass < 2 && !keepsAgent);
    m_iterationsDock->setFolded(widthClass < 1 || (widthClass < 2 && keepsAgent));
    QList<QDockWidget *> docks;
    QList<int> widths;
    for (Dock *dock : {m_iterationsDock, m_agentDock})
        if (!dock->isFolded()) {
            docks << dock;
            widths << dock->usualWidth();
        }
    if (!docks.isEmpty())
        m_inner->resizeDocks(docks, widths, Qt::Horizontal);
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    foldForWidth();
}

void MainWindow::restoreLayout() {
    const QByteArray geometry = m_state->bytes(QStringLiteral("geometry"));
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    m_inner->restoreState(m_state->bytes(QStringLiteral("docks")));
    m_four->restoreState(m_state->bytes(QStringLiteral("panes")));
    m_keptFolds = m_state->bytes(QStringLiteral("folds"));
    m_widthClass = -1; // the docks fold anew when the window has the size that was restored
    for (const auto &[name, pane] : pagedPanes())
        pane->setCurrentPage(m_state->bytes(name).toInt()); // the first where nothing was kept
    m_profile->restorePage(m_state->bytes(QStringLiteral("profilePage")));
}

QList<std::pair<QString, Pane *>> MainWindow::pagedPanes() const {
    return {{QStringLiteral("buildPage"), m_build}};
}

void MainWindow::fitScreen() {
    // The frame comes on top of it.
    const QSize room = screen()->availableGeometry().size();
    if (room.width() < width() + m_look.px(8) || room.height() < height() + m_look.px(40))
        setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::saveLayout() {
    if (!m_keepsLayout)
        return;
    m_state->setBytes(QStringLiteral("geometry"), saveGeometry());
    m_state->setBytes(QStringLiteral("docks"),
                      m_hiddenDocks.isEmpty() ? m_inner->saveState() : m_docksBefore);
    m_state->setBytes(QStringLiteral("panes"), m_four->saveState());
    for (const auto &[name, pane] : pagedPanes())
        m_state->setBytes(name, QByteArray::number(pane->currentPage()));
    m_state->setBytes(QStringLiteral("profilePage"), m_profile->openPage().toUtf8());
    m_state->setBytes(QStringLiteral("expertFirst"), m_actions->expertFirst->isChecked() ? "yes" : "");
    m_state->setBytes(QStringLiteral("hidesHeat"), m_actions->showHeat->isChecked() ? "" : "yes");
    saveFiles();
    // Before its files are in the editors there is nothing new to tell of a workspace.
    if (m_bench->workspace() && !m_toRestore) {
        QJsonObject state = m_candidate->saveState();
        // What was written to an agent and never read comes back into the box.
        state[QStringLiteral("unread")] = m_agent->talk().unread();
        gatherPlace(state);
        m_state->setWorkspace(m_bench->workspace()->folder, state);
    }
    gatherWindow();
    m_keeper->write();
}

void MainWindow::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_candidate != nullptr) {
        m_candidate->checkDisk();
        m_bench->lookAgain();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QString path = event->mimeData()->urls().first().toLocalFile();
    if (path.endsWith(QLatin1String(".ncu-rep")) || path.endsWith(QLatin1String(".ncu-repz")))
        openReport(path);
    else
        openWorkspace(path);
}

void MainWindow::closeEvent(QCloseEvent *event) {
    saveLayout();
    m_format->endWaiting();        // a save that waits for its layout
    if (m_candidate->isSaving()) { // quick, and in the pool
        event->ignore();
        m_candidate->saveAll([this](bool) { close(); });
        return;
    }
    // Nobody asked to write what is unsaved into the files: it comes back as a draft.
    // Tried each time; what a person was told long ago is no leave to lose what was typed since.
    if (m_candidate->keepDrafts() ||
        (m_failedToKeep.isValid() && m_failedToKeep.elapsed() < leavesWithinMs)) {
        m_agent->stop(); // the text that was kept last lies on the disk before the window has gone
        event->accept();
        return;
    }
    event->ignore();
    m_failedToKeep.start();
    sayTrouble(tr("Unsaved text cannot be kept"),
               tr("Its draft could not be written. Save it, or close once more to leave without it."));
}

} // namespace warpwright
