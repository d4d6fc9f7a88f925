// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/tool_tests.h"

#include "toolchain/compile/device_choice.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRegularExpression>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("ToolTests", text);
}

ToolFinding pythonFinding(const Toolchain &toolchain) {
    if (!toolchain.python)
        return {false, toolchain.pythonMessage};
    const PythonEnvironment &python = *toolchain.python;
    return {true, words("torch %1, %2, Python %3, at %4")
                      .arg(python.torchVersion,
                           python.hasTorchCuda() ? words("CUDA %1").arg(python.torchCuda)
                                                 : words("built without CUDA"),
                           python.version, python.interpreter)};
}

ToolFinding cudaFinding(const Toolchain &toolchain) {
    if (!toolchain.cuda)
        return {false, toolchain.cudaMessage};
    return {true, words("nvcc %1 in %2, from %3")
                      .arg(toolchain.cuda->version, toolchain.cuda->root, toolchain.cuda->source)};
}

ToolFinding deviceFinding(const Toolchain &toolchain, const Settings &settings) {
    const Result<DeviceChoice> choice = chooseDevice(settings.device, toolchain);
    if (!choice.hasValue())
        return {false, choice.message()};
    if (choice.value().gpu)
        return {true, words("%1: %2, %3, driver %4")
                          .arg(choice.value().torchName(), choice.value().gpu->name,
                               choice.value().gpu->architecture(), choice.value().gpu->driver)};
    const QString doubt =
        choice.value().doubt.isEmpty() ? QString() : QLatin1Char(' ') + choice.value().doubt;
    return {true, words("cpu: %1.").arg(processorName()) + doubt};
}

ToolFinding architectureFinding(const Toolchain &toolchain, const Settings &settings) {
    if (!isArchitecture(settings.architecture))
        return {false, words("\"%1\" is no architecture. Use one like sm_80 or sm_90a, or leave it empty for "
                             "the device's own.")
                           .arg(settings.architecture)};
    if (settings.architecture.isEmpty())
        return {true, toolchain.devices.empty()
                          ? words("no device here tells one; what is compiled says which was taken")
                          : words("%1, the device's own").arg(toolchain.devices.front().architecture())};
    if (!toolchain.cuda)
        return {false, toolchain.cudaMessage};
    const QStringList &known = toolchain.cuda->architectures;
    if (!known.isEmpty() && !known.contains(settings.architecture))
        return {false,
                words("nvcc %1 does not compile for %2. It knows %3.")
                    .arg(toolchain.cuda->version, settings.architecture, known.join(QStringLiteral(", ")))};
    return {true, words("nvcc %1 compiles for it").arg(toolchain.cuda->version)};
}

} // namespace

ToolFinding toolFinding(ToolKind kind, const Toolchain &toolchain, const Settings &settings) {
    switch (kind) {
    case ToolKind::Python:
        return pythonFinding(toolchain);
    case ToolKind::Cuda:
        return cudaFinding(toolchain);
    case ToolKind::Device:
        return deviceFinding(toolchain, settings);
    case ToolKind::Architecture:
        break;
    }
    return architectureFinding(toolchain, settings);
}

bool isArchitecture(const QString &word) {
    static const QRegularExpression form(QStringLiteral("^sm_[0-9]{2,3}[af]?$"));
    return word.isEmpty() || form.match(word).hasMatch();
}

QString flagsText(const QStringList &flags) {
    QStringList parts;
    for (const QString &flag : flags)
        parts << (flag.contains(QLatin1Char(' ')) ? QLatin1Char('"') + flag + QLatin1Char('"') : flag);
    return parts.join(QLatin1Char(' '));
}

QStringList flagsFrom(const QString &text) {
    return QProcess::splitCommand(text);
}

} // namespace warpwright
