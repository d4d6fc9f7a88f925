// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class ReplayController;
class StartPage;
class TopBar;
class WindowNotices;
class Workbench;
class WorkspaceOpener;

/// Recordings that ship: opened as a copy of the person's, and played.
class RecordingStarts : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        WindowNotices &notices;
        WorkspaceOpener &opener;
        ReplayController &replay;
        StartPage &start;
        TopBar &topBar;
    };
    RecordingStarts(const Parts &parts, QObject *parent);

    /// The person's copy of a run that ships, played from its first event on.
    void openRecording(const QString &name);
    void playOpened();

private:
    const Parts m_parts;
};

} // namespace warpwright
