// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/kernel_name.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

QString withoutHashes(const QString &mangled) {
    static const QRegularExpression hashes(
        QStringLiteral(R"(_GLOBAL__N__[0-9a-f]{8}_(\d+_\w*?)_[0-9a-f]{8})"));
    return QString(mangled).replace(hashes, QStringLiteral("_GLOBAL__N__\\1_"));
}

} // namespace

bool isSameKernel(const QString &mangled, const QString &other) {
    return mangled == other || (mangled.contains(QLatin1String("_GLOBAL__N__")) &&
                                withoutHashes(mangled) == withoutHashes(other));
}

QString shortKernelName(const QString &demangled) {
    QString name = demangled;
    name.remove(QStringLiteral("(anonymous namespace)::"));
    name.remove(QStringLiteral("<unnamed>::")); // Nsight Compute's word for it
    // It also writes the types of numbers, "k<(int)3>", which the compiler's demangler leaves out.
    static const QRegularExpression typeOfNumber(QStringLiteral(R"((?<=[<,\s])\([a-z][a-z ]*\)(?=-?\d))"));
    name.remove(typeOfNumber);
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
