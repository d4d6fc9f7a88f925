// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class AgentController;
class CandidatePanel;
class Dock;
class FourPanes;
class PastRunPanel;
class ReplayController;

/// What a pane that is presented is about, in words.
class PresentedWords : public QObject {
    Q_OBJECT
public:
    struct Parts {
        AgentController &agent;
        const Dock &agentDock;
        CandidatePanel &candidate;
        const FourPanes &four;
        const PastRunPanel &pastRun;
        ReplayController &replay;
    };
    PresentedWords(const Parts &parts, QObject *parent);
    struct Said {
        QString about;
        QStringList places;
    };

    [[nodiscard]] Said of(int pane) const; ///< as Presentation numbers them

signals:
    void changed();

private:
    [[nodiscard]] Said ofReplay() const;

    const Parts m_parts;
};

} // namespace warpwright
