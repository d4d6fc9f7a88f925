// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/nvcc_passes.h"

#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace warpwright {

namespace {

QString toldFile(const QString &keptFolder) {
    return keptFolder + QStringLiteral("/passes.txt");
}

} // namespace

QString findPasses() {
    if (qgetenv("WARPWRIGHT_PASSES") == "0")
        return {};
    for (const char *place : {"/warpwright-nvcc", "/../libexec/warpwright/warpwright-nvcc"}) {
        const QString program =
            QDir::cleanPath(QCoreApplication::applicationDirPath() + QLatin1String(place));
        if (QFileInfo(program).isExecutable())
            return program;
    }
    return {};
}

QStringList passesWords(const QString &program, const ObjectCache &cache, const QString &moduleKey,
                        const QString &keptFolder) {
    // «_935a63d2_15_softmax_rows_cu_fa849dd7»: of the path, and of the first name that the file exports.
    static const QRegularExpression moduleId(QStringLiteral("^_[0-9a-f]{8}_[0-9]+_[A-Za-z0-9_]{1,300}$"));
    QStringList words = {program, QStringLiteral("--tell"), toldFile(keptFolder)};
    if (const auto stub = cache.find(moduleKey))
        if (const auto kept = readTextFile(cache.objectPath(moduleKey)); kept.hasValue())
            if (const QString id = QString::fromUtf8(kept.value()); moduleId.match(id).hasMatch()) {
                words << QStringLiteral("--module-id") << id;
                const QString file = keptFolder + QStringLiteral("/stub.guess");
                if (!stub->isEmpty() && writeFileAtomically(file, *stub).hasValue())
                    words << QStringLiteral("--stub") << file;
            }
    return words << QStringLiteral("--");
}

void keepGuesses(const ObjectCache &cache, const QString &moduleKey, const QString &keptFolder) {
    const QDir kept(keptFolder);
    const QStringList names = kept.entryList({QStringLiteral("*.module_id")}, QDir::Files);
    const QStringList stubs = kept.entryList({QStringLiteral("*.cudafe1.stub.c")}, QDir::Files);
    if (moduleKey.isEmpty() || names.size() != 1)
        return;
    QByteArray stub;
    if (stubs.size() == 1)
        if (const auto text = readTextFile(kept.filePath(stubs.first())); text.hasValue())
            stub = text.value();
    (void)cache.store(moduleKey, kept.filePath(names.first()), stub).hasValue();
}

QString passesTold(const QString &keptFolder) {
    const auto told = readTextFile(toldFile(keptFolder));
    return told.hasValue() ? QString::fromUtf8(told.value()) : QString();
}

} // namespace warpwright
