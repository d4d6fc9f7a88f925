// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct BannerState;
struct Evaluation;
struct WindowParts;

/// How the work stands, in the banner, the status line and the tree of iterations: what is shown, the check
/// that runs, the agent's proposal.
class WorkDisplay : public QObject {
    Q_OBJECT
public:
    WorkDisplay(const WindowParts &parts, QObject *parent);

    void showNow();
    void showRecords();
    void showMeasuredFirst();
    void announce(const Evaluation &evaluation);

private:
    [[nodiscard]] BannerState stateNow() const;
    void showNext(const BannerState &state);
    void showStatus(const BannerState &state);

    const WindowParts &m_parts;
};

} // namespace warpwright
