// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `inspect`: the work folder's text is laid out where no command can reach it, and compiled there.
#include "agent/tools/kept_output.h"
#include "agent/tools/tool_arguments.h"
#include "agent/tools/tool_run.h"
#include "toolchain/evaluation_facts.h"
#include "toolchain/in_pool.h"
#include "toolchain/inquiry.h"
#include "toolchain/inspection_json.h"
#include "toolchain/inspection_run.h"
#include "toolchain/kernel_name.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/inspect_report.h"

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

class InspectRun : public ToolRun {
public:
    InspectRun(ToolContext &context, const Json &arguments)
        : ToolRun(context),
          m_kernel(stringIn(arguments, "kernel")),
          m_what(stringIn(arguments, "what", QStringLiteral("resources"))),
          m_line(intArgument(arguments, "line", 0)),
          m_against(intArgument(arguments, "against", 0)),
          m_run(std::make_shared<QPointer<InspectionRun>>()) {}
    ~InspectRun() override { InspectRun::stop(); }

    void start() override {
        withToolchain(
            [this](const Toolchain &) { withTexts([this](const CandidateTexts &texts) { layOut(texts); }); });
    }

    void stop() override {
        QMetaObject::invokeMethod(inquiryThread(), [run = m_run] {
            if (*run)
                (*run)->cancel();
        });
    }

private:
    void layOut(const CandidateTexts &texts) {
        inPool(
            this,
            [workspace = m_context.place.workspace, folder = m_context.work.folder(), texts] {
                WorkFolder apart(workspace, folder + QStringLiteral("-inspected"));
                const Result<void> done = apart.layOut(texts);
                return done.hasValue() ? Result<QString>::ok(apart.folder())
                                       : Result<QString>::error(done.message());
            },
            [this](const Result<QString> &folder) {
                if (!folder.hasValue())
                    return emit ended(failedAnswer(folder.message()));
                m_folder = folder.value();
                if (m_against > 0)
                    inspect(m_context.place.workspace.folder, m_against, [this](const Inspection &earlier) {
                        m_earlier = earlier;
                        if (earlier.status != CompileStatus::Passed)
                            return tell(earlier);
                        inspect(m_folder, 0, [this](const Inspection &now) { tell(now); });
                    });
                else
                    inspect(m_folder, 0, [this](const Inspection &now) { tell(now); });
            });
    }

    void inspect(const QString &path, int iteration, std::function<void(const Inspection &)> then) {
        const EvaluationRequest &asked = m_context.place.request;
        InspectionRequest request;
        request.path = path;
        request.python = asked.python;
        request.settings = asked.settings;
        request.folders = asked.folders;
        request.environment = asked.environment;
        request.toolchain = m_context.toolchain;
        request.needsSass = m_what == QLatin1String("sass");
        request.wantsPtx = m_what == QLatin1String("ptx");
        request.iteration = iteration;
        // Through the application: this call may be over by then, and must not be touched from there.
        const auto here = [mine = QPointer<InspectRun>(this)](std::function<void(InspectRun &)> act) {
            QMetaObject::invokeMethod(
                qApp,
                [mine, act = std::move(act)] {
                    if (mine)
                        act(*mine);
                },
                Qt::QueuedConnection);
        };
        QMetaObject::invokeMethod(inquiryThread(), [request, run = m_run, here, then = std::move(then)] {
            auto *made = new InspectionRun(request, inquiryThread());
            *run = made;
            connect(made, &InspectionRun::progress, made, [here](const StageProgress &now) {
                here([now](InspectRun &mine) {
                    emit mine.progress(QStringLiteral("inspect: %1").arg(now.step), now.index, now.count);
                });
            });
            connect(made, &InspectionRun::finished, made, [made, here, then](const Inspection &inspection) {
                made->deleteLater();
                here([then, inspection](InspectRun &) { then(inspection); });
            });
            connect(made, &InspectionRun::failed, made, [made, here](const QString &message) {
                made->deleteLater();
                here([message](InspectRun &mine) { emit mine.ended(failedAnswer(mine.relative(message))); });
            });
            made->start();
        });
    }

    [[nodiscard]] QString relative(QString text) const {
        return text.remove(m_folder + QLatin1Char('/')).replace(m_folder, m_context.work.folder());
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
            parts << listingText(shown, title, m_folder, m_plain) +
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
    QString m_folder; // where the text lies that is inspected
    std::optional<Inspection> m_earlier;
    std::shared_ptr<QPointer<InspectionRun>> m_run; // read and written in the other thread only
};

} // namespace

MadeRun makeInspectRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<InspectRun>(context, arguments);
}

} // namespace warpwright
