// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;
class ProfilePanel;
class ShareController;
class DisplayedIterations;
class WindowNotices;
class Workbench;

/// Writes what the window shows as a page to share.
class PageSharing : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        CandidatePanel &candidate;
        WindowNotices &notices;
        ProfilePanel &profile;
        ShareController &share;
        DisplayedIterations &shown;
    };
    PageSharing(const Parts &parts, QWidget *window);

    void enable();

private:
    void shareByDialog();
    void write(int iteration, const QString &run, const QString &file);

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
