// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/notices.h"

#include <QRegularExpression>

namespace warpwright {

Notice troubleNotice(const QString &title, const QString &text) {
    Notice notice;
    notice.iconName = QStringLiteral("build-failed");
    notice.token = QStringLiteral("verdict.buildFailed");
    notice.title = title;
    notice.text = text;
    notice.needsReading = true;
    return notice;
}

Notice newsNotice(const QString &title, const QString &text, bool needsReading) {
    Notice notice;
    notice.title = title;
    notice.text = text;
    notice.needsReading = needsReading;
    return notice;
}

QString settingsRowIn(const QString &message) {
    static const QRegularExpression place(QStringLiteral("Settings > ([A-Z]\\w*)"));
    return place.match(message).captured(1);
}

} // namespace warpwright
