// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/look.h"

#include <QHash>
#include <QScrollBar>

#include <vector>

namespace warpwright {

/// A slim bar that also shows where in the document something is: errors, findings, hits of a search,
/// hunks under review.
class MarkedScrollBar : public QScrollBar {
    Q_OBJECT
public:
    /// Those of a later layer are drawn over those of an earlier.
    enum Layer { Heat, DecidedHunks, Hunks, Hits, Findings, Warnings, Errors, Layers };

    MarkedScrollBar(const Look &look, Qt::Orientation orientation, QWidget *parent);

    /// `places`: 0 is the start of the document, 1 its end. Takes the place of that layer's marks.
    void setMarks(Layer layer, std::vector<double> places, const QColor &color);
    [[nodiscard]] const std::vector<double> &marks(Layer layer) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Marks {
        std::vector<double> places;
        QColor color;
    };

    const Look &m_look;
    std::vector<Marks> m_layers;
};

} // namespace warpwright
