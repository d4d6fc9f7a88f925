// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/stage_progress.h"

#include <QWidget>

class QMenu;

namespace warpwright {

class ActionButton;
class Actions;
class Look;

/// The bar on top: mark, menu, workspace, device, progress, Stop, Check, search. 44 px.
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
    void setProgress(const StageProgress &progress, bool isRunning, bool isStopping);
    void openMenu();

protected:
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void popUp(QMenu *menu, QWidget *below);

    const Look &m_look;
    ActionButton *m_menuButton;
    ActionButton *m_workspace;
    ActionButton *m_device;
    ActionButton *m_stop;
    ActionButton *m_check;
    QWidget *m_meter;
    QMenu *m_menu = nullptr;
    QMenu *m_workspaceMenu = nullptr;
    QMenu *m_deviceMenu = nullptr;
};

} // namespace warpwright
