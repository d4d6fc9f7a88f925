// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/device_words.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/inspect/occupancy.h"

#include <QDir>
#include <QFile>
#include <QThread>

namespace warpwright {
namespace {

QString line(const QString &name, const QString &value) {
    return value.isEmpty() ? QString() : QStringLiteral("%1: %2\n").arg(name, value);
}

QString firstLineOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readLine()).trimmed() : QString();
}

/// "avx2, avx512f": of what widens a vector.
QString vectorExtensions() {
    static const QStringList known{QStringLiteral("sse4_2"),   QStringLiteral("avx"),
                                   QStringLiteral("avx2"),     QStringLiteral("fma"),
                                   QStringLiteral("avx512f"),  QStringLiteral("avx512_bf16"),
                                   QStringLiteral("amx_bf16"), QStringLiteral("amx_int8"),
                                   QStringLiteral("asimd"),    QStringLiteral("sve")};
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (QByteArray text = file.readLine(); !text.isEmpty(); text = file.readLine()) {
        if (!text.startsWith("flags") && !text.startsWith("Features"))
            continue;
        const QStringList flags =
            QString::fromUtf8(text.mid(text.indexOf(':') + 1)).simplified().split(QLatin1Char(' '));
        QStringList found;
        for (const QString &flag : known)
            if (flags.contains(flag))
                found << flag;
        const QString width = found.contains(QStringLiteral("avx512f")) ? QStringLiteral("512 bit")
                              : found.contains(QStringLiteral("avx"))   ? QStringLiteral("256 bit")
                                                                        : QStringLiteral("128 bit");
        return QStringLiteral("%1 (%2)").arg(width, found.join(QStringLiteral(", ")));
    }
    return {};
}

QString caches() {
    QStringList found;
    const QString root = QStringLiteral("/sys/devices/system/cpu/cpu0/cache/");
    for (const QString &index : QDir(root).entryList({QStringLiteral("index*")}, QDir::Dirs)) {
        const QString type = firstLineOf(root + index + QStringLiteral("/type"));
        const QString kind = type == QLatin1String("Data")          ? QStringLiteral("d")
                             : type == QLatin1String("Instruction") ? QStringLiteral("i")
                                                                    : QString();
        found << QStringLiteral("L%1%2 %3")
                     .arg(firstLineOf(root + index + QStringLiteral("/level")), kind,
                          firstLineOf(root + index + QStringLiteral("/size")));
    }
    return found.join(QStringLiteral(", "));
}

QString architectureWords(const GpuDevice &gpu) {
    QString text = line(QStringLiteral("architecture"), QStringLiteral("%1 (compute capability %2.%3)")
                                                            .arg(gpu.architecture())
                                                            .arg(gpu.computeMajor)
                                                            .arg(gpu.computeMinor)) +
                   line(QStringLiteral("memory"), bytesText(static_cast<double>(gpu.memoryBytes))) +
                   line(QStringLiteral("driver"), gpu.driver);
    const std::optional<MultiprocessorLimits> limits = multiprocessorLimits(gpu.architecture());
    if (!limits)
        return text;
    text += line(QStringLiteral("of each SM"),
                 QStringLiteral("%1 warps, %2 blocks, %3 registers, %4 of shared memory")
                     .arg(limits->warps)
                     .arg(limits->blocks)
                     .arg(numberText(limits->registers), bytesText(limits->sharedBytes)));
    return text + line(QStringLiteral("of each block"),
                       QStringLiteral("%1 of shared memory at most (over 48 KiB with "
                                      "cudaFuncSetAttribute), %2 registers a thread")
                           .arg(bytesText(limits->sharedBytesPerBlock))
                           .arg(limits->registersPerThread));
}

/// What a check has found, in its own session.
QString measuredWords(const Evaluation &last) {
    const DeviceFigures figures = measuredFigures(last).device;
    const auto rate = [](const std::optional<double> &value, const QString &unit) {
        return value ? scaledText(*value, unit) : QString();
    };
    QString text;
    for (const auto &[field, name] : {std::pair<const char *, const char *>{"units", "SMs or cores"},
                                      {"lastLevelCacheBytes", "last cache before the memory"}}) {
        if (!last.device.contains(field) || !last.device[field].is_number())
            continue;
        const double value = last.device[field].get<double>();
        text += line(QLatin1String(name),
                     QLatin1String(field) == QLatin1String("units") ? numberText(value) : bytesText(value));
    }
    text += line(QStringLiteral("memory bandwidth, measured"),
                 rate(figures.bytesPerSecond, QStringLiteral("B/s"))) +
            line(QStringLiteral("FP32 rate, measured"),
                 rate(figures.fp32FlopsPerSecond, QStringLiteral("FLOP/s"))) +
            line(QStringLiteral("TF32 rate, measured"),
                 rate(figures.tf32FlopsPerSecond, QStringLiteral("FLOP/s"))) +
            line(QStringLiteral("BF16 rate, measured"),
                 rate(figures.bf16FlopsPerSecond, QStringLiteral("FLOP/s")));
    return text;
}

} // namespace

QString deviceWords(const DeviceChoice &device, const Evaluation *last) {
    QString text = line(QStringLiteral("device"), device.torchName());
    if (device.gpu)
        text += line(QStringLiteral("name"), device.gpu->name) + architectureWords(*device.gpu);
    else
        text += line(QStringLiteral("name"), processorName()) +
                line(QStringLiteral("threads"), QString::number(QThread::idealThreadCount())) +
                line(QStringLiteral("caches of a core"), caches()) +
                line(QStringLiteral("vectors"), vectorExtensions());
    text += line(QStringLiteral("doubt"), device.doubt);
    const QString kind = device.gpu ? QStringLiteral("cuda") : QStringLiteral("cpu");
    const QString measured =
        last != nullptr && stringIn(last->device, "kind") == kind ? measuredWords(*last) : QString();
    return text + (measured.isEmpty() ? QStringLiteral("(Bandwidth and peak rates are known after a check on "
                                                       "it: profile tells them.)\n")
                                      : measured);
}

} // namespace warpwright
