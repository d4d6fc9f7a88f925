// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>

#include <optional>

namespace warpwright {

/// Whether the desktop is dark, now and as it changes: asked of the settings portal over D-Bus, because
/// Qt 6.4 does not tell. Asking never waits; until the portal answers, and where there is none, the lightness
/// of the application's first palette stands for it.
class SystemTheme : public QObject {
    Q_OBJECT
public:
    /// `bus`: another one than the session's, for tests.
    explicit SystemTheme(QObject *parent = nullptr, const QString &bus = {});

    [[nodiscard]] bool isDark() const { return m_portal.value_or(m_paletteIsDark); }
    /// Whether the portal has an opinion.
    [[nodiscard]] bool isFromPortal() const { return m_portal.has_value(); }

signals:
    void changed(bool isDark);

private slots:
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void adopt(const QVariant &value);

    bool m_paletteIsDark;
    std::optional<bool> m_portal;
};

/// The portal's number: 1 dark, 2 light; 0, or a word we do not know, is no preference. Wrapped in any number
/// of variants, as its old method Read gives it.
[[nodiscard]] std::optional<bool> darknessFromPortal(const QVariant &value);

} // namespace warpwright
