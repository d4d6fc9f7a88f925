// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace warpwright {

class Look;

/// Fusion with our metrics, focus ring, radii and flat surfaces (look.md, Components). One for the whole
/// program; the Look must outlive it.
class HouseStyle : public QProxyStyle {
    Q_OBJECT
public:
    explicit HouseStyle(const Look &look);

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                         const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    void polish(QWidget *widget) override;
    void polish(QApplication *application) override;
    using QProxyStyle::polish;

private:
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawSlider(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawMenuItem(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;

    const Look &m_look;
};

/// A box with our radius: `fill` and `edge` may be invalid (nothing drawn).
void drawBox(QPainter *painter, const QRectF &rect, double radius, const QColor &fill, const QColor &edge,
             double edgeWidth = 1);

} // namespace warpwright
