// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/evaluation_message.h"

#include <QRegularExpression>

namespace warpwright {

QString plainText(const EvaluationMessage &message) {
    QString text = message.what;
    if (!message.thing.isEmpty())
        text += QStringLiteral(" \"%1\"").arg(message.thing);
    if (!message.why.isEmpty())
        text += QStringLiteral(": ") + message.why;
    if (message.advice.isEmpty())
        return text;
    const QString closing = QStringLiteral(".?!:");
    if (!text.isEmpty() && !closing.contains(text.back()))
        text += QLatin1Char('.');
    return text + QLatin1Char(' ') + message.advice;
}

EvaluationMessage messageFrom(const QString &sentence) {
    static const QRegularExpression form(QStringLiteral(R"re(^([^":]+) "([^"]+)": (.+)$)re"),
                                         QRegularExpression::DotMatchesEverythingOption);
    EvaluationMessage message;
    const QRegularExpressionMatch match = form.match(sentence);
    if (!match.hasMatch()) {
        message.what = sentence;
        return message;
    }
    message.what = match.captured(1);
    message.thing = match.captured(2);
    message.why = match.captured(3);
    // The reason is one sentence, and what follows it says what to do. A tool's words of several lines stay
    // whole.
    const auto end = message.why.indexOf(QStringLiteral(". "));
    if (end > 0 && !message.why.contains(QLatin1Char('\n'))) {
        message.advice = message.why.mid(end + 2);
        message.why.truncate(end);
    }
    return message;
}

EvaluationMessage messageFrom(const QString &what, const QString &why, const QString &advice) {
    static const QRegularExpression thingAtEnd(QStringLiteral(R"re(^([^"]+) "([^"]+)"$)re"));
    EvaluationMessage message{what.trimmed(), {}, why.trimmed(), advice.trimmed(), {}};
    // The exception's own words come first, and where it came from after them.
    static const QRegularExpression traceback(
        QStringLiteral("^(Traceback \\(most recent call last\\)|Fatal Python error)"),
        QRegularExpression::MultilineOption);
    if (const QRegularExpressionMatch found = traceback.match(message.why); found.hasMatch()) {
        message.detail = message.why.mid(found.capturedStart()).trimmed();
        message.why = message.why.left(found.capturedStart()).trimmed();
    }
    if (message.what.endsWith(QLatin1Char('.')))
        message.what.chop(1);
    if (const QRegularExpressionMatch match = thingAtEnd.match(message.what); match.hasMatch()) {
        message.what = match.captured(1);
        message.thing = match.captured(2);
    }
    return message;
}

} // namespace warpwright
