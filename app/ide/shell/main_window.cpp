// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/main_window.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_controller.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/settings/setup_page.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/panes/measuring_actions.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/runs/recording_starts.h"
#include "app/ide/shell/start_actions.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/shell/window_layout.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_settings.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_page.h"
#include "toolchain/compile/header_store.h"
#include "widgets/frame/tab_order.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/scaled_layouts.h"
#include "widgets/popups/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMainWindow>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int leastWidth = 900;
constexpr int leastHeight = 560;
constexpr int leavesWithinMs = 60000;

} // namespace

MainWindow::MainWindow(DataFolders folders, QString programVersion, QWidget *parent)
    : QWidget(parent), m_state(new WindowState(folders.data + QStringLiteral("/window.json"))) {
    m_parts.window = this;
    m_parts.look = &m_look;
    m_parts.state = m_state.get();
    m_parts.bench = new Workbench(folders, std::move(programVersion), this);
    m_parts.counters = new CounterController(*m_parts.bench, this);
    m_parts.share = new ShareController(this);
    m_parts.actions = new Actions(this);
    Settings::Loaded loaded = Settings::loadOrDefaults(folders.settingsFile());
    buildFrame(loaded.settings);
    buildMenus();
    buildServices();
    buildPages(std::move(loaded));
    for (QAction *action : m_parts.actions->all())
        addAction(action);
    connectGroups();
    connect(&m_look, &Look::changed, this, &MainWindow::applyTheme);
    applyTheme();
    restoreState();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildFrame(const Settings &settings) {
    m_parts.inner = new QMainWindow(this);
    // Rooms take their margins from it while they are built; the theme comes with all other settings, later.
    m_look.set(m_look.theme(), settings.fontScale > 0 ? settings.fontScale : 1.0);
    new ScaledLayouts(m_look, *this); // before any room
    m_parts.topBar = new TopBar(m_look, *m_parts.actions, this);
    m_parts.status = new StatusLine(m_look, *m_parts.actions, this);
    m_parts.pageStack = new QStackedWidget(this);
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setMinimumSize(leastWidth, leastHeight); // beside a browser, with text of any size
    resize(qRound(m_look.px(1600) / m_look.scale()), qRound(m_look.px(1000) / m_look.scale()));
    m_parts.inner->setWindowFlags(Qt::Widget);
    buildCentre();
    buildDocks();
    makeLayout(m_parts);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_parts.topBar);
    column->addWidget(m_parts.inner, 1);
    column->addWidget(m_parts.status);
    m_palette = new CommandPalette(m_look, this);
    m_parts.toasts = new Toasts(m_look, m_parts.pageStack); // over every page
}

void MainWindow::buildServices() {
    makeServices(m_parts);
    connect(m_parts.opener, &WorkspaceOpener::opening, this, [this] { m_failedToKeep.invalidate(); });
}

void MainWindow::buildPages(Settings::Loaded loaded) {
    const DataFolders &folders = m_parts.bench->folders();
    m_parts.start = new StartPage(m_look, folders, this);
    m_parts.settingsPage = new SettingsPage(m_look, folders, m_parts.actions->all(), this);
    m_parts.setupPage = new SetupPage(m_look, folders, this);
    m_parts.problems = new ProblemList(m_look, this);
    for (QWidget *page : std::initializer_list<QWidget *>{m_parts.start, m_parts.settingsPage,
                                                          m_parts.setupPage, m_parts.problems})
        m_parts.pageStack->addWidget(page);
    makeStart(m_parts, std::move(loaded));
}

void MainWindow::buildCentre() {
    m_parts.reference = new ReferencePanel(m_look, *m_parts.bench, this);
    m_parts.candidate = new CandidatePanel(m_look, *m_parts.bench, m_parts.actions->beginCandidate, this);
    m_parts.build = new BuildPanel(m_look, *m_parts.bench, *m_parts.actions, this);
    m_parts.profile = new ProfilePanel(m_look, *m_parts.bench, *m_parts.actions, *m_parts.counters, this);
    m_parts.four =
        new FourPanes(m_look, {m_parts.reference, m_parts.candidate, m_parts.build, m_parts.profile}, this);
    m_parts.banner = new VerdictBanner(m_look, this);
    m_parts.workPage = new QWidget(this);
    auto *column = new QVBoxLayout(m_parts.workPage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_parts.replayBar = new ReplayBar(m_look,
                                      {m_parts.actions->replayPlay, m_parts.actions->replayBack,
                                       m_parts.actions->replayForward, m_parts.actions->branchHere,
                                       m_parts.actions->continueRun, m_parts.actions->backToText},
                                      this);
    m_parts.workHead = new QWidget(m_parts.workPage);
    auto *head = new QVBoxLayout(m_parts.workHead);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(0);
    head->addWidget(m_parts.replayBar);
    head->addWidget(m_parts.banner);
    column->addWidget(m_parts.workHead);
    column->addWidget(m_parts.four, 1);
    m_parts.pageStack->addWidget(m_parts.workPage);
    m_parts.inner->setCentralWidget(m_parts.pageStack);
    m_parts.inner->setDockNestingEnabled(false);
}

void MainWindow::buildDocks() {
    m_parts.iterations = new IterationsPanel(m_look, *m_parts.actions, this);
    m_parts.iterationsDock = new Dock(m_look, QStringLiteral("iterationsDock"), QStringLiteral("branch"),
                                      tr("Iterations"), m_parts.iterations, this);
    m_parts.iterationsDock->setWidths(200, 248);
    m_parts.inner->addDockWidget(Qt::LeftDockWidgetArea, m_parts.iterationsDock);
    m_parts.agentStack = new QStackedWidget(this);
    m_parts.agentStack->addWidget(m_parts.agentPanel = new AgentPanel(m_look, this));
    m_parts.agentStack->addWidget(m_parts.pastRun = new PastRunPanel(m_look, this));
    m_parts.lesson = new LessonController(m_look, *m_parts.bench, *m_parts.actions, this);
    m_parts.agentDock = new Dock(m_look, QStringLiteral("agentDock"), QStringLiteral("playbook"), tr("Agent"),
                                 m_parts.lesson->above(m_parts.agentStack), this);
    m_parts.agentDock->setWidths(280, 312);
    m_parts.inner->addDockWidget(Qt::RightDockWidgetArea, m_parts.agentDock);
    m_parts.inner->resizeDocks({m_parts.iterationsDock, m_parts.agentDock},
                               {m_parts.iterationsDock->usualWidth(), m_parts.agentDock->usualWidth()},
                               Qt::Horizontal);
    makeDocks(m_parts);
}

void MainWindow::restoreState() {
    m_parts.settings->load();
    m_parts.layout->restore();
    makeKeptPlace(m_parts);
    m_parts.notices->listen(*m_parts.bench, *m_parts.pageStack, *m_parts.candidate);
    m_parts.settings->watchFile();
    m_parts.reasons->update();
    m_parts.device->describe();
    m_parts.display->showNow();
}

void MainWindow::keepNothing() {
    m_parts.layout->keepNothing();
}

void MainWindow::preparesJudge() {
    m_parts.start->judge().prepareWith(findPreparer());
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
    m_parts.opener->open(path);
}

void MainWindow::openSample(const QString &name) {
    m_parts.startActions->openSample(name);
}

void MainWindow::openRecording(const QString &name) {
    m_parts.recordings->openRecording(name);
}

void MainWindow::resume() {
    m_parts.startActions->resume(QString::fromUtf8(m_state->bytes(QStringLiteral("open"))));
}

void MainWindow::showStartPage() {
    m_parts.pages->showStart();
}

void MainWindow::useTheme(const QString &name) {
    m_parts.settings->useTheme(name);
}

void MainWindow::showSettings(const QString &row) {
    m_parts.settings->showPage(row);
}

void MainWindow::goTo(const QString &file, int line, int column) {
    m_parts.places->goTo(file, line, column);
}

bool MainWindow::showPane(const QString &name) {
    const QString pane = name.toLower();
    static const QStringList four{QStringLiteral("reference"), QStringLiteral("candidate"),
                                  QStringLiteral("build"), QStringLiteral("profile")};
    if (const qsizetype index = four.indexOf(pane); index >= 0) {
        if (m_parts.four->enlarged() != static_cast<int>(index))
            m_parts.four->enlarge(static_cast<int>(index));
        return true;
    }
    if (pane == QLatin1String("settings")) {
        m_parts.settings->showPage();
        return true;
    }
    if (pane == QLatin1String("models")) {
        m_parts.settings->showPage(tr("Models"));
        return true;
    }
    if (pane == QLatin1String("setup")) {
        m_parts.pages->show(m_parts.setupPage);
        return true;
    }
    if (pane == QLatin1String("lesson")) {
        m_parts.lesson->openPage();
        return true;
    }
    if (pane == QLatin1String("compare")) {
        (m_parts.actions->compareWithParent->isEnabled() ? m_parts.actions->compareWithParent
                                                         : m_parts.actions->compareWithEager)
            ->trigger();
        return true;
    }
    if (pane == QLatin1String("find") || pane == QLatin1String("files")) {
        (pane == QLatin1String("find") ? m_parts.actions->findAll : m_parts.actions->goToFile)->trigger();
        return true;
    }
    if (pane == QLatin1String("palette")) {
        m_parts.actions->commands->trigger();
        return true;
    }
    return m_parts.build->showPage(pane) || m_parts.profile->showPage(pane);
}

void MainWindow::fitScreen() {
    // The frame comes on top of it.
    const QSize room = screen()->availableGeometry().size();
    if (room.width() < width() + m_look.px(8) || room.height() < height() + m_look.px(40))
        setWindowState(windowState() | Qt::WindowMaximized);
}

bool MainWindow::focusNextPrevChild(bool next) {
    return focusNextStop(*this, next) || QWidget::focusNextPrevChild(next);
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (m_parts.docks != nullptr)
        m_parts.docks->foldForWidth();
}

void MainWindow::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_parts.candidate != nullptr) {
        m_parts.candidate->checkDisk();
        m_parts.bench->lookAgain();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QString path = event->mimeData()->urls().first().toLocalFile();
    if (path.endsWith(QLatin1String(".ncu-rep")) || path.endsWith(QLatin1String(".ncu-repz")))
        m_parts.measuring->openReport(path);
    else
        m_parts.opener->open(path);
}

void MainWindow::closeEvent(QCloseEvent *event) {
    m_parts.layout->save();
    m_parts.format->endWaiting();        // a save that waits for its layout
    if (m_parts.candidate->isSaving()) { // quick, and in the pool
        event->ignore();
        m_parts.candidate->saveAll([this](bool) { close(); });
        return;
    }
    // Nobody asked to write what is unsaved into the files: it comes back as a draft.
    // Tried each time; what a person was told long ago is no leave to lose what was typed since.
    if (m_parts.candidate->keepDrafts() ||
        (m_failedToKeep.isValid() && m_failedToKeep.elapsed() < leavesWithinMs)) {
        m_parts.agent->stop(); // the text that was kept last lies on the disk before the window has gone
        event->accept();
        return;
    }
    event->ignore();
    m_failedToKeep.start();
    m_parts.notices->sayTrouble(
        tr("Unsaved text cannot be kept"),
        tr("Its draft could not be written. Save it, or close once more to leave without it."));
}

} // namespace warpwright
