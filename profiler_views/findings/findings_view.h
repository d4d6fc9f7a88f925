// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/findings/findings_model.h"

class QScrollArea;

namespace warpwright {

/// Why the candidate takes its time: each finding with its gain, its numbers, what to try and where. A click
/// or Enter leads to the line.
class FindingsView : public ChartView {
    Q_OBJECT
public:
    explicit FindingsView(const Look &look, QWidget *parent = nullptr);
    ~FindingsView() override { deletePlot(); }

    /// `note`: what they rest on, or lack: «no counters of this text: …»; above them.
    void show(std::vector<Finding> findings, const QString &note);

signals:
    void lineActivated(const QString &file, int line);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Box {
        QRectF rect;
        QRectF words;
        QString text;
    };
    void layOut();
    void draw(QPainter &painter);
    void drawFinding(QPainter &painter, const Finding &finding, const Box &box);

    using QWidget::show;

    FindingsModel m_findings;
    QScrollArea *m_scroll;
    QString m_note;
    QRectF m_noteRect;
    std::vector<Box> m_boxes;
};

} // namespace warpwright
