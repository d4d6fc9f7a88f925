// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/message_link.h"

#include <QRegularExpression>
#include <QUrl>

namespace warpwright {

MessageLink messageLink(const QString &address) {
    static const QRegularExpression iteration(QStringLiteral("^iteration[:/ ]?#?(\\d{1,9})$"),
                                              QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression place(
        QStringLiteral("^(?:file:(?://)?)?(.+?)(?:#L(\\d{1,9})|:(\\d{1,9})(?::(\\d{1,9}))?)?$"));
    static const QRegularExpression web(QStringLiteral("^(?!file:)[a-z][a-z0-9+.-]*:(//|(?!\\d))"),
                                        QRegularExpression::CaseInsensitiveOption);
    MessageLink link;
    const QString text = QUrl::fromPercentEncoding(address.trimmed().toUtf8());
    if (const auto found = iteration.match(text); found.hasMatch()) {
        link.iteration = found.captured(1).toInt();
        return link;
    }
    if (web.match(text).hasMatch() || text.startsWith(QLatin1Char('#')))
        return link;
    if (const auto found = place.match(text); found.hasMatch()) {
        link.file = found.captured(1);
        link.line = found.captured(2).isEmpty() ? found.captured(3).toInt() : found.captured(2).toInt();
        link.column = found.captured(4).toInt();
    }
    return link;
}

} // namespace warpwright
