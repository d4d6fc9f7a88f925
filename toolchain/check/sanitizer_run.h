// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/check/sanitizer_plan.h"

#include <QElapsedTimer>
#include <QObject>

namespace warpwright {

/// Runs the candidate once under each sanitizer, one after another.
///
/// Each has its time, and all together have one: what does not finish is `not-run`, and so is what could not
/// be started. Ends in exactly one finished(), also after cancel(); then every process it started has ended.
class SanitizerRun : public QObject {
    Q_OBJECT
public:
    static constexpr int toolLimitMs = 120'000;
    static constexpr int wholeLimitMs = 240'000;

    explicit SanitizerRun(SanitizerPlan plan, QObject *parent = nullptr);

    /// Shorter ones, for tests.
    void setLimits(int toolMs, int wholeMs);
    void start();
    void cancel();

signals:
    void progress(const QString &tool, int index, int count);
    void finished(const warpwright::SanitizerSection &section);

private:
    void next();
    void take(const SanitizerOutcome &outcome);

    SanitizerPlan m_plan;
    SanitizerSection m_section;
    QStringList m_left;
    QElapsedTimer m_clock;
    ChildProcess *m_process = nullptr;
    int m_toolLimitMs = toolLimitMs;
    int m_wholeLimitMs = wholeLimitMs;
    bool m_isCancelled = false;
};

} // namespace warpwright
