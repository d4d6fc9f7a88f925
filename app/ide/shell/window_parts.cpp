// SPDX-License-Identifier: GPL-3.0-or-later
// Each part of the window with what it uses; who hears of whom in what order.
#include "app/ide/shell/window_parts.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/compare/compare_controller.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/language_controller.h"
#include "app/ide/language/place_walk.h"
#include "app/ide/language/text_format.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_controller.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/settings/setup_page.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/guide_pages.h"
#include "app/ide/shell/kept_place.h"
#include "app/ide/shell/new_workspaces.h"
#include "app/ide/shell/panes/check_actions.h"
#include "app/ide/shell/panes/compare_actions.h"
#include "app/ide/shell/panes/comparing.h"
#include "app/ide/shell/panes/iteration_menu.h"
#include "app/ide/shell/panes/language_actions.h"
#include "app/ide/shell/panes/line_heat.h"
#include "app/ide/shell/panes/measuring_actions.h"
#include "app/ide/shell/panes/page_actions.h"
#include "app/ide/shell/panes/page_sharing.h"
#include "app/ide/shell/panes/pane_actions.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/panes/pane_presenting.h"
#include "app/ide/shell/panes/pane_walk.h"
#include "app/ide/shell/panes/present_action.h"
#include "app/ide/shell/panes/presented_sides.h"
#include "app/ide/shell/panes/presented_steps.h"
#include "app/ide/shell/panes/presented_words.h"
#include "app/ide/shell/panes/shell_actions.h"
#include "app/ide/shell/panes/text_actions.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/runs/agent_watch.h"
#include "app/ide/shell/runs/failure_talk.h"
#include "app/ide/shell/runs/kept_run_choices.h"
#include "app/ide/shell/runs/kernel_inspection.h"
#include "app/ide/shell/runs/left_runs.h"
#include "app/ide/shell/runs/lesson_bets.h"
#include "app/ide/shell/runs/lesson_faults.h"
#include "app/ide/shell/runs/lesson_maker.h"
#include "app/ide/shell/runs/lesson_reading.h"
#include "app/ide/shell/runs/lesson_run.h"
#include "app/ide/shell/runs/lesson_starts.h"
#include "app/ide/shell/runs/other_agents.h"
#include "app/ide/shell/runs/past_runs.h"
#include "app/ide/shell/runs/recording_starts.h"
#include "app/ide/shell/runs/replay_actions.h"
#include "app/ide/shell/runs/replay_notices.h"
#include "app/ide/shell/runs/replay_view.h"
#include "app/ide/shell/runs/run_offers.h"
#include "app/ide/shell/start_actions.h"
#include "app/ide/shell/status_display.h"
#include "app/ide/shell/tree_display.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/shell/window_layout.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_settings.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>

#include <utility>

namespace warpwright {

void makeDocks(WindowParts &w) {
    w.docks = new WindowDocks({*w.agentDock, *w.inner, *w.iterationsDock, *w.look}, w.window);
}

void makeLayout(WindowParts &w) {
    w.layout = new WindowLayout({*w.actions, *w.build, *w.docks, *w.four, *w.profile, *w.state}, w.window);
}

namespace {

void makeDisplays(WindowParts &w) {
    w.display = new WorkDisplay({*w.actions, *w.banner, *w.bench, *w.shown}, w.window);
    w.tree = new TreeDisplay({*w.bench, *w.build, *w.iterations, *w.profile, *w.shown}, w.window);
    w.statusDisplay = new StatusDisplay({*w.actions, *w.bench, *w.counters, *w.status}, w.window);
    QObject::connect(w.display, &WorkDisplay::shown, w.tree, &TreeDisplay::showProposal);
    QObject::connect(w.display, &WorkDisplay::shown, w.statusDisplay, &StatusDisplay::show);
    QObject::connect(w.tree, &TreeDisplay::recordsShown, w.display, &WorkDisplay::showNow);
}

} // namespace

void makeServices(WindowParts &w) {
    w.notices = new WindowNotices({*w.actions, *w.look, *w.status, *w.toasts}, w.window);
    w.pages = new WindowPages({*w.bench, *w.docks, *w.pageStack, *w.workPage}, w.window);
    QObject::connect(w.pages, &WindowPages::cameToWork, w.candidate, &CandidatePanel::focusHere,
                     Qt::QueuedConnection);
    w.panes = new PaneOpener({*w.bench, *w.four, *w.pages, *w.profile}, w.window);
    w.opener = new WorkspaceOpener({*w.bench, *w.candidate, *w.notices, *w.pages}, w.window);
    w.places = new PlaceOpener(
        {*w.bench, *w.candidate, *w.iterations, *w.notices, *w.pages, *w.panes, *w.reference}, w.window);
    w.device = new DeviceDisplay({*w.bench, *w.deviceMenu, *w.notices, *w.status, *w.topBar}, w.window);
    w.reasons = new ActionReasons({*w.actions, *w.bench, *w.counters, *w.device, *w.lesson}, w.window);
    w.shown = new DisplayedIterations(*w.bench, w.window);
    makeDisplays(w);
    QObject::connect(w.device, &DeviceDisplay::described, w.reasons, &ActionReasons::update);
}

void makeStart(WindowParts &w, Settings::Loaded loaded) {
    w.pages->setStart(*w.start);
    w.settings = new WindowSettings(
        {*w.actions, *w.bench, *w.device, *w.look, *w.notices, *w.pages, *w.settingsPage, *w.setupPage},
        std::move(loaded), w.window);
    w.startActions =
        new StartActions({*w.actions, *w.bench, *w.notices, *w.opener, *w.pages, *w.start}, w.window);
    QObject::connect(&w.start->doctor(), &DoctorPanel::settingsAsked, w.settings, &WindowSettings::showPage);
    new NewWorkspaces({*w.actions, *w.bench, *w.notices, *w.opener, *w.pages, *w.problems}, w.window);
}

void makePaneActions(WindowParts &w) {
    new CheckActions({*w.actions, *w.bench, *w.candidate, *w.counters, *w.panes, *w.places}, w.window);
    new PaneActions({*w.actions, *w.docks, *w.four, *w.notices, *w.panes}, w.window);
    new PaneWalk({*w.actions,
                  *w.candidate,
                  {w.iterations, w.reference, w.candidate, w.build, w.profile, w.agentStack}},
                 w.window);
}

void makeAgent(WindowParts &w) {
    w.agent = new AgentController(
        *w.look, {*w.bench, *w.candidate, *w.agentPanel, *w.topBar, *w.actions, *w.profile}, w.window);
    w.docks->setAgent(*w.agent);
    w.opener->setAgent(*w.agent);
    w.reasons->setAgent(*w.agent);
    w.display->setAgent(*w.agent);
    w.tree->setAgent(*w.agent);
    w.statusDisplay->setAgent(*w.agent);
    QObject::connect(w.agent, &AgentController::runChanged, w.reasons, &ActionReasons::update);
    QObject::connect(w.agent, &AgentController::runChanged, w.display, &WorkDisplay::showNow);
    w.leftRuns =
        new LeftRuns({*w.actions, *w.agent, *w.bench, *w.candidate, *w.notices, *w.opener}, w.window);
    w.offers = new RunOffers(
        {*w.actions, *w.agent, *w.agentDock, *w.agentPanel, *w.bench, *w.candidate, *w.leftRuns, *w.lesson},
        w.window);
    new KeptRunChoices({*w.actions, *w.agent, *w.state}, w.window);
    new OtherAgents({*w.agent, *w.agentPanel, *w.bench, *w.candidate, *w.settingsPage}, w.window);
    new FailureTalk({*w.agent, *w.agentDock, *w.agentPanel, *w.agentStack, *w.bench, *w.build, *w.pages},
                    w.window);
    new KernelInspection({w.profile->assembly(), *w.bench, *w.build}, w.window);
    new AgentWatch({*w.actions, *w.agent, *w.agentDock, *w.agentPanel, *w.notices, *w.pages, *w.panes},
                   w.window);
    QObject::connect(w.agent, &AgentController::worked, w.display, &WorkDisplay::showNow);
    for (const auto changed : {&AgentController::worked, &AgentController::runChanged})
        QObject::connect(w.agent, changed, w.tree, &TreeDisplay::showMeasuredFirst);
    QObject::connect(w.agentPanel, &AgentPanel::linkActivated, w.places, &PlaceOpener::follow);
}

void makeMeasuring(WindowParts &w) {
    w.measuring = new MeasuringActions({*w.actions, *w.bench, *w.candidate, *w.counters, *w.device,
                                        w.profile->measured(), *w.notices, *w.panes},
                                       w.window);
    auto *pages = new PageActions({*w.actions, *w.bench, *w.build, *w.panes, *w.profile}, w.window);
    new LineHeat({*w.actions->showHeat, *w.candidate, *w.look, *w.notices, *w.places, *w.profile},
                 w.state->bytes(QStringLiteral("hidesHeat")) == "yes", w.window);
    QObject::connect(w.counters, &CounterController::runChanged, w.reasons, &ActionReasons::update);
    for (const auto changed : {&CounterController::runChanged, &CounterController::ticked})
        QObject::connect(w.counters, changed, w.display,
                         &WorkDisplay::showNow); // the status line tells of it
    QObject::connect(w.counters, &CounterController::countersChanged, w.reasons, &ActionReasons::update);
    QObject::connect(w.reasons, &ActionReasons::updated, w.measuring, &MeasuringActions::enable);
    QObject::connect(w.reasons, &ActionReasons::updated, pages, &PageActions::enable);
}

void makeComparing(WindowParts &w) {
    w.compareController = new CompareController(*w.bench, w.window);
    w.comparePage = new ComparePage(*w.look, w.window);
    w.pages->add(w.comparePage);
    w.comparing =
        new Comparing({*w.bench, *w.compareController, *w.comparePage, *w.pages, *w.shown}, w.window);
    auto *actions = new CompareActions(
        {*w.actions, *w.bench, *w.comparing, *w.iterations, *w.notices, *w.profile}, w.window);
    new IterationMenu({*w.actions, *w.bench, *w.comparing, *w.iterations, *w.shown}, w.window);
    QObject::connect(w.reasons, &ActionReasons::updated, actions, &CompareActions::enable);
}

void makeSharing(WindowParts &w) {
    auto *sharing = new PageSharing(
        {*w.actions, *w.bench, *w.candidate, *w.notices, *w.profile, *w.share, *w.shown}, w.window);
    QObject::connect(w.share, &ShareController::writingChanged, w.reasons, &ActionReasons::update);
    QObject::connect(w.reasons, &ActionReasons::updated, sharing, &PageSharing::enable);
}

void makeLanguage(WindowParts &w) {
    w.language = new LanguageController(*w.bench, *w.candidate, *w.reference, w.window);
    auto *actions = new LanguageActions(
        {*w.actions, *w.bench, *w.candidate, *w.language, *w.look, *w.notices, *w.pages, *w.places},
        w.window);
    QObject::connect(actions, &LanguageActions::stateTold, w.status, &StatusLine::setLanguage);
    QObject::connect(actions, &LanguageActions::serversFound, w.settingsPage,
                     [page = w.settingsPage](bool isGood, const QString &found) {
                         page->setLanguageServers({isGood, found});
                     });
    actions->enable();
    w.walk = actions->walk();
    w.format = actions->format();
    QObject::connect(w.places, &PlaceOpener::leaving, w.walk, &PlaceWalk::leave);
    QObject::connect(w.settings, &WindowSettings::applied, w.language, &LanguageController::setSettings);
    QObject::connect(w.settings, &WindowSettings::applied, w.candidate,
                     [candidate = w.candidate](const Settings &settings) {
                         candidate->setClosesBrackets(settings.closeBrackets != QLatin1String("never"));
                     });
    QObject::connect(w.device, &DeviceDisplay::found, w.settingsPage, &SettingsPage::setToolchain);
    QObject::connect(w.device, &DeviceDisplay::found, &w.profile->assembly(), &AssemblyPage::setToolchain);
    QObject::connect(w.device, &DeviceDisplay::found, w.compareController, &CompareController::setToolchain);
    QObject::connect(w.device, &DeviceDisplay::found, w.language, &LanguageController::setToolchain);
    QObject::connect(w.device, &DeviceDisplay::found, &w.start->judge(), &JudgeNotice::setToolchain);
}

void makeTexts(WindowParts &w) {
    auto *texts = new TextActions(
        {*w.actions, *w.bench, *w.candidate, *w.format, *w.notices, *w.pages, *w.state}, w.window);
    auto *shell = new ShellActions(
        {*w.actions, *w.bench, *w.build, *w.device, *w.notices, *w.pages, *w.state}, w.window);
    QObject::connect(w.reasons, &ActionReasons::updated, texts, &TextActions::enable);
    QObject::connect(w.reasons, &ActionReasons::updated, shell, &ShellActions::enable);
    QObject::connect(w.layout, &WindowLayout::saving, texts, &TextActions::keep);
    QObject::connect(w.layout, &WindowLayout::saving, shell, &ShellActions::keep);
}

void makeReplay(WindowParts &w) {
    w.replay = new ReplayController({*w.bench, *w.candidate, *w.pastRun, *w.replayBar}, w.window);
    w.shown->setReplay(*w.replay);
    new PastRuns({*w.actions, *w.agent, *w.bench, *w.look, *w.notices, *w.pages, *w.replay}, w.window);
    new ReplayNotices({*w.actions, *w.bench, *w.notices, *w.replay}, w.window);
    new ReplayView({*w.agentDock, *w.agentPanel, *w.agentStack, *w.pastRun, *w.actions->replayPlay, *w.replay,
                    *w.replayBar},
                   w.window);
    QObject::connect(w.replay, &ReplayController::left, w.tree, &TreeDisplay::showRecords);
    for (const auto changed : {&ReplayController::opened, &ReplayController::left})
        QObject::connect(w.replay, changed, w.reasons, &ActionReasons::update);
    QObject::connect(w.replay, &ReplayController::recordsChanged, w.tree, &TreeDisplay::showRecords);
    auto *actions = new ReplayActions(
        {*w.actions, *w.agent, *w.agentDock, *w.bench, *w.candidate, *w.leftRuns, *w.replay}, w.window);
    showHunksOf(*w.replay, *w.profile);
    w.recordings =
        new RecordingStarts({*w.bench, *w.notices, *w.opener, *w.replay, *w.start, *w.topBar}, w.window);
    QObject::connect(w.iterations, &IterationsPanel::picked, w.shown, &DisplayedIterations::show);
    QObject::connect(w.reasons, &ActionReasons::updated, actions, &ReplayActions::enable);
}

void makeLessons(WindowParts &w) {
    new LessonReading({*w.bench, *w.lesson, *w.notices, *w.pages, *w.places, *w.replay}, w.window);
    new LessonRun({*w.actions, *w.agent, *w.agentDock, *w.bench, *w.candidate, *w.lesson, *w.offers},
                  w.window);
    QObject::connect(w.agent, &AgentController::runChanged, w.reasons,
                     &ActionReasons::update); // it says what runs
    QObject::connect(
        w.agent, &AgentController::runChanged, w.start, [start = w.start, agent = w.agent, bench = w.bench] {
            start->setAtWork(agent->isRunning() && bench->workspace() ? bench->workspace()->folder
                                                                      : QString());
        });
    new LessonBets({*w.actions, *w.bench, *w.lesson, *w.notices, *w.state}, w.window);
    auto *faults = new LessonFaults({*w.look, *w.pages}, w.window);
    w.lessonMaker = new LessonMaker(
        {*w.agent, *w.agentDock, *w.bench, *faults, *w.lesson, *w.notices, *w.opener}, w.window);
    new LessonStarts({*w.actions, *w.bench, *w.lesson, *w.lessonMaker, *w.opener, *w.start}, w.window);
}

void makeGuides(WindowParts &w) {
    new GuidePages({*w.actions, *w.bench, *w.look, *w.notices, *w.pages}, w.window);
}

void makePresenting(WindowParts &w) {
    auto *steps = new PresentedSteps({*w.actions, *w.candidate, *w.replay, *w.replayBar}, w.window);
    auto *words =
        new PresentedWords({*w.agent, *w.agentDock, *w.candidate, *w.four, *w.pastRun, *w.replay}, w.window);
    auto *presenting = new PanePresenting(
        {*w.four, *w.look, {w.topBar, w.status, w.workHead}, *steps, *words, *w.workPage}, w.window);
    w.presentation = &presenting->presentation();
    new PresentedSides({*w.agentDock, *w.agentStack, *w.docks, *w.pages, *w.presentation, *w.workPage},
                       w.window);
    new PresentAction({*w.actions->findChild<QAction *>(QStringLiteral("present")), *w.agentDock, *w.bench,
                       *w.candidate, *w.four, *w.pages, *w.presentation},
                      w.window);
    QObject::connect(w.presentation, &Presentation::presented, presenting, &PanePresenting::say);
    w.pages->setPresentation(*w.presentation);
    w.panes->setPresentation(*w.presentation);
}

void makeKeptPlace(WindowParts &w) {
    auto *place = new KeptPlace(
        {*w.agent, *w.bench, *w.candidate, *w.comparing, *w.leftRuns, *w.opener, *w.state}, w.window);
    w.layout->keep(*place);
    QObject::connect(w.bench, &Workbench::shownChanged, w.layout, &WindowLayout::touch);
    place->keep();
    QObject::connect(w.candidate, &CandidatePanel::loaded, place, &KeptPlace::restore);
}

} // namespace warpwright
