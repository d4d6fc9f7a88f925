// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/verdict_look.h"
#include "toolchain/comparison/compare_metrics.h"

#include <QWidget>

namespace warpwright {

class Look;

/// What one side of a comparison is: iteration, verdict, time with spread, speed-up; below it the note.
class CompareHead : public QWidget {
    Q_OBJECT
public:
    CompareHead(const Look &look, QWidget *parent);
    /// `time` and `speedUp`: as the metrics write them; «—» is left out.
    void show(const ComparedSide &side, const QString &time, const QString &speedUp);
    /// Nothing is known of the side yet: why, in place of a verdict.
    void say(const QString &title, const QString &why);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    QString m_title;
    QString m_note;
    QString m_time;
    QString m_speedUp;
    VerdictLook m_verdict;
    bool m_isStale = false;
    bool m_hasVerdict = false; ///< a baseline has none, nor what was not read
};

/// The numbers of both sides and what lies between, in cells that wrap where the page is narrow.
class MetricStrip : public QWidget {
    Q_OBJECT
public:
    MetricStrip(const Look &look, QWidget *parent);
    void show(std::vector<ComparedMetric> metrics);
    [[nodiscard]] const std::vector<ComparedMetric> &metrics() const { return m_metrics; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] int heightOfRows(int count) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] int perRow(int width) const;
    [[nodiscard]] QRect cell(int index) const;

    const Look &m_look;
    std::vector<ComparedMetric> m_metrics;
};

} // namespace warpwright
