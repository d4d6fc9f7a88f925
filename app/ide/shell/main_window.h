// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"
#include "agent/record/recordings.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/comparison/comparison_choice.h"
#include "widgets/look/look.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QWidget>

#include <functional>

class QMainWindow;
class QMenu;
class QStackedWidget;

namespace warpwright {

class Actions;
class AgentDesk;
class AgentPanel;
class BuildPanel;
class CandidatePanel;
class CodeEditor;
class CommandPalette;
class CounterDesk;
class Dock;
class FindDesk;
class FourPanes;
class HouseStyle;
class IterationsPanel;
class LanguageDesk;
class LessonDesk;
class ListingDesk;
class CompareDesk;
class ComparePage;
class PaletteDesk;
class Pane;
class PlaceWalk;
class Presentation;
class PastRunPanel;
class PastRunsPage;
class ProblemList;
class ProfilePanel;
class ReferencePanel;
class ReplayBar;
class ReplayDesk;
class SettingsPage;
struct Notice;
class SetupPage;
class ShareDesk;
class StartPage;
class StateKeeper;
class StatusLine;
class SystemTheme;
class TextFormat;
class Toasts;
class TopBar;
class VerdictBanner;
class WindowState;
struct ShellPlace;

/// The window: creates the panels, connects them to the workbench and lays them out. It decides nothing about
/// kernels. One window shows one workspace.
class MainWindow : public QWidget {
    Q_OBJECT
public:
    MainWindow(DataFolders folders, QString programVersion, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openWorkspace(const QString &path);
    /// The person's copy of a sample of ours, which itself stays as it is.
    /// The judge is compiled in the background when it is missing, by a process of its own.
    void preparesJudge();
    void openSample(const QString &name);
    /// The person's copy of a run that ships, played from its first event on.
    void openRecording(const QString &name);
    /// "light", "dark"; anything else: as the settings say.
    void useTheme(const QString &name);
    /// A window that would reach beyond the screen fills it instead.
    void fitScreen();
    /// Layout and sizes are neither restored nor kept: for pictures and tests.
    void keepNothing();
    void showStartPage();
    /// As it was when the program ended: the workspace that was open, else the start page.
    void resume();
    void showSettings(const QString &row = {});

    [[nodiscard]] Workbench &bench() { return *m_bench; }
    [[nodiscard]] Actions &actions() { return *m_actions; }
    [[nodiscard]] AgentDesk &agent() { return *m_agent; }
    [[nodiscard]] ReplayDesk &replay() { return *m_replay; }
    [[nodiscard]] LanguageDesk &language() { return *m_language; }
    [[nodiscard]] Look &look() { return m_look; }
    /// "reference", "candidate", "build", "compile", "verify", "console", "profile", "speedup", ...: for
    /// --pane.
    bool showPane(const QString &name);

    /// A place that a message names, in whichever pane has it; paths relative to the workspace or absolute.
    void goTo(const QString &file, int line, int column);

signals:
    /// Everything that opening started is there to be seen.
    void settled();

protected:
    bool focusNextPrevChild(bool next) override; ///< as the window is read
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildCentre();
    void buildMenus();
    void buildPages();
    void backToWork(); ///< and to where the keys were
    void connectKeyboard();
    void connectHelp();
    void connectPresenting();
    void presentInstead(int pane); ///< in the order of the four; where none is presented it stays so
    void connectLessons();
    void showLessonFaults(const QString &lesson, const QString &folder, const QString &faults);
    /// `lesson`: the name of one that ships, or the folder of another. `folder`: where its workspace is to
    /// lie; empty: the next free one of ours.
    void beginLessonIn(const QString &lesson, const QString &folder);
    void beginLessonElsewhere(const QString &lesson); ///< asks for the folder
    void beginLessonAnew();
    void exportLesson(const QString &kind);
    void showOpenedLesson();
    void openLastRun();
    void playOpenedRecording();
    [[nodiscard]] SharedTree shownTree() const; ///< of the past run that is open, else of the workspace
    void newWorkspaceFrom(const QString &modelFile);
    void askWorkspaceFrom(const QString &modelFile); ///< where it is to lie
    void makeWorkspaceIn(const QString &folder, const QString &modelFile);
    void connectLeftWork();
    void askLesson(const QString &name); ///< where it was begun before: go on, or begin anew
    void continueIn(const QString &path, bool isLesson);
    void continueOpened();
    [[nodiscard]] bool isWorking() const; ///< a check or a run goes on, and would end with its workspace
    /// `then`, at once where nothing goes on; else a person is asked first. `path`: what is to be opened;
    /// empty: the workspace is to be closed.
    void leaveWork(const QString &path, const std::function<void()> &then);
    void showOpened();
    void beginCandidate();
    void changeSettings(const std::function<void(Settings &)> &edit);
    void connectActions();
    void connectBench();
    void applyTheme();
    void restoreLayout();
    void keepLayout();
    void connectNotices();
    void gatherWindow();
    void gatherPlace(QJsonObject &state) const;
    void restorePlace();
    [[nodiscard]] QString openedPath() const; ///< empty: no workspace
    [[nodiscard]] QByteArray foldsNow() const;
    bool unfoldAsKept(int widthClass);
    QList<std::pair<QString, Pane *>> pagedPanes() const; ///< by what the state calls their open page
    void saveLayout();
    void foldForWidth();
    void showBanner();
    void follow(const QString &address);
    void loadSettings();
    void applySettings(const Settings &settings);
    void fillDeviceMenu();
    void useDevice(const QString &device);
    void compare(const ComparisonChoice &left, const ComparisonChoice &right);
    void openIterationMenu(int number, const QPoint &at);
    void compareWithBaseline();
    [[nodiscard]] ComparisonChoice shownChoice() const;
    void connectComparing();
    void connectFiles();
    void enableFiles();
    void saveFiles();
    void openTabMenu(const QString &file, const QPoint &globalPosition);
    void openTerminal();
    /// Which an act of writing is about; null: the person was in another text, and has come to it now.
    [[nodiscard]] CodeEditor *editorToWriteIn();
    [[nodiscard]] ShellPlace shellPlaceNow() const;
    void enableComparing();
    void describeDevice();
    void enableActions();
    void leaveText(const std::function<void()> &then);
    void startCheck(const std::function<void()> &check);
    [[nodiscard]] QString whyNoSweep() const;
    void goToDiagnostic(int by);
    void announce(const Evaluation &evaluation);
    void connectAgent();
    void connectQuestions();
    void connectFailure();
    void connectCounters();
    void enableCounters();
    /// Wherever the window is: the four panes come back, and the profile pane with this page.
    void showProfilePage(const QString &name);
    void connectSharing();
    void connectLanguage();
    void enableLanguage();
    void saveByHand();
    void writeStyle();
    void connectFinding();
    void openFile(const QString &file, int line); ///< relative to the workspace; line 0: where one was
    void showBuild();
    void shareByDialog();
    void openReport(const QString &path);
    void connectOffers();
    void readOffers();
    void beginRun(const AgentName &agent, const QString &source = {});
    void offerOthers(const QString &run, const AgentName &missing);
    void buildRuns();
    void showRecords();
    void showMeasuredFirst();
    void showIteration(int number); ///< of the past run that is open, else of the workspace
    void enableReplay();
    void showNoRun();
    void offerRuns();
    void readMessage();
    [[nodiscard]] QList<QAction *> offeredRuns() const;
    void lookForLeftRun();
    void tellAnswers();
    void sayTrouble(const QString &title, const QString &text);
    void sayOfProgram(const QString &title, const QString &text); ///< of whatever workspace is open
    void showTrouble(Notice notice);
    void showPage(QWidget *page);
    void openByDialog();
    void changeScale(int steps);

    Workbench *m_bench;
    CounterDesk *m_counters;
    ShareDesk *m_share;
    Look m_look;
    Actions *m_actions;
    WindowState *m_state;
    StateKeeper *m_keeper = nullptr;
    std::optional<QJsonObject> m_toRestore; ///< once the files of the workspace are in the editors
    QByteArray m_keptFolds;                 ///< of the docks, until the window has its size
    Settings::Loaded m_loaded; ///< once: what is wrong in the file is mended, and told, by who reads it first
    QMainWindow *m_inner;
    TopBar *m_topBar;
    StatusLine *m_status;
    QStackedWidget *m_pages;
    QWidget *m_workPage = nullptr;
    VerdictBanner *m_banner = nullptr;
    FourPanes *m_four = nullptr;
    ReferencePanel *m_reference = nullptr;
    CandidatePanel *m_candidate = nullptr;
    BuildPanel *m_build = nullptr;
    ProfilePanel *m_profile = nullptr;
    IterationsPanel *m_iterations = nullptr;
    Dock *m_iterationsDock = nullptr;
    Dock *m_agentDock = nullptr;
    AgentPanel *m_agentPanel = nullptr;
    AgentDesk *m_agent = nullptr;
    QStackedWidget *m_agentStack = nullptr; ///< in its dock: the live agent, or a past run
    PastRunPanel *m_pastRun = nullptr;
    ReplayBar *m_replayBar = nullptr;
    PastRunsPage *m_runsPage = nullptr;
    ReplayDesk *m_replay = nullptr;
    CommandPalette *m_palette = nullptr;
    PaletteDesk *m_paletteDesk = nullptr;
    FindDesk *m_finding = nullptr;
    ListingDesk *m_listings = nullptr;
    Toasts *m_toasts = nullptr;
    int m_noticesRead = 0;
    QMenu *m_menu = nullptr;
    QMenu *m_deviceMenu = nullptr;
    QMenu *m_workspaceMenu = nullptr;
    QPointer<QObject> m_probe;            ///< the inquiry that runs
    std::optional<Toolchain> m_toolchain; ///< once the probe has answered
    QString m_whyNoSweep;                 ///< configs differ on a GPU only; empty: there is one
    QString m_forcedTheme;
    LessonDesk *m_lesson = nullptr;
    QString m_lessonToShow; ///< once it is open
    QString m_talkedIn;     ///< the workspace whose run the agent's pane shows
    QString m_toContinue;   ///< the same of a lesson that was left
    std::optional<OpenedRecording> m_recordingToPlay;
    LeftRun m_left;            ///< of the open workspace
    QString m_toldAnswers;     ///< the run whose answers in the text were told
    QList<QAction *> m_others; ///< with whom a run can go on whose own agent is gone
    AgentName m_lastAgent;     ///< a model or another program's agent that worked in it; You: none did
    QString m_lastSource;
    QTimer m_idle; ///< since the last key
    StartPage *m_start = nullptr;
    SettingsPage *m_settingsPage = nullptr;
    SetupPage *m_setupPage = nullptr;
    ProblemList *m_problems = nullptr;
    ComparePage *m_comparePage = nullptr;
    CompareDesk *m_compareDesk = nullptr;
    LanguageDesk *m_language = nullptr;
    PlaceWalk *m_walk = nullptr;
    TextFormat *m_format = nullptr;
    SystemTheme *m_systemTheme = nullptr;
    Presentation *m_presentation = nullptr;
    QWidget *m_workHead = nullptr; ///< banner, and the bar of a replay
    QList<Dock *> m_hiddenDocks;   ///< while a page is shown
    QByteArray m_docksBefore;      ///< how they stood before it
    int m_widthClass = -1;
    bool m_keepsLayout = true;
    bool m_isOpening = false;
    QElapsedTimer m_failedToKeep; ///< since then closing once more leaves without the text, for a while
};

} // namespace warpwright
