// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/report_page/sections.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostKernels = 40;

void addKernels(Markup &page, const std::vector<KernelResources> &kernels) {
    if (kernels.empty())
        return;
    page.add("h3",
             QStringLiteral("What the kernels take of a streaming multiprocessor (SM), by the compiler"));
    beginTable(page, {"kernel", "architecture", "registers a thread", "spills", "shared memory", "stack"},
               {2, 3, 4, 5});
    for (std::size_t i = 0; i < std::min(kernels.size(), mostKernels); ++i) {
        const KernelResources &kernel = kernels[i];
        const int spills = kernel.spillLoadBytes + kernel.spillStoreBytes;
        page.begin("tr");
        page.add("td", cutText(shortKernelName(kernel.name), 400));
        page.add("td", kernel.arch);
        addNumber(page, QString::number(kernel.registers), kernel.registers);
        addNumber(page, spills == 0 ? QStringLiteral("none") : QStringLiteral("▲ ") + bytesText(spills),
                  spills);
        addNumber(page, bytesText(kernel.staticSharedBytes), kernel.staticSharedBytes);
        addNumber(page, bytesText(kernel.stackBytes), kernel.stackBytes);
        page.end();
    }
    endTable(page);
    if (kernels.size() > mostKernels)
        page.paragraph(QStringLiteral("%1 more are not shown.").arg(kernels.size() - mostKernels), "faint");
}

/// Only what names a version: paths of the machine are nobody's business elsewhere.
void addVersions(Markup &page, const OrderedJson &environment) {
    if (!environment.is_object())
        return;
    for (const auto &[name, value] : environment.items())
        if (value.is_string() && name != "interpreter")
            addFact(page, fromJson(name), fromJson(value.get<std::string>()));
}

} // namespace

void writeEnvironment(Markup &page, const ReportedText &of) {
    beginSection(page, "environment", QStringLiteral("Environment"));
    page.begin("dl");
    if (of.evaluation()) {
        const Evaluation &evaluation = *of.evaluation();
        addVersions(page, evaluation.environment);
        addFact(page, QStringLiteral("compiled for"), evaluation.compile.architecture);
        addFact(page, QStringLiteral("check"), evaluation.id);
        addFact(page, QStringLiteral("checked at"),
                evaluation.startedAt.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'")));
        if (evaluation.seconds)
            addFact(page, QStringLiteral("the check took"), durationText(*evaluation.seconds));
        if (const double waited = secondsInQueue(evaluation); waited >= 1)
            addFact(page, QStringLiteral("of it in the queue for the device"), durationText(waited));
        addFact(page, QStringLiteral("hash of its inputs"), evaluation.inputsHash);
    }
    addFact(page, QStringLiteral("hash of the text"), textHashOf(of.input.known.texts));
    page.end();
    if (!of.evaluation())
        page.paragraph(QStringLiteral("Versions are known from a check, and there is none of this text."),
                       "faint");
    if (of.evaluation() && of.evaluation()->compile.status == StageStatus::Passed)
        addKernels(page, of.evaluation()->compile.kernels);
    for (const QString &problem : of.input.problems)
        page.paragraph(problem, "doubt");
    page.end();
}

} // namespace warpwright
