// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/sanitizer_plan.h"

#include "toolchain/base/figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace warpwright {
namespace {

constexpr std::size_t keptFindings = 20;

QProcessEnvironment environmentOf(const SanitizerPlan &plan) {
    QProcessEnvironment environment;
    for (const auto &[name, value] : {
             std::pair{"PATH", QStringLiteral("/usr/bin:/bin")},
             std::pair{"LANG", QStringLiteral("C.UTF-8")},
             std::pair{"HOME", plan.scratch},
             std::pair{"TMPDIR", plan.scratch},
             std::pair{"USER", QStringLiteral("candidate")},
             std::pair{"PYTHONDONTWRITEBYTECODE", QStringLiteral("1")},
             std::pair{"PYTHONHASHSEED", QStringLiteral("0")},
             std::pair{"PYTHONSAFEPATH", QStringLiteral("1")},
             std::pair{"PYTHONUNBUFFERED", QStringLiteral("1")},
             std::pair{"CUDA_DEVICE_ORDER", QStringLiteral("PCI_BUS_ID")},
             std::pair{"CUDA_VISIBLE_DEVICES", plan.device},
             // Each tensor its own cudaMalloc: in torch's pool a write beyond one of them hits the next, and
             // memory that was used before counts as written.
             std::pair{"PYTORCH_NO_CUDA_MEMORY_CACHING", QStringLiteral("1")},
         })
        environment.insert(QLatin1String(name), value);
    if (!plan.libraryPaths.isEmpty())
        environment.insert(QStringLiteral("LD_LIBRARY_PATH"), plan.libraryPaths);
    return environment;
}

QString demangled(const QString &name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> text(
        abi::__cxa_demangle(name.toUtf8().constData(), nullptr, nullptr, &status), std::free);
    return status == 0 && text ? QString::fromUtf8(text.get()) : name;
}

const KernelResources *kernelOf(const SanitizerPlan &plan, const SanitizerRecord &record) {
    for (const SanitizerPlace &place : record.places) {
        const auto found =
            std::find_if(plan.kernels.begin(), plan.kernels.end(), [&place](const KernelResources &kernel) {
                return !place.function.isEmpty() &&
                       (place.function == kernel.mangled || place.function == kernel.name);
            });
        if (found != plan.kernels.end())
            return &*found;
    }
    return nullptr;
}

/// The path below the workspace; empty: it does not lie there.
QString ownFile(const SanitizerPlan &plan, const QString &file) {
    if (file.isEmpty())
        return {};
    const QString path = QDir::cleanPath(file);
    if (path.startsWith(plan.workspace + QLatin1Char('/')))
        return path.mid(plan.workspace.size() + 1);
    // What was compiled elsewhere, or is printed without its folder.
    for (const char *folder : {"kernels/", ""}) {
        const QString relative = QLatin1String(folder) + QFileInfo(path).fileName();
        if (!path.startsWith(QLatin1Char('/')) &&
            QFileInfo(plan.workspace + QLatin1Char('/') + relative).isFile())
            return relative;
    }
    return {};
}

bool isOwn(const SanitizerPlan &plan, const SanitizerRecord &record) {
    return kernelOf(plan, record) != nullptr ||
           std::any_of(record.places.begin(), record.places.end(),
                       [&plan](const SanitizerPlace &place) { return !ownFile(plan, place.file).isEmpty(); });
}

SanitizerFinding findingOf(const SanitizerPlan &plan, const SanitizerRecord &record) {
    SanitizerFinding finding;
    finding.message = record.what;
    finding.thread = record.thread;
    finding.block = record.block;
    if (const KernelResources *kernel = kernelOf(plan, record))
        finding.kernel = shortKernelName(kernel->name);
    else if (!record.places.empty())
        finding.kernel = shortKernelName(demangled(record.places.front().function));
    // The innermost place of the person's own text: what lies in a header of CUDA's is called from there.
    for (const SanitizerPlace &place : record.places) {
        if (const QString file = ownFile(plan, place.file); !file.isEmpty()) {
            finding.file = file;
            finding.line = place.line;
            break;
        }
    }
    if (finding.file.isEmpty() && !record.places.empty()) {
        finding.file = record.places.front().file;
        finding.line = record.places.front().line;
    }
    return finding;
}

/// The same place and kind of error, another thread and address.
bool isSame(const SanitizerFinding &one, const SanitizerFinding &other) {
    const auto kind = [](const SanitizerFinding &finding) {
        return finding.message.section(QLatin1Char(':'), 0, 0);
    };
    return one.kernel == other.kernel && one.file == other.file && one.line == other.line &&
           kind(one) == kind(other);
}

/// Why there is no answer, from what was said last.
QString whyNotDone(const ProcessOutcome &outcome, const SanitizerReport &report) {
    if (outcome.cancelled)
        return QStringLiteral("cancelled by you");
    if (outcome.timedOut)
        return QStringLiteral("it did not finish in %1").arg(durationText(outcome.seconds));
    const QString words =
        QString::fromUtf8(outcome.standardError).trimmed().section(QLatin1Char('\n'), -1).trimmed().left(300);
    if (!report.problem.isEmpty() && !report.problem.startsWith(QLatin1String("Target application")) &&
        !report.problem.startsWith(QLatin1String("process didn't")))
        return QStringLiteral("the tool says: %1").arg(report.problem.left(300));
    if (!words.isEmpty())
        return QStringLiteral("the candidate did not run under it: %1").arg(words);
    return outcome.signal != 0
               ? QStringLiteral("it was killed by signal %1").arg(outcome.signal)
               : QStringLiteral("it ended with exit code %1 and no report").arg(outcome.exitCode);
}

} // namespace

ProcessRequest sanitizerRequest(const SanitizerPlan &plan, const QString &tool, int limitMs) {
    QStringList words = plan.sandboxWords;
    words << QStringLiteral("--or-weaker") << QStringLiteral("1") << QStringLiteral("--profile")
          << QStringLiteral("tools") << QStringLiteral("--folder") << plan.scratch
          << QStringLiteral("--write") << plan.scratch << QStringLiteral("--tell")
          << plan.scratch + QStringLiteral("/sandbox");
    // /bin: in a toolkit (not in the wheel) the tool is a shell script.
    for (const QString &path : {QStringLiteral("/bin"), QFileInfo(plan.script).path(), plan.inputs,
                                plan.runFolder, plan.toolkit, QFileInfo(plan.program).path()})
        words << QStringLiteral("--read") << path;
    words << QStringLiteral("--") << plan.program << QStringLiteral("--tool") << tool;
    words << QStringLiteral("--target-processes") << QStringLiteral("application-only");
    words << QStringLiteral("--launch-timeout") << QStringLiteral("60");
    // Names as the compilers' report has them, paths whole, and no host frames: nobody reads Python's.
    words << QStringLiteral("--demangle") << QStringLiteral("no");
    words << QStringLiteral("--strip-paths") << QStringLiteral("no");
    words << QStringLiteral("--show-backtrace") << QStringLiteral("device");
    words << QStringLiteral("--report-api-errors") << QStringLiteral("no");
    words << QStringLiteral("--print-limit") << QStringLiteral("200");
    words << plan.interpreter << QStringLiteral("-I") << plan.script << plan.inputs << plan.runFolder;
    ProcessRequest request;
    request.program = plan.sandboxProgram;
    request.arguments = words;
    request.workingFolder = plan.scratch;
    request.environment = environmentOf(plan);
    request.timeLimitMs = limitMs;
    request.outputLimitBytes = 8LL << 20;
    return request;
}

SanitizerOutcome sanitizerOutcome(const SanitizerPlan &plan, const QString &tool,
                                  const ProcessOutcome &outcome) {
    const SanitizerReport report = parseSanitizerReport(outcome.standardOutput);
    SanitizerOutcome answer;
    answer.tool = tool;
    answer.seconds = outcome.seconds;
    for (const SanitizerRecord &record : report.records) {
        if (record.isWarning)
            continue;
        if (!isOwn(plan, record)) {
            ++answer.leftOut;
            continue;
        }
        ++answer.errors;
        const SanitizerFinding finding = findingOf(plan, record);
        const bool isKnown =
            std::any_of(answer.first.begin(), answer.first.end(),
                        [&finding](const SanitizerFinding &known) { return isSame(known, finding); });
        if (!isKnown && answer.first.size() < keptFindings)
            answer.first.push_back(finding);
    }
    // Those that were not printed are of the kind that was.
    (answer.errors > 0 ? answer.errors : answer.leftOut) += report.unprinted;
    const bool isDone = report.hasSummary && outcome.standardError.contains(sanitizedMark);
    if (answer.errors > 0)
        answer.status = StageStatus::Failed;
    else if (isDone && !outcome.cancelled && !outcome.timedOut)
        answer.status = StageStatus::Passed;
    else
        answer.reason = whyNotDone(outcome, report);
    return answer;
}

} // namespace warpwright
