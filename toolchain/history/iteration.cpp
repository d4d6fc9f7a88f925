// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration.h"

namespace warpwright {

QString authorKindName(AuthorKind kind) {
    switch (kind) {
    case AuthorKind::You:
        break;
    case AuthorKind::Playbook:
        return QStringLiteral("playbook");
    case AuthorKind::Model:
        return QStringLiteral("model");
    case AuthorKind::Acp:
        return QStringLiteral("acp");
    case AuthorKind::Replay:
        return QStringLiteral("replay");
    case AuthorKind::Script:
        return QStringLiteral("script");
    case AuthorKind::Mcp:
        return QStringLiteral("mcp");
    }
    return QStringLiteral("you");
}

AuthorKind authorKindFromName(const QString &word) {
    for (const AuthorKind kind : {AuthorKind::Playbook, AuthorKind::Model, AuthorKind::Acp,
                                  AuthorKind::Replay, AuthorKind::Script, AuthorKind::Mcp})
        if (authorKindName(kind) == word)
            return kind;
    return AuthorKind::You;
}

QString iterationMarkName(IterationMark mark) {
    switch (mark) {
    case IterationMark::NotDecided:
        return QStringLiteral("not-decided");
    case IterationMark::TakenBack:
        return QStringLiteral("taken-back");
    case IterationMark::BesideCode:
        return QStringLiteral("beside-code");
    case IterationMark::None:
        break;
    }
    return {};
}

IterationMark iterationMarkFromName(const QString &word) {
    for (const IterationMark mark :
         {IterationMark::NotDecided, IterationMark::TakenBack, IterationMark::BesideCode})
        if (iterationMarkName(mark) == word)
            return mark;
    return IterationMark::None;
}

QString iterationMarkWords(IterationMark mark) {
    switch (mark) {
    case IterationMark::NotDecided:
        return QStringLiteral("not decided: the run ended");
    case IterationMark::TakenBack:
        return QStringLiteral("taken back: the run ended before it was kept");
    case IterationMark::BesideCode:
    case IterationMark::None:
        break;
    }
    return {};
}

bool competes(const IterationRecord &record) {
    if (!record.latest || record.mark == IterationMark::BesideCode)
        return false;
    // Of what was taken back a run has said enough where it was slower side by side.
    const bool wasSlower = record.latest->beside && record.latest->beside->low > 1;
    return record.mark != IterationMark::TakenBack || !wasSlower;
}

QString noteOf(const IterationRecord &record) {
    const QString left = iterationMarkWords(record.mark);
    return left.isEmpty() ? record.iteration.note
                          : QStringLiteral("%1 (%2)").arg(record.iteration.note, left);
}

} // namespace warpwright
