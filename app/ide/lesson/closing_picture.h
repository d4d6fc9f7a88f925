// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace warpwright {

class ActionButton;
class CardHead;
class LessonTimesView;
class Look;
class Words;
struct LessonTimes;

/// The times of a lesson's steps with their head, what the picture is to be read by, and the exports, which
/// are there once there is something to export.
class ClosingPicture : public QWidget {
    Q_OBJECT
public:
    explicit ClosingPicture(const Look &look, QWidget *parent = nullptr);

    /// `isWhole`: all steps are decided.
    void show(const LessonTimes &times, bool isWhole);
    [[nodiscard]] LessonTimesView &chart() const { return *m_chart; }

signals:
    void exportAsked(const QString &kind); ///< "png", "svg", "csv"

private:
    using QWidget::show;
    CardHead *m_head;
    LessonTimesView *m_chart;
    Words *m_note;
    std::vector<ActionButton *> m_exports;
};

} // namespace warpwright
