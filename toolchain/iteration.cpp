// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/iteration.h"

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
    }
    return QStringLiteral("you");
}

AuthorKind authorKindFromName(const QString &word) {
    for (const AuthorKind kind :
         {AuthorKind::Playbook, AuthorKind::Model, AuthorKind::Acp, AuthorKind::Replay, AuthorKind::Script})
        if (authorKindName(kind) == word)
            return kind;
    return AuthorKind::You;
}

} // namespace warpwright
