// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/shell/window_parts.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/look/look.h"

#include <QElapsedTimer>
#include <QWidget>

#include <memory>

namespace warpwright {

class CommandPalette;

/// The window: creates the panels, connects them to the workbench and lays them out. It decides nothing about
/// kernels. One window shows one workspace.
class MainWindow : public QWidget {
    Q_OBJECT
public:
    MainWindow(DataFolders folders, QString programVersion, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openWorkspace(const QString &path);
    /// The judge is compiled in the background when it is missing, by a process of its own.
    void preparesJudge();
    /// The person's copy of a sample of ours, which itself stays as it is.
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

    [[nodiscard]] Workbench &bench() { return *m_parts.bench; }
    [[nodiscard]] Actions &actions() { return *m_parts.actions; }
    [[nodiscard]] AgentController &agent() { return *m_parts.agent; }
    [[nodiscard]] ReplayController &replay() { return *m_parts.replay; }
    [[nodiscard]] LanguageController &language() { return *m_parts.language; }
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
    void buildFrame(const Settings &settings);
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildServices();
    void buildPages(Settings::Loaded loaded);
    void connectBench();
    void connectWorkspace();
    void showOpened();
    void connectPanes();
    void connectAssembly();
    void connectGroups();
    void connectFinding();
    void restoreState();
    void applyTheme();

    Look m_look;
    std::unique_ptr<WindowState> m_state;
    WindowParts m_parts;
    CommandPalette *m_palette = nullptr;
    QElapsedTimer m_failedToKeep; ///< since then closing once more leaves without the text, for a while
};

} // namespace warpwright
