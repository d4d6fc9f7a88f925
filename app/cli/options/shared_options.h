// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

/// Options in words that several commands share. What they fill in outlives the parsing.
namespace warpwright {

/// Which machine a command works with; empty: not said.
struct MachineOptions {
    QString device;
    QString python;

    bool operator==(const MachineOptions &) const = default;
};

CLI::Option *addText(CLI::App &app, const std::string &names, QString &text, const std::string &help);
CLI::Option *addTexts(CLI::App &app, const std::string &names, QStringList &texts, const std::string &help);

/// DIR, the current folder where it is not said.
CLI::Option *addWorkspace(CLI::App &app, QString &path);
CLI::Option *addKernel(CLI::App &app, QString &kernel);
CLI::Option *addDevice(CLI::App &app, QString &device);
CLI::Option *addPython(CLI::App &app, QString &python);

/// Empty: not said, or a device.
[[nodiscard]] QString whyNoDevice(const QString &device);
/// The same of a command whose work is a GPU's.
[[nodiscard]] QString whyNoGpuDevice(const QString &device);

/// "I/N", the I-th of N parts; empty: all is one part. Sets both; a sentence's part where it is none.
[[nodiscard]] QString takeShard(const QString &words, int &shard, int &shards);

} // namespace warpwright
