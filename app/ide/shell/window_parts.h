// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"

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
class CounterController;
class DeviceDisplay;
class Dock;
class FourPanes;
class IterationsPanel;
class LanguageController;
class LessonController;
class Look;
class PastRunPanel;
class PlaceOpener;
class PlaceWalk;
class Presentation;
class ProblemList;
class ProfilePanel;
class ReferencePanel;
class ReplayBar;
class ReplayController;
class SettingsPage;
class SetupPage;
class ShareController;
class StartPage;
class StatusLine;
class TextFormat;
class Toasts;
class TopBar;
class VerdictBanner;
class WindowNotices;
class WindowPages;
class WindowSettings;
class WindowState;
class WorkDisplay;
class Workbench;
class WorkspaceOpener;

/// What the window is made of, for those who connect it. The window makes it all, in an order of its own, and
/// fills this in meanwhile: what is not there yet is null. Nothing here is owned.
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

    // What all of them ask of the window.
    WindowNotices *notices = nullptr;
    WindowPages *pages = nullptr;
    WorkspaceOpener *opener = nullptr;
    PlaceOpener *places = nullptr;
    WindowSettings *settings = nullptr;
    DeviceDisplay *device = nullptr;
    ActionReasons *reasons = nullptr;
    WorkDisplay *display = nullptr;
};

/// Of the past run that is open, else of the workspace.
[[nodiscard]] SharedTree shownTree(const WindowParts &parts);
void showIteration(const WindowParts &parts, int number);

} // namespace warpwright
