// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct WindowParts;

/// What the start page and the list of problems offer: samples of ours, workspaces from a reference, what was
/// open the last time.
class StartActions : public QObject {
    Q_OBJECT
public:
    StartActions(const WindowParts &parts, QObject *parent);

    /// The person's copy of a sample of ours, which itself stays as it is.
    void openSample(const QString &name);
    /// As it was when the program ended: the workspace that was open, else the start page.
    void resume();

private:
    void connectStart();
    void connectProblems();
    void connectActions();
    void newWorkspaceFrom(const QString &modelFile);
    void askWorkspaceFrom(const QString &modelFile); ///< where it is to lie
    void makeWorkspaceIn(const QString &folder, const QString &modelFile);
    void beginCandidate();

    const WindowParts &m_parts;
};

} // namespace warpwright
