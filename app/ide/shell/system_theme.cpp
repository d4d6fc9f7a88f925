// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/system_theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>
#include <QPalette>

namespace warpwright {
namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString interfaceName = QStringLiteral("org.freedesktop.portal.Settings");
const QString group = QStringLiteral("org.freedesktop.appearance");
const QString key = QStringLiteral("color-scheme");

} // namespace

std::optional<bool> darknessFromPortal(const QVariant &value) {
    QVariant inner = value;
    while (inner.canConvert<QDBusVariant>())
        inner = inner.value<QDBusVariant>().variant();
    bool isNumber = false;
    const uint scheme = inner.toUInt(&isNumber);
    if (!isNumber || scheme == 0 || scheme > 2)
        return std::nullopt;
    return scheme == 1;
}

SystemTheme::SystemTheme(QObject *parent, const QString &bus)
    : QObject(parent), m_paletteIsDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
    QDBusConnection connection =
        bus.isEmpty() ? QDBusConnection::sessionBus() : QDBusConnection::connectToBus(bus, bus);
    if (!connection.isConnected())
        return;
    connection.connect(service, path, interfaceName, QStringLiteral("SettingChanged"), this,
                       SLOT(settingChanged(QString, QString, QDBusVariant)));
    // Read is deprecated for ReadOne, but every portal has it.
    QDBusMessage ask = QDBusMessage::createMethodCall(service, path, interfaceName, QStringLiteral("Read"));
    ask << group << key;
    auto *watcher = new QDBusPendingCallWatcher(connection.asyncCall(ask, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *call) {
        const QDBusPendingReply<QDBusVariant> reply = *call;
        if (!reply.isError())
            adopt(QVariant::fromValue(reply.value()));
        call->deleteLater();
    });
}

void SystemTheme::settingChanged(const QString &changedGroup, const QString &changedKey,
                                 const QDBusVariant &value) {
    if (changedGroup == group && changedKey == key)
        adopt(QVariant::fromValue(value));
}

void SystemTheme::adopt(const QVariant &value) {
    const bool before = isDark();
    m_portal = darknessFromPortal(value);
    if (isDark() != before)
        emit changed(isDark());
}

} // namespace warpwright
