// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/environment/python_probe.h"
#include "toolchain/setup/environment_setup.h"

#include <QPointer>
#include <QWidget>

class QLineEdit;
class QProgressBar;
class QStackedWidget;

namespace warpwright {

class ActionButton;
class Look;
class MessageCard;
class ScrollPage;
class SettingRow;
class Words;

/// The first start without a Python that has torch: sets one up with progress and Stop, or takes one of the
/// person's own after a test. Both end in ready().
class SetupPage : public QWidget {
    Q_OBJECT
public:
    SetupPage(const Look &look, const DataFolders &folders, QWidget *parent = nullptr);
    /// Another way to set up than the product's own: for tests.
    void setRequest(EnvironmentSetup::Request request) { m_request = std::move(request); }
    [[nodiscard]] bool isRunning() const { return m_setup != nullptr; }

signals:
    /// `python`: empty where our own environment is used, which needs no setting.
    void ready(const QString &python);
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUp();
    void stop();
    void showProgress(const EnvironmentProgress &progress);
    void fail(const QString &title, const QString &message);
    void showState();
    void testOwn();

    const Look &m_look;
    DataFolders m_folders;
    EnvironmentSetup::Request m_request;
    QWidget *m_content;
    ScrollPage *m_scroll;
    QWidget *m_progress;
    Words *m_stage;
    Words *m_line;
    QProgressBar *m_bar;
    MessageCard *m_problem;
    ActionButton *m_setUpButton;
    ActionButton *m_stopButton;
    SettingRow *m_own;
    QLineEdit *m_path;
    ActionButton *m_use;
    QPointer<EnvironmentSetup> m_setup;
    QPointer<PythonProbe> m_probe;
};

} // namespace warpwright
