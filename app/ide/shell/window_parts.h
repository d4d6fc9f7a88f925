// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/settings.h"

class QMainWindow;
class QMenu;
class QStackedWidget;
class QWidget;

namespace warpwright {

class ActionReasons;
class Actions;
class AgentController;
class AgentPanel;
class BuildPanel;
class CandidatePanel;
class CompareController;
class ComparePage;
class Comparing;
class CounterController;
class DeviceDisplay;
class Dock;
class FourPanes;
class IterationsPanel;
class LanguageController;
class LeftRuns;
class LessonController;
class LessonMaker;
class Look;
class MeasuringActions;
class PaneOpener;
class PastRunPanel;
class PlaceOpener;
class PlaceWalk;
class Presentation;
class ProblemList;
class ProfilePanel;
class RecordingStarts;
class ReferencePanel;
class ReplayBar;
class ReplayController;
class RunOffers;
class SettingsPage;
class SetupPage;
class ShareController;
class DisplayedIterations;
class StartActions;
class StartPage;
class StatusDisplay;
class StatusLine;
class TextFormat;
class Toasts;
class TopBar;
class TreeDisplay;
class VerdictBanner;
class WindowDocks;
class WindowLayout;
class WindowNotices;
class WindowPages;
class WindowSettings;
class WindowState;
class WorkDisplay;
class Workbench;
class WorkspaceOpener;

/// What the window is made of, for those who compose it: the window and the functions below make it all, in
/// an order of their own, and fill this in meanwhile. What is not there yet is null. No part gets this: each
/// is given what it uses. Nothing here is owned.
struct WindowParts {
    QWidget *window = nullptr;
    Look *look = nullptr;
    Workbench *bench = nullptr;
    Actions *actions = nullptr;
    WindowState *state = nullptr;

    // The frame, and the page of the four panes.
    QMainWindow *inner = nullptr;
    TopBar *topBar = nullptr;
    StatusLine *status = nullptr;
    Toasts *toasts = nullptr;
    QMenu *deviceMenu = nullptr;
    QMenu *workspaceMenu = nullptr;
    QStackedWidget *pageStack = nullptr;
    QWidget *workPage = nullptr;
    QWidget *workHead = nullptr; ///< banner, and the bar of a replay
    VerdictBanner *banner = nullptr;
    ReplayBar *replayBar = nullptr;
    FourPanes *four = nullptr;
    ReferencePanel *reference = nullptr;
    CandidatePanel *candidate = nullptr;
    BuildPanel *build = nullptr;
    ProfilePanel *profile = nullptr;
    WindowDocks *docks = nullptr;
    Dock *iterationsDock = nullptr;
    IterationsPanel *iterations = nullptr;
    Dock *agentDock = nullptr;
    QStackedWidget *agentStack = nullptr; ///< in its dock: the live agent, or a past run
    AgentPanel *agentPanel = nullptr;
    PastRunPanel *pastRun = nullptr;

    // The other pages.
    StartPage *start = nullptr;
    SettingsPage *settingsPage = nullptr;
    SetupPage *setupPage = nullptr;
    ProblemList *problems = nullptr;
    ComparePage *comparePage = nullptr;

    // What works behind them.
    CounterController *counters = nullptr;
    ShareController *share = nullptr;
    AgentController *agent = nullptr;
    LessonController *lesson = nullptr;
    ReplayController *replay = nullptr;
    CompareController *compareController = nullptr;
    LanguageController *language = nullptr;
    PlaceWalk *walk = nullptr;
    TextFormat *format = nullptr;
    Presentation *presentation = nullptr;
    WindowLayout *layout = nullptr;
    StartActions *startActions = nullptr;
    RunOffers *offers = nullptr;
    LeftRuns *leftRuns = nullptr;
    MeasuringActions *measuring = nullptr;
    Comparing *comparing = nullptr;
    RecordingStarts *recordings = nullptr;
    LessonMaker *lessonMaker = nullptr;

    // What all of them ask of the window.
    WindowNotices *notices = nullptr;
    WindowPages *pages = nullptr;
    PaneOpener *panes = nullptr;
    DisplayedIterations *shown = nullptr;
    WorkspaceOpener *opener = nullptr;
    PlaceOpener *places = nullptr;
    WindowSettings *settings = nullptr;
    DeviceDisplay *device = nullptr;
    ActionReasons *reasons = nullptr;
    WorkDisplay *display = nullptr;
    TreeDisplay *tree = nullptr;
    StatusDisplay *statusDisplay = nullptr;
};

/// The parts that all others ask, then those of one matter each, in the order in which they are to hear of
/// what happens. Each function makes parts, gives them what they use, and connects what concerns only them.
void makeDocks(WindowParts &w);
void makeLayout(WindowParts &w);
void makeServices(WindowParts &w);
void makeStart(WindowParts &w, Settings::Loaded loaded);
void makePaneActions(WindowParts &w);
void makeAgent(WindowParts &w);
void makeMeasuring(WindowParts &w);
void makeComparing(WindowParts &w);
void makeSharing(WindowParts &w);
void makeLanguage(WindowParts &w);
void makeTexts(WindowParts &w);
void makeReplay(WindowParts &w);
void makeLessons(WindowParts &w);
void makeGuides(WindowParts &w);
void makePresenting(WindowParts &w);
void makeKeptPlace(WindowParts &w);

} // namespace warpwright
