// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QStringList>

namespace warpwright {

class MainWindow;

/// What --screenshot asks for.
struct ScreenshotRequest {
    QString file; ///< .png
    QSize size{1600, 1000};
    bool checks = false; ///< after an evaluation
    QString page;        ///< pane, page or "palette", "settings", "start", "compare"; empty: as it is
    QString workspace;   ///< empty: the start page
    QString script;      ///< a folder of patches: with the first one under review, and measured
    QStringList acts;    ///< names of actions that are triggered before, one after the other
    QString at;          ///< "FILE:LINE:COLUMN", where the cursor stands before them; empty: where it is
};

/// Brings the real window into the asked-for state, saves its picture, and says how it went. What cannot be
/// shown is an end with its reason, and no picture of something else.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(ScreenshotRequest request, MainWindow &window, QObject *parent = nullptr);
    void start();

signals:
    /// 0, or 2 with a message.
    void finished(int exitCode, const QString &message);

private:
    void opened();
    void review();
    void measured();
    void settle();
    void showPage();
    void goThere();
    void actNext();
    void awaitAnswer();
    void take();

    ScreenshotRequest m_request;
    MainWindow &m_window;
    bool m_isChecking = false;
    int m_waits = 0;    ///< for the pool
    int m_actWaits = 0; ///< for a page or an action that is not enabled yet, or for an answer
    int m_asks = 0;     ///< of a language server that had not read the text yet
    bool m_isDone = false;
};

} // namespace warpwright
