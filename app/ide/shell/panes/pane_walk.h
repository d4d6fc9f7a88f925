// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;

/// The actions that give the keys to the next pane or the one before.
class PaneWalk : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        CandidatePanel &candidate;
        QList<QWidget *> rooms; ///< in their order, the candidate among them
    };
    PaneWalk(Parts parts, QObject *parent);

private:
    void walk(int by);

    const Parts m_parts;
};

} // namespace warpwright
