// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct Notice;
struct WindowParts;

/// Tells what went wrong, over every page; a message that names a row of the settings gets a button to it.
/// Notices go with what they were about; the status line counts those that were not looked at.
class WindowNotices : public QObject {
    Q_OBJECT
public:
    WindowNotices(const WindowParts &parts, QObject *parent);

    void sayTrouble(const QString &title, const QString &text);
    void sayOfProgram(const QString &title, const QString &text); ///< of whatever workspace is open
    /// From now on they go, and are counted.
    void listen();

signals:
    void settingsAsked(const QString &row);

private:
    void show(Notice notice);
    void openMenu();

    const WindowParts &m_parts;
    int m_read = 0;
};

} // namespace warpwright
