// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/look.h"

#include "widgets/look/svg_icon_engine.h"

#include <QDirIterator>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

double pointsOf(TextRole role) {
    switch (role) {
    case TextRole::Axis:
        return 8.25;
    case TextRole::Small:
        return 9;
    case TextRole::Body:
        return 9.75;
    case TextRole::Title:
        return 11.25;
    case TextRole::Headline:
        return 12;
    case TextRole::Display:
        return 21;
    case TextRole::Code:
        return 9.75;
    case TextRole::Log:
        return 8.25;
    }
    return 9.75;
}

bool isMonospaced(TextRole role) {
    return role == TextRole::Code || role == TextRole::Log;
}

} // namespace

QStringList loadFonts() {
    QStringList failed;
    QDirIterator files(QStringLiteral(":/fonts"), QDir::Files);
    while (files.hasNext()) {
        const QString file = files.next();
        if (QFontDatabase::addApplicationFont(file) < 0)
            failed << file;
    }
    return failed;
}

Look::Look(QObject *parent)
    : QObject(parent),
      m_theme(Theme::light()),
      m_sans(QStringLiteral("Warpwright Sans")),
      m_mono(QStringLiteral("Warpwright Mono")) {}

void Look::set(const Theme &theme, double scale) {
    scale = std::clamp(scale, 0.75, 2.0);
    if (m_theme == theme && qFuzzyCompare(m_scale, scale))
        return;
    m_theme = theme;
    m_scale = scale;
    emit changed();
}

void Look::setCodeFont(const QString &family, double points) {
    m_codeFamily = family;
    m_codePoints = points > 0 ? std::clamp(points, 6.0, 40.0) : 9.75;
    emit changed();
}

QFont Look::font(TextRole role, QFont::Weight weight) const {
    QFont font;
    if (isMonospaced(role)) {
        font.setFamilies(
            {m_codeFamily.isEmpty() ? m_mono : m_codeFamily, m_mono, QStringLiteral("monospace")});
        font.setStyleHint(QFont::Monospace);
    } else {
        font.setFamilies({m_sans, QStringLiteral("sans-serif")});
    }
    double points = pointsOf(role);
    if (isMonospaced(role))
        points *= m_codePoints / 9.75;
    font.setPointSizeF(points * m_scale);
    font.setWeight(weight);
    return font;
}

int Look::px(double at96) const {
    const QScreen *screen = QGuiApplication::primaryScreen();
    const double dpi = screen != nullptr ? screen->logicalDotsPerInch() : 96.0;
    const int pixels = static_cast<int>(std::lround(at96 * m_scale * dpi / 96.0));
    return at96 >= 1 ? std::max(1, pixels) : pixels;
}

QIcon Look::icon(const QString &name, const QColor &color) const {
    const QColor ink = color.isValid() ? color : m_theme.color("text.secondary");
    return QIcon(new SvgIconEngine(name, ink, m_theme.color("text.disabled")));
}

QPixmap Look::pixmap(const QString &name, int size, const QColor &color, double devicePixelRatio) const {
    return icon(name, color).pixmap(QSize(size, size), devicePixelRatio);
}

} // namespace warpwright
