// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session_words.h"

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

} // namespace warpwright
