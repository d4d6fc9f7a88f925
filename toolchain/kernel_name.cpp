// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/kernel_name.h"

namespace warpwright {

QString shortKernelName(const QString &demangled) {
    QString name = demangled;
    name.remove(QStringLiteral("(anonymous namespace)::"));
    // The parameters begin at the first parenthesis that no template argument holds; the return type ends at
    // the last blank before it that none holds either.
    int depth = 0;
    qsizetype begin = 0;
    qsizetype end = name.size();
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar character = name[i];
        if (character == QLatin1Char('<')) {
            ++depth;
        } else if (character == QLatin1Char('>')) {
            --depth;
        } else if (depth == 0 && character == QLatin1Char('(')) {
            end = i;
            break;
        } else if (depth == 0 && character == QLatin1Char(' ')) {
            begin = i + 1;
        }
    }
    name = name.mid(begin, end - begin);
    return name.isEmpty() ? demangled : name;
}

} // namespace warpwright
