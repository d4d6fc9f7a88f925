// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStackedWidget;
class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;
class Look;
struct Notice;
class StatusLine;
class Toasts;
class Workbench;

/// Tells what went wrong, over every page; a message that names a row of the settings gets a button to it.
/// Notices go with what they were about; the status line counts those that were not looked at.
class WindowNotices : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Look &look;
        StatusLine &status;
        Toasts &toasts;
    };
    WindowNotices(const Parts &parts, QWidget *window);

    void sayTrouble(const QString &title, const QString &text);
    void sayOfProgram(const QString &title, const QString &text); ///< of whatever workspace is open
    /// As it is: without a button that leads to the settings.
    void tell(const Notice &notice);
    void takeBack(const QString &title); ///< those of this title: what they say is no longer so
    /// From now on they go with the workspace, the page and the text, and are counted.
    void listen(const Workbench &bench, const QStackedWidget &pages, const CandidatePanel &candidate);

signals:
    void settingsAsked(const QString &row);

private:
    void show(Notice notice);
    void openMenu();

    const Parts m_parts;
    QWidget *m_window;
    int m_read = 0;
};

} // namespace warpwright
