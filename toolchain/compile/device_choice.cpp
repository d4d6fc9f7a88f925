// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/device_choice.h"

#include <QFile>
#include <QRegularExpression>
#include <QThread>

namespace warpwright {
namespace {

const QRegularExpression &cudaWord() {
    static const QRegularExpression form(QStringLiteral("^cuda(?::([0-9]{1,3}))?$"));
    return form;
}

QString whyNotCuda(const Toolchain &toolchain) {
    if (!toolchain.python)
        return toolchain.pythonMessage;
    return whyNoTorchCuda(*toolchain.python);
}

} // namespace

QString DeviceChoice::torchName() const {
    return gpu ? QStringLiteral("cuda:%1").arg(gpu->index) : QStringLiteral("cpu");
}

bool isDeviceWord(const QString &word) {
    return word == QLatin1String("auto") || word == QLatin1String("cpu") || cudaWord().match(word).hasMatch();
}

Result<DeviceChoice> chooseDevice(const QString &asked, const Toolchain &toolchain) {
    using Answer = Result<DeviceChoice>;
    DeviceChoice choice;
    if (asked == QLatin1String("cpu"))
        return Answer::ok(choice);

    const bool isAuto = asked.isEmpty() || asked == QLatin1String("auto");
    const QString why = whyNotCuda(toolchain);
    if (isAuto) {
        if (!toolchain.devices.empty() && why.isEmpty()) {
            choice.kind = TargetKind::Cuda;
            choice.gpu = toolchain.devices.front();
        } else if (!toolchain.devices.empty()) {
            choice.doubt =
                QStringLiteral("%1 is here and was not used: %2").arg(toolchain.devices.front().name, why);
        } else if (!toolchain.devicesMessage.isEmpty()) {
            choice.doubt = QStringLiteral("The CPU was used: %1").arg(toolchain.devicesMessage);
        }
        return Answer::ok(choice);
    }

    const QRegularExpressionMatch match = cudaWord().match(asked);
    if (!match.hasMatch()) {
        return Answer::error(
            QStringLiteral("Cannot use the device \"%1\": that is no device. Say auto, cpu or cuda:N.")
                .arg(asked));
    }
    // The reason that a person can mend comes first: another torch is a command away, another machine is not.
    if (!why.isEmpty())
        return Answer::error(why);
    if (toolchain.devices.empty()) {
        const QString reason = toolchain.devicesMessage.isEmpty()
                                   ? QStringLiteral("no NVIDIA driver answers here")
                                   : toolchain.devicesMessage;
        return Answer::error(
            QStringLiteral("Cannot use the device \"%1\": %2. Say --device cpu to use the CPU, or run "
                           "wright doctor.")
                .arg(asked, reason));
    }
    const int index = match.captured(1).toInt();
    for (const GpuDevice &device : toolchain.devices) {
        if (device.index != index)
            continue;
        choice.kind = TargetKind::Cuda;
        choice.gpu = device;
        return Answer::ok(choice);
    }
    return Answer::error(
        QStringLiteral("Cannot use the device \"%1\": the driver shows only cuda:0 to cuda:%2. Say one of "
                       "them, or look at CUDA_VISIBLE_DEVICES.")
            .arg(asked)
            .arg(toolchain.devices.size() - 1));
}

OrderedJson deviceSection(const DeviceChoice &device, const QString &architecture) {
    if (!device.gpu) {
        return OrderedJson{{"kind", "cpu"},           {"name", toJson(processorName())},
                           {"index", nullptr},        {"uuid", nullptr},
                           {"architecture", nullptr}, {"threads", QThread::idealThreadCount()}};
    }
    return OrderedJson{{"kind", "cuda"},
                       {"name", toJson(device.gpu->name)},
                       {"index", device.gpu->index},
                       {"uuid", toJson(device.gpu->uuid)},
                       {"architecture", toJson(architecture)},
                       {"memoryBytes", device.gpu->memoryBytes}};
}

QString processorName() {
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly)) {
        for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
            if (line.startsWith("model name") && line.contains(':'))
                return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
        }
    }
    return QStringLiteral("unknown processor");
}

} // namespace warpwright
