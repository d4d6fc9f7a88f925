// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/svg_icon_engine.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace warpwright {
namespace {

QString fileOf(const QString &name) {
    return QStringLiteral(":/look/icons/") + name + QStringLiteral(".svg");
}

} // namespace

SvgIconEngine::SvgIconEngine(QString name, const QColor &color, const QColor &disabledColor)
    : m_name(std::move(name)), m_color(color), m_disabledColor(disabledColor) {
    Q_ASSERT_X(QFile::exists(fileOf(m_name)), "SvgIconEngine", qPrintable(m_name));
}

bool SvgIconEngine::isNull() {
    return !QFile::exists(fileOf(m_name));
}

QPixmap SvgIconEngine::pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) {
    return scaledPixmap(size, mode, state, 1);
}

QPixmap SvgIconEngine::scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale) {
    // Qt asks in device pixels already: `scale` only names the ratio.
    const QColor color = mode == QIcon::Disabled ? m_disabledColor : m_color;
    const QString key = QStringLiteral("warpwright/%1/%2/%3x%4/%5")
                            .arg(m_name, color.name(QColor::HexArgb))
                            .arg(size.width())
                            .arg(size.height())
                            .arg(scale);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QFile file(fileOf(m_name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray text = file.readAll();
        text.replace("#000000", color.name().toLatin1());
        QSvgRenderer renderer(text);
        QPainter painter(&pixmap);
        painter.setOpacity(color.alphaF());
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void SvgIconEngine::paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) {
    const qreal ratio = painter->device() != nullptr ? painter->device()->devicePixelRatio() : 1;
    QPixmap pixmap = scaledPixmap(rect.size() * ratio, mode, state, ratio);
    pixmap.setDevicePixelRatio(ratio);
    painter->drawPixmap(rect, pixmap);
}

} // namespace warpwright
