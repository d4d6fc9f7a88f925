// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class CandidatePanel;
class IterationsPanel;
class PaneOpener;
class ReferencePanel;
class WindowNotices;
class WindowPages;
class Workbench;

/// Goes to a place in a text, in whichever pane has it.
class PlaceOpener : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workbench &bench;
        CandidatePanel &candidate;
        IterationsPanel &iterations;
        WindowNotices &notices;
        WindowPages &pages;
        PaneOpener &panes;
        ReferencePanel &reference;
    };
    PlaceOpener(const Parts &parts, QObject *parent);

    /// Paths relative to the workspace or absolute.
    void goTo(const QString &file, int line, int column);
    void openFile(const QString &file, int line); ///< relative to the workspace; line 0: where one was
    /// What an agent's message names: a place in the workspace or an iteration.
    void follow(const QString &address);
    void goToDiagnostic(int by);

signals:
    void leaving(); ///< to another place, which is there a moment later

private:
    const Parts m_parts;
};

} // namespace warpwright
