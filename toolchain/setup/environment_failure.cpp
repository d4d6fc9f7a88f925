// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/setup/environment_failure.h"

#include "toolchain/base/text_file.h"

#include <QRegularExpression>
#include <QStringList>

#include <csignal>

namespace warpwright {
namespace {

struct Cause {
    const char *pattern; ///< of a line of the output
    const char *why;     ///< empty: the line itself
    const char *advice;
};

/// The first that fits, from the top: a full disk may well look like a broken network further down.
const Cause causes[] = {
    {"No space left on device|Disk quota exceeded|ENOSPC", "the disk is full", ""},
    {"ensurepip is not available|No module named '?(ensurepip|venv)", "Python's module venv is missing",
     "Run: sudo apt-get install -y python3-venv"},
    {"Temporary failure (in name resolution|resolving)|Could not resolve|Name or service not known|"
     "Failed to establish a new connection|Network is unreachable|Connection (timed out|refused|reset)|"
     "Read timed out|Max retries exceeded|ProxyError|CERTIFICATE_VERIFY_FAILED",
     "the network, or the host that has the wheels, cannot be reached",
     "Check the network and start again: what was fetched is kept."},
    {"No matching distribution found", "",
     "This Python or this machine may be of a kind that the wheels are not made for: Python 3.10 to 3.13 on "
     "x86-64 "
     "Linux is. With a torch of your own, name its interpreter in Settings > Python."},
    {"Permission denied", "", "Check the rights of the folder, or set WARPWRIGHT_ENV to another one."},
    {"THESE PACKAGES DO NOT MATCH THE HASHES|BadZipFile|is not a valid wheel|invalid wheel",
     "a wheel arrived damaged", "Start again: it is fetched anew."},
};

QString lastLine(const QStringList &lines) {
    for (auto line = lines.crbegin(); line != lines.crend(); ++line)
        if (!line->trimmed().isEmpty() && !line->startsWith(QLatin1String("[notice]")))
            return line->trimmed();
    return {};
}

QString act(EnvironmentStep step) {
    switch (step) {
    case EnvironmentStep::Look:
        return QStringLiteral("Cannot start Python for the environment \"%1\"");
    case EnvironmentStep::Make:
        return QStringLiteral("Cannot make the Python environment \"%1\"");
    case EnvironmentStep::Install:
        return QStringLiteral("Cannot install the wheels into the Python environment \"%1\"");
    case EnvironmentStep::Try:
        break;
    }
    return QStringLiteral("Cannot load torch in the Python environment \"%1\"");
}

} // namespace

QByteArray requirementsOf(const QByteArray &text) {
    QByteArray list;
    for (QByteArray line : text.split('\n')) {
        if (const auto comment = line.indexOf('#'); comment >= 0)
            line.truncate(comment);
        while (!line.isEmpty() && QByteArray(" \t\r\f\v").contains(line.back()))
            line.chop(1);
        if (!line.isEmpty())
            list += line + '\n';
    }
    return list;
}

QString environmentFailure(EnvironmentStep step, const QString &folder, const QByteArray &output,
                           int signal) {
    const QStringList lines =
        QString::fromUtf8(output).replace(QLatin1Char('\r'), QLatin1Char('\n')).split(QLatin1Char('\n'));
    const QString what = act(step).arg(folder);
    const auto sentence = [&what](const QString &why, const QString &advice) {
        const QString text = what + QStringLiteral(": ") + why + (why.endsWith(QLatin1Char('.')) ? "" : ".");
        return advice.isEmpty() ? text : text + QLatin1Char(' ') + advice;
    };
    for (const Cause &cause : causes) {
        const QRegularExpression pattern(QString::fromLatin1(cause.pattern));
        for (const QString &line : lines) {
            if (!pattern.match(line).hasMatch())
                continue;
            QString words = line.trimmed();
            if (*cause.why != '\0')
                words = QString::fromLatin1(cause.why);
            QString advice = QString::fromLatin1(cause.advice);
            if (advice.isEmpty())
                advice = adviceForFullDisk(folder, QStringLiteral("No space left on device"));
            return sentence(words, advice);
        }
    }
    if (signal == SIGKILL)
        return sentence(QStringLiteral("the step was killed, as happens when memory runs out"),
                        QStringLiteral("Close other programs and start again."));
    const QString advice = QStringLiteral("Start again; if it fails the same way, remove the folder first.");
    const QString last = lastLine(lines);
    if (last.isEmpty())
        return sentence(QStringLiteral("the step failed and said nothing"), advice);
    static const QRegularExpression reason(QStringLiteral("error|fail|cannot|could not|not found"),
                                           QRegularExpression::CaseInsensitiveOption);
    return sentence(reason.match(last).hasMatch()
                        ? last
                        : QStringLiteral("the step failed without a reason, after the line \"%1\"").arg(last),
                    advice);
}

} // namespace warpwright
