// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/inputs_hash.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/task_files.h"

#include <QCryptographicHash>
#include <QDir>

#include <algorithm>

namespace warpwright {
namespace {

QStringList textsOf(const Workspace &workspace) {
    if (workspace.isLoneFile)
        return {QDir(workspace.folder).relativeFilePath(workspace.modelFile)};
    QStringList names;
    const QDir root(workspace.folder);
    const QStringList rootKinds{QStringLiteral("*.py"), QStringLiteral("*.h"), QStringLiteral("*.hpp"),
                                QStringLiteral("*.cuh")};
    for (const QString &name : root.entryList(rootKinds, QDir::Files))
        names.append(name);
    const QDir kernels(root.filePath(QStringLiteral("kernels")));
    for (const QString &name : kernels.entryList(rootKinds.mid(1), QDir::Files))
        names.append(QStringLiteral("kernels/") + name);
    for (const SourceFile &source : workspace.sources)
        names.append(source.name);
    return names;
}

} // namespace

QString inputsHash(HashedInputs inputs) {
    std::sort(inputs.parts.begin(), inputs.parts.end());
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const QByteArray &bytes) {
        hash.addData(QByteArray::number(bytes.size()) + ':');
        hash.addData(bytes);
    };
    for (const auto &[name, value] : inputs.parts) {
        add(name.toUtf8());
        add(value);
    }
    return QString::fromLatin1(hash.result().toHex());
}

Result<void> addWorkspaceTexts(HashedInputs &inputs, const Workspace &workspace) {
    const QStringList names = textsOf(workspace);
    for (const TaskFile &file : neighboursOf(workspace.modelFile))
        if (!names.contains(file.name))
            inputs.add(QStringLiteral("file ") + file.name, file.state());
    for (const QString &name : names) {
        const Result<QByteArray> text = readTextFile(workspace.folder + QLatin1Char('/') + name);
        if (!text.hasValue())
            return Result<void>::error(text.message());
        inputs.add(QStringLiteral("file ") + name, text.value());
    }
    inputs.add(QStringLiteral("allow"), workspace.task.allow.join(QLatin1Char(' ')));
    return Result<void>::ok();
}

} // namespace warpwright
