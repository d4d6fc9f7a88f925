// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `inspect`.
#include "agent/tools/inspecting_run.h"
#include "agent/tools/kept_output.h"
#include "agent/tools/tool_arguments.h"
#include "toolchain/inspect/inspection_json.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/inspect_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace warpwright {
namespace {

constexpr int linesAround = 2;

/// What comes from the lines around one of the kernel's own source.
KernelCode aroundLine(const KernelCode &code, const QString &source, int wanted) {
    KernelCode some = code;
    std::erase_if(some.lines, [&](const CodeLine &line) {
        const PlaceChain *chain = code.chainOf(line);
        return line.kind != CodeLine::Kind::Instruction || chain == nullptr ||
               std::none_of(chain->begin(), chain->end(), [&](const CodePlace &place) {
                   return place.file.endsWith(source) && std::abs(place.line - wanted) <= linesAround;
               });
    });
    return some;
}

/// Where no instruction comes from that line: which lines there are.
QString nearLines(const KernelCode &code, const QString &source, int wanted) {
    std::set<int> lines;
    for (const PlaceChain &chain : code.chains)
        for (const CodePlace &place : chain)
            if (place.file.endsWith(source))
                lines.insert(place.line);
    if (lines.empty())
        return QStringLiteral("  no instruction names a line of %1\n").arg(source);
    const auto after = lines.lower_bound(wanted);
    QStringList near;
    if (after != lines.begin())
        near << QString::number(*std::prev(after));
    if (after != lines.end())
        near << QString::number(*after);
    return QStringLiteral("  no instruction comes from line %1; the nearest that some come from: %2\n")
        .arg(QString::number(wanted), near.join(QStringLiteral(", ")));
}

class InspectRun : public InspectingRun {
public:
    InspectRun(ToolContext &context, const Json &arguments)
        : InspectingRun(context),
          m_kernel(stringIn(arguments, "kernel")),
          m_what(stringIn(arguments, "what", QStringLiteral("resources"))),
          m_line(intArgument(arguments, "line", 0)),
          m_against(intArgument(arguments, "against", 0)) {}

    void start() override {
        withToolchain([this](const Toolchain &) {
            withTexts([this](const CandidateTexts &texts) {
                if (m_against == 0)
                    return inspectNow(texts);
                inspectIteration(m_against, listing(), whenRead([this, texts](const Inspection &earlier) {
                                     m_earlier = earlier;
                                     if (earlier.status != CompileStatus::Passed)
                                         return tell(earlier);
                                     inspectNow(texts);
                                 }));
            });
        });
    }

private:
    [[nodiscard]] Listing listing() const {
        return m_what == QLatin1String("sass")  ? Listing::NeededSass
               : m_what == QLatin1String("ptx") ? Listing::Ptx
                                                : Listing::Sass;
    }

    [[nodiscard]] Then whenRead(const std::function<void(const Inspection &)> &then) {
        return [this, then](const Result<Inspection> &read) {
            if (!read.hasValue())
                return emit ended(failedAnswer(read.message()));
            then(read.value());
        };
    }

    void inspectNow(const CandidateTexts &texts) {
        inspectTexts(texts, listing(), whenRead([this](const Inspection &now) { tell(now); }));
    }

    void tell(const Inspection &now) {
        if (now.status != CompileStatus::Passed) {
            Evaluation evaluation = emptyEvaluation(m_context.place.request.programVersion);
            evaluation.compile.diagnostics = now.diagnostics;
            const QString said = diagnosticsText(evaluation, m_plain);
            return emit ended(failedAnswer(cutInTheMiddle(
                relative(QStringLiteral("Cannot inspect: the kernels do not compile for %1.\n%2")
                             .arg(now.architecture, said.isEmpty() ? printable(now.log) : said)),
                mostAnswerBytes, {})));
        }
        const std::vector<InspectedKernel> kernels = kernelsNamed(now.kernels, m_kernel);
        if (kernels.empty()) {
            QStringList names;
            for (const InspectedKernel &kernel : now.kernels)
                names << shortKernelName(kernel.resources.name);
            return emit ended(failedAnswer(
                names.isEmpty() ? QStringLiteral("Cannot inspect: the .cu files hold no __global__ function.")
                                : QStringLiteral("There is no kernel \"%1\". There are %2.")
                                      .arg(m_kernel.left(200), names.join(QStringLiteral(", ")))));
        }
        const QString text = relative(textOf(now, kernels));
        emit ended({ToolAnswer::Outcome::Ok,
                    cutInTheMiddle(text, mostAnswerBytes, QStringLiteral("Name a kernel or a line.")),
                    Json()});
    }

    [[nodiscard]] QString textOf(const Inspection &now, const std::vector<InspectedKernel> &kernels) const {
        QStringList parts;
        if (m_what == QLatin1String("resources") && !m_earlier)
            parts << resourcesText(now, kernels, m_plain);
        for (const InspectedKernel &kernel : kernels) {
            const std::optional<KernelCode> &code = m_what == QLatin1String("ptx") ? kernel.ptx : kernel.sass;
            if (m_what == QLatin1String("resources") || !code)
                continue;
            const QString title =
                QStringLiteral("%1 of %2 (%3)").arg(m_what.toUpper(), kernel.resources.name, kernel.source);
            const KernelCode shown = m_line > 0 ? aroundLine(*code, kernel.source, m_line) : *code;
            parts << listingText(shown, title, inspectedFolder(), m_plain) +
                         (shown.lines.empty() ? nearLines(*code, kernel.source, m_line) : QString());
        }
        if (m_earlier)
            parts << changesText(m_against, kernelsNamed(m_earlier->kernels, m_kernel), kernels, m_plain);
        if (!now.note.isEmpty())
            parts << printable(now.note) + QLatin1Char('\n');
        return parts.join(QLatin1Char('\n'));
    }

    const Terminal m_plain;
    QString m_kernel;
    QString m_what;
    int m_line;
    int m_against;
    std::optional<Inspection> m_earlier;
};

} // namespace

MadeRun makeInspectRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<InspectRun>(context, arguments);
}

} // namespace warpwright
