// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/bash_command.h"

#include <QRegularExpression>

namespace warpwright {

bool startsUtils(const QString &command) {
    static const QRegularExpression form(
        QStringLiteral("\\bpython[0-9.]*\\s+(?:-\\w+\\s+)*(?:-m\\s+utils\\.\\w|(?:\\./)?utils/\\w)|"
                       "\\b(?:bash|sh)\\s+(?:-\\w+\\s+)*(?:\\./)?utils/\\w|"
                       "(?:^|[;&|(]\\s*|\\bsudo\\s+)(?:\\w+=\\S*\\s+)*(?:\\./)?utils/\\w+\\.sh"),
        QRegularExpression::MultilineOption);
    return form.match(command).hasMatch();
}

QString withoutSudo(const QString &command) {
    // Before it: assignments, and words of the shell and programs that start what follows. After it: its own
    // options, some with a word of theirs.
    static const QRegularExpression form(
        QStringLiteral(
            "((?:^|[;&|({])\\s*(?:(?:\\w+=\\S*|time|then|do|else|if|while|until|!|timeout\\s+\\S+)\\s+)*)"
            "sudo\\s+(?:-[CDghpRrTtUu]\\s+\\S+\\s+|--?[\\w-]+(?:=\\S+)?\\s+)*"),
        QRegularExpression::MultilineOption);
    QString without = command;
    return without.replace(form, QStringLiteral("\\1"));
}

} // namespace warpwright
