// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace warpwright {

/// What was measured and could not be written, on a full disk say: a certify run is minutes of a device. It
/// stays in memory, and is stored and noted in the history as soon as that can be done.
class UnkeptEvaluations : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 20; ///< the oldest goes

    explicit UnkeptEvaluations(QObject *parent = nullptr);

    void setTriesAgainMs(int ms) { m_again.setInterval(ms); }
    /// `state`: the workspace's folder for such things; `iteration`: 0 for a text that the history has not.
    void add(const QString &state, int iteration, const Evaluation &evaluation);

signals:
    /// It lies on the disk now, and stands in the history.
    void kept(const QString &state, int iteration);

private:
    struct Unkept {
        QString state;
        int iteration = 0;
        Evaluation evaluation;
    };
    void tryNow();

    std::vector<Unkept> m_waiting;
    QTimer m_again;
};

} // namespace warpwright
