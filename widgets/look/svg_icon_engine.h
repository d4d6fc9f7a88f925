// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIconEngine>
#include <QString>

namespace warpwright {

/// Draws one of our icons in a given colour: the file's black is replaced, so that one drawing serves both
/// themes and each verdict. Rendered anew for each size and pixel ratio: always sharp.
class SvgIconEngine : public QIconEngine {
public:
    /// `name`: a file of :/look/icons without ".svg".
    SvgIconEngine(QString name, const QColor &color, const QColor &disabledColor);

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    [[nodiscard]] QIconEngine *clone() const override { return new SvgIconEngine(*this); }
    QString iconName() override { return m_name; }
    bool isNull() override;

private:
    QString m_name;
    QColor m_color;
    QColor m_disabledColor;
};

} // namespace warpwright
