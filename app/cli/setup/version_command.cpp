// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/version_command.h"

#include "app/cli/process/version_text.h"
#include "toolchain/environment/python_probe.h"

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

int runVersion(const CommandContext &context, const NoOptions & /*asked*/) {
    // Asked without importing it: a tenth of a second.
    QString torch;
    const Result<PythonChoice> choice = choosePython(QString(), context.settings, context.folders);
    if (choice.hasValue()) {
        QEventLoop loop;
        PythonProbe probe(choice.value(), context.folders.resources);
        QObject::connect(&probe, &PythonProbe::finished, &loop, [&](const PythonEnvironment &python) {
            torch = QStringLiteral("%1, Python %2 (%3)")
                        .arg(python.torchVersion, python.version, python.interpreter);
            loop.quit();
        });
        QObject::connect(&probe, &PythonProbe::failed, &loop, &QEventLoop::quit);
        probe.start();
        loop.exec();
    }
    print(STDOUT_FILENO,
          versionText(torch.isEmpty() ? QStringLiteral("none (wright doctor says why)") : torch));
    return 0;
}

} // namespace

Command versionCommand() {
    return commandWith("version", "The same as --version", runVersion);
}

} // namespace warpwright
