// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "toolchain/workspace_template.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {

int runNew(const CommandContext &context) {
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(context.line.path));
    const QString model = QDir::current().absoluteFilePath(context.line.modelFile);
    const Result<QStringList> made = createWorkspace(folder, model, context.folders.resources);
    if (!made.hasValue())
        return refuse(context, made.message());
    QString text = QStringLiteral("%1\n").arg(inked(context.output, Ink::Strong, folder));
    for (const QString &name : made.value())
        text += QStringLiteral("  %1\n").arg(name);
    text += QStringLiteral("Write kernels/ and model_new.py, then: wright check %1\n").arg(context.line.path);
    print(STDOUT_FILENO, text);
    return 0;
}

} // namespace warpwright
