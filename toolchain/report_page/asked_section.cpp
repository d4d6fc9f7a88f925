// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/report_page/sections.h"

namespace warpwright {
namespace {

constexpr qsizetype mostReferenceLines = 1000;

void addTask(Markup &page, const TaskFigures &task) {
    addFact(page, QStringLiteral("inputs"), task.inputs.join(QStringLiteral("; ")));
    addFact(page, QStringLiteral("outputs"), task.outputs.join(QStringLiteral("; ")));
    if (task.parameters)
        addFact(page, QStringLiteral("parameters"), numberText(*task.parameters));
    QStringList work;
    if (task.flops)
        work << scaledText(*task.flops, QStringLiteral("FLOP"));
    if (task.bytes)
        work << scaledText(*task.bytes, QStringLiteral("B")) + QStringLiteral(" at least to be moved");
    if (task.intensity)
        work << scaledText(*task.intensity, QStringLiteral("FLOP/B"));
    if (!task.limit.isEmpty())
        work << QStringLiteral("limited by %1").arg(task.limit);
    addFact(page, QStringLiteral("work of a call"), work.join(QStringLiteral(", ")));
    addFact(page, QStringLiteral("counted by"), task.method);
}

void addDevice(Markup &page, const DeviceFigures &device) {
    QStringList facts{device.name.isEmpty() ? QStringLiteral("none was chosen") : device.name};
    if (!device.architecture.isEmpty())
        facts << device.architecture;
    if (device.memoryBytes)
        facts << bytesText(*device.memoryBytes);
    addFact(page, QStringLiteral("device"), facts.join(QStringLiteral(", ")));
    QStringList ceilings;
    const auto add = [&ceilings](const char *name, const std::optional<double> &value, const char *unit) {
        if (value)
            ceilings << QStringLiteral("%1 %2").arg(QLatin1String(name),
                                                    scaledText(*value, QLatin1String(unit)));
    };
    add("memory", device.bytesPerSecond, "B/s");
    add("FP32", device.fp32FlopsPerSecond, "FLOP/s");
    add("TF32", device.tf32FlopsPerSecond, "FLOP/s");
    add("FP16/BF16", device.bf16FlopsPerSecond, "FLOP/s");
    addFact(page, QStringLiteral("its ceilings, measured in the check"), ceilings.join(QStringLiteral(", ")));
}

} // namespace

void writeAsked(Markup &page, const ReportedText &of) {
    beginSection(page, "asked", QStringLiteral("What was asked"));
    page.paragraph(
        QStringLiteral("A candidate that gives the results of the PyTorch reference below, and is faster."));
    page.begin("dl");
    addFact(page, QStringLiteral("task"), of.input.workspace);
    addFact(page, QStringLiteral("mode"), of.input.trains ? QStringLiteral("train") : QStringLiteral("eval"));
    addFact(page, QStringLiteral("precision allowed"), of.input.precisionAllowed.join(QStringLiteral(", ")));
    if (of.figures) {
        addTask(page, of.figures->task);
        addDevice(page, of.figures->device);
    }
    page.end();
    if (!of.figures)
        page.paragraph(
            QStringLiteral("Its tensors and the device are known from a check, and there is none of this "
                           "text."),
            "faint");
    bool hasReference = false;
    for (const auto &[path, text] : of.input.known.texts) {
        if (isCandidatePath(path) || !path.endsWith(QLatin1String(".py")))
            continue;
        hasReference = true;
        page.begin("details");
        page.add("summary", QStringLiteral("the reference, %1").arg(path));
        addCode(page, text, mostReferenceLines);
        page.end();
    }
    if (!hasReference)
        page.paragraph(QStringLiteral("The reference's text is not in what was kept."), "faint");
    page.end();
}

} // namespace warpwright
