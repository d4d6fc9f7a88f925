// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/theme.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>

namespace warpwright {

Theme Theme::light() {
    return read("light");
}

Theme Theme::dark() {
    return read("dark");
}

Theme Theme::read(const char *scheme) {
    QFile file(QStringLiteral(":/look/tokens.json"));
    const bool isOpen = file.open(QIODevice::ReadOnly);
    Q_ASSERT(isOpen);
    const QJsonObject tokens =
        QJsonDocument::fromJson(file.readAll()).object()[QLatin1String(scheme)].toObject();
    Theme theme;
    theme.m_isDark = qstrcmp(scheme, "dark") == 0;
    for (auto group = tokens.begin(); group != tokens.end(); ++group) {
        if (group.key() == QLatin1String("heat")) {
            for (std::size_t i = 0; i < theme.m_heat.size(); ++i)
                theme.m_heat[i] = QColor(group.value().toArray().at(static_cast<qsizetype>(i)).toString());
            continue;
        }
        const QJsonObject colors = group.value().toObject();
        for (auto color = colors.begin(); color != colors.end(); ++color)
            theme.m_colors.insert(group.key() + QLatin1Char('.') + color.key(),
                                  QColor(color.value().toString()));
    }
    return theme;
}

QColor Theme::color(const QString &token) const {
    const auto found = m_colors.constFind(token);
    Q_ASSERT_X(found != m_colors.constEnd(), "Theme::color", qPrintable(token));
    return found == m_colors.constEnd() ? QColor() : *found;
}

QColor Theme::color(const char *token) const {
    return color(QString::fromLatin1(token));
}

QPalette Theme::palette() const {
    QPalette palette;
    const auto set = [this, &palette](QPalette::ColorRole role, const char *token) {
        palette.setColor(role, color(token));
    };
    set(QPalette::Window, "bg.bar");
    set(QPalette::WindowText, "text.primary");
    set(QPalette::Base, "bg.pane");
    set(QPalette::AlternateBase, "bg.bar");
    set(QPalette::Text, "text.primary");
    set(QPalette::Button, "bg.card");
    set(QPalette::ButtonText, "text.primary");
    set(QPalette::BrightText, "accent.onFill");
    set(QPalette::Highlight, "bg.selected");
    set(QPalette::HighlightedText, "text.primary");
    set(QPalette::Link, "accent.text");
    set(QPalette::LinkVisited, "accent.text");
    set(QPalette::ToolTipBase, "bg.card");
    set(QPalette::ToolTipText, "text.primary");
    set(QPalette::PlaceholderText, "text.tertiary");
    set(QPalette::Light, "bg.card");
    set(QPalette::Midlight, "border.subtle");
    set(QPalette::Mid, "border.normal");
    set(QPalette::Dark, "border.strong");
    set(QPalette::Shadow, "border.strong");
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color("text.disabled"));
    return palette;
}

} // namespace warpwright
