// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/shared_options.h"

#include "toolchain/compile/device_choice.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace warpwright {

CLI::Option *addText(CLI::App &app, const std::string &names, QString &text, const std::string &help) {
    return app.add_option_function<std::string>(
        names, [&text](const std::string &words) { text = QString::fromStdString(words); }, help);
}

CLI::Option *addTexts(CLI::App &app, const std::string &names, QStringList &texts, const std::string &help) {
    return app.add_option_function<std::vector<std::string>>(
        names,
        [&texts](const std::vector<std::string> &words) {
            texts.clear();
            for (const std::string &one : words)
                texts << QString::fromStdString(one);
        },
        help);
}

CLI::Option *addWorkspace(CLI::App &app, QString &path) {
    return addText(app, "DIR", path, "A workspace (default: the current folder)")->type_name("");
}

CLI::Option *addKernel(CLI::App &app, QString &kernel) {
    return addText(app, "--kernel", kernel, "Only kernels whose name holds this")->type_name("NAME");
}

CLI::Option *addDevice(CLI::App &app, QString &device) {
    return addText(app, "--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
}

CLI::Option *addPython(CLI::App &app, QString &python) {
    return addText(app, "--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
}

QString whyNoDevice(const QString &device) {
    return device.isEmpty() || isDeviceWord(device)
               ? QString()
               : QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(device);
}

QString whyNoGpuDevice(const QString &device) {
    return device.isEmpty() || isDeviceWord(device)
               ? QString()
               : QStringLiteral("--device \"%1\" is not auto or cuda:N").arg(device);
}

QString takeShard(const QString &words, int &shard, int &shards) {
    const QStringList parts = words.split(QLatin1Char('/'));
    if (!words.isEmpty()) {
        shard = parts.value(0).toInt();
        shards = parts.value(1).toInt();
    }
    return parts.size() > 2 || shards < 1 || shards > 64 || shard < 1 || shard > shards
               ? QStringLiteral("--shard \"%1\" is not I/N with 1 <= I <= N <= 64").arg(words)
               : QString();
}

} // namespace warpwright
