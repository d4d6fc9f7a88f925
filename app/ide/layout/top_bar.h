// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/progress/stage_progress.h"

#include <QWidget>

class QMenu;

namespace warpwright {

class ActionButton;
class Actions;
class BudgetMeters;
class Look;
class ModeSwitch;
class RunButtons;

/// The bar on top: mark, menu, workspace, device, progress, mode, Run, Pause, Stop, Check,
/// budgets, search. 44 px.
class TopBar : public QWidget {
    Q_OBJECT
public:
    TopBar(const Look &look, const Actions &actions, QWidget *parent = nullptr);

    void setMenu(QMenu *menu);
    void setWorkspaceMenu(QMenu *menu);
    void setDeviceMenu(QMenu *menu);
    /// Name of the workspace; empty: there is none.
    void setWorkspace(const QString &name, const QString &path);
    void setDevice(const QString &name, bool isCuda, const QString &tooltip);
    /// What the numbers of a recording were measured on, beside the device of this machine; empty: it is
    /// none.
    void setRecordedOn(const QString &device);
    void setProgress(const StageProgress &progress, bool isRunning, bool isStopping);
    void openMenu();
    /// Mode, Run, Pause and budgets are there only while there is a session.
    void setSession(bool hasSession);
    [[nodiscard]] RunButtons &runButtons() const { return *m_run; }
    [[nodiscard]] BudgetMeters &budgets() const { return *m_budgets; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void popUp(QMenu *menu, QWidget *below);
    void fit();
    [[nodiscard]] int widthOfOthers() const; ///< than the modes, at their least

    const Look &m_look;
    QString m_workspaceName;
    QString m_deviceName;
    QString m_recordedOn;
    QString m_deviceTip;
    ActionButton *m_menuButton;
    ActionButton *m_workspace;
    ActionButton *m_device;
    ModeSwitch *m_modes;
    RunButtons *m_run;
    ActionButton *m_check;
    BudgetMeters *m_budgets;
    QWidget *m_meter;
    bool m_isTelling = false; ///< something is checked, and how far it is
    QMenu *m_menu = nullptr;
    QMenu *m_workspaceMenu = nullptr;
    QMenu *m_deviceMenu = nullptr;
};

} // namespace warpwright
