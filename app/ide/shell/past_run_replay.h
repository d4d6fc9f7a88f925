// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class PastRunsPage;
class RunOffers;
struct WindowParts;

/// Past runs in the window: their page, the replay of one, recordings that ship.
class PastRunReplay : public QObject {
    Q_OBJECT
public:
    PastRunReplay(const WindowParts &parts, RunOffers &offers, QObject *parent);

    /// The person's copy of a run that ships, played from its first event on.
    void openRecording(const QString &name);
    void playOpened();
    void enable();

private:
    void connectPage();
    void connectSteps();
    void connectReplay();
    void connectRecording();
    void tellBranch();
    void silenceReview();
    void goOn();
    void openLastRun();
    void enableContinue();

    const WindowParts &m_parts;
    RunOffers &m_offers;
    PastRunsPage *m_page;
};

} // namespace warpwright
