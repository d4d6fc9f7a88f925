// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/session_words.h"

#include "toolchain/base/figures.h"

namespace warpwright {

QString sessionModeName(SessionMode mode) {
    switch (mode) {
    case SessionMode::Step:
        return QStringLiteral("step");
    case SessionMode::Auto:
        return QStringLiteral("auto");
    case SessionMode::Review:
        break;
    }
    return QStringLiteral("review");
}

std::optional<SessionMode> sessionModeFromName(const QString &name) {
    for (const SessionMode mode : {SessionMode::Review, SessionMode::Step, SessionMode::Auto})
        if (sessionModeName(mode) == name)
            return mode;
    return std::nullopt;
}

QString sessionStateName(SessionState state) {
    switch (state) {
    case SessionState::Proposing:
        return QStringLiteral("proposing");
    case SessionState::AwaitingReview:
        return QStringLiteral("awaiting review");
    case SessionState::Applying:
        return QStringLiteral("applying");
    case SessionState::Compiling:
        return QStringLiteral("compiling");
    case SessionState::Verifying:
        return QStringLiteral("verifying");
    case SessionState::Profiling:
        return QStringLiteral("profiling");
    case SessionState::Scored:
        return QStringLiteral("scored");
    case SessionState::Stopping:
        return QStringLiteral("stopping");
    case SessionState::Ended:
        return QStringLiteral("ended");
    case SessionState::Idle:
        break;
    }
    return QStringLiteral("idle");
}

QString stepAnswerName(StepAnswer answer) {
    switch (answer) {
    case StepAnswer::Undo:
        return QStringLiteral("undo");
    case StepAnswer::Branch:
        return QStringLiteral("branch");
    case StepAnswer::Keep:
        break;
    }
    return QStringLiteral("keep");
}

QString usedWords(const RunMeter &meter) {
    const qint64 tokens = meter.tokensIn + meter.tokensOut;
    if (tokens <= 0)
        return {};
    QString words =
        QStringLiteral("Used %1 tokens (%2 in, %3 out)")
            .arg(numberText(static_cast<double>(tokens)), numberText(static_cast<double>(meter.tokensIn)),
                 numberText(static_cast<double>(meter.tokensOut)));
    if (meter.currency.isEmpty())
        words += QStringLiteral("; what they cost is not known, for the model has no prices");
    else
        words += QStringLiteral("; %1 %2%3")
                     .arg(numberText(meter.cost, meter.cost < 1 ? 4 : 2), meter.currency,
                          meter.isEstimated ? QStringLiteral(", estimated") : QString());
    return words + QLatin1Char('.');
}

} // namespace warpwright
