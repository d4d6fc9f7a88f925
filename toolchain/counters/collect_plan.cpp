// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/collect_plan.h"

#include "toolchain/base/figures.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace warpwright {
namespace {

// What our views and findings read: 36 passes a launch on an H200 with Nsight Compute 2025.3, of which its
// own set `basic` is 10. `full` has the rooflines of each precision and samples over time as well.
const char *const basicSections[] = {
    "SpeedOfLight",
    "LaunchStats",
    "Occupancy",
    "ComputeWorkloadAnalysis",
    "MemoryWorkloadAnalysis",
    "MemoryWorkloadAnalysis_Chart",
    "MemoryWorkloadAnalysis_Tables",
    "SchedulerStats",
    "WarpStateStats",
    "InstructionStats",
    "SourceCounters",
    "SpeedOfLight_RooflineChart",
};

QProcessEnvironment environmentOf(const CollectPlan &plan, bool isCandidate) {
    QProcessEnvironment environment = isCandidate ? QProcessEnvironment() : plan.environment;
    if (isCandidate) {
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        environment.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
        environment.insert(QStringLiteral("USER"), QStringLiteral("candidate"));
        const QString libraries = plan.environment.value(QStringLiteral("LD_LIBRARY_PATH"));
        if (!libraries.isEmpty())
            environment.insert(QStringLiteral("LD_LIBRARY_PATH"), libraries);
        // The profiler lays its section files there.
        environment.insert(QStringLiteral("HOME"), plan.scratch);
    }
    // Its lock and its pipes: of ours alone, so that two users do not wait for each other.
    environment.insert(QStringLiteral("TMPDIR"), plan.scratch);
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONHASHSEED"), QStringLiteral("0"));
    environment.insert(QStringLiteral("PYTHONSAFEPATH"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    environment.insert(QStringLiteral("CUDA_DEVICE_ORDER"), QStringLiteral("PCI_BUS_ID"));
    environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), plan.device);
    return environment;
}

QStringList profilerWords(const CollectPlan &plan, const QString &arm) {
    QStringList words{QStringLiteral("--config-file"), QStringLiteral("off"), QStringLiteral("-f"),
                      QStringLiteral("-o"), reportPathOf(plan, arm)};
    if (!plan.asked.sections.isEmpty()) {
        for (const QString &section : plan.asked.sections)
            words << QStringLiteral("--section") << section;
    } else if (plan.asked.set == QLatin1String("full")) {
        words << QStringLiteral("--set") << QStringLiteral("full");
    } else {
        for (const char *section : basicSections)
            words << QStringLiteral("--section") << QLatin1String(section);
    }
    if (plan.asked.mostLaunches > 0)
        words << QStringLiteral("-c") << QString::number(plan.asked.mostLaunches);
    if (!plan.asked.kernel.isEmpty())
        words << QStringLiteral("--kernel-name-base") << QStringLiteral("demangled") << QStringLiteral("-k")
              << QStringLiteral("regex:") + QRegularExpression::escape(plan.asked.kernel);
    words << QStringLiteral("--import-source") << QStringLiteral("yes")
          << QStringLiteral("--target-processes") << QStringLiteral("application-only")
          << QStringLiteral("--profile-from-start") << QStringLiteral("off")
          << QStringLiteral("--clock-control") << QStringLiteral("none") << QStringLiteral("--cache-control")
          << QStringLiteral("all");
    return words;
}

} // namespace

QStringList counterSets() {
    return {QStringLiteral("basic"), QStringLiteral("full")};
}

QStringList armsOf(const CollectPlan &plan) {
    QStringList arms{QStringLiteral("candidate")};
    if (plan.asked.wantsBaselines)
        arms << QStringLiteral("eager") << QStringLiteral("compile");
    return arms;
}

QString reportPathOf(const CollectPlan &plan, const QString &arm) {
    return QStringLiteral("%1/%2.ncu-rep").arg(plan.scratch, arm);
}

ProcessRequest collectRequest(const CollectPlan &plan, const QString &arm, int limitMs) {
    const bool isCandidate = arm == QLatin1String("candidate");
    QStringList words{plan.ncu.program};
    words << profilerWords(plan, arm) << plan.interpreter << QStringLiteral("-I") << plan.script
          << plan.inputs << arm << (isCandidate ? plan.runFolder : plan.modelFile);
    ProcessRequest request;
    if (isCandidate) {
        QStringList sandbox = plan.sandboxWords;
        sandbox << QStringLiteral("--or-weaker") << QStringLiteral("1") << QStringLiteral("--profile")
                << QStringLiteral("tools") << QStringLiteral("--folder") << plan.scratch
                << QStringLiteral("--write") << plan.scratch << QStringLiteral("--tell")
                << plan.scratch + QStringLiteral("/sandbox");
        // /bin: the profiler is started by shell scripts.
        for (const QString &path :
             {QStringLiteral("/bin"), QFileInfo(plan.script).path(), plan.inputs, plan.runFolder,
              plan.toolkit, plan.ncu.root, QFileInfo(plan.ncu.program).path()})
            sandbox << QStringLiteral("--read") << path;
        words = sandbox << QStringLiteral("--") << words;
        request.program = plan.sandboxProgram;
    } else {
        request.program = words.takeFirst();
    }
    request.arguments = words;
    request.workingFolder = plan.scratch;
    request.environment = environmentOf(plan, isCandidate);
    request.timeLimitMs = limitMs;
    request.outputLimitBytes = 8LL << 20;
    return request;
}

// ==PROF== Profiling "copy4" - 0: 0%....50%....100% - 10 passes
std::optional<CollectStep> collectStepIn(const QByteArray &line) {
    static const QRegularExpression form(QStringLiteral(
        "^==PROF== Profiling \"(.*)\" - (\\d+)(?: \\(\\d+/\\d+\\))?: (?:.* - (\\d+) passes)?"));
    const auto match = form.match(QString::fromUtf8(line));
    if (!match.hasMatch())
        return {};
    return CollectStep{match.captured(1), match.captured(2).toInt(), match.captured(3).toInt()};
}

CollectRefusal whyNotCollected(const CollectPlan &plan, const ProcessOutcome &outcome) {
    if (outcome.cancelled)
        return {QStringLiteral("it was stopped"), {}};
    if (outcome.timedOut)
        return {QStringLiteral("it did not finish in %1").arg(durationText(outcome.seconds)),
                QStringLiteral("Name one kernel (--kernel), or fewer sections.")};
    const QString all = QString::fromUtf8(outcome.standardOutput + '\n' + outcome.standardError);
    if (all.contains(QLatin1String("ERR_NVGPUCTRPERM")))
        return {QStringLiteral("the driver lets only administrators read counters (ERR_NVGPUCTRPERM)"),
                QStringLiteral(
                    "Ask for them to be opened: put \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" "
                    "into "
                    "/etc/modprobe.d/nvidia-profiling.conf and start the machine anew (on some systems after "
                    "update-initramfs -u); in a container, run it with --cap-add=SYS_ADMIN.")};
    if (all.contains(QLatin1String("LibraryNotLoaded")) || all.contains(QLatin1String("LibraryNotFound")))
        return {
            QStringLiteral("the driver's profiling library could not be loaded here (LibraryNotLoaded)"),
            QStringLiteral("This is so in some virtual machines and sandboxes (gVisor): use a machine that "
                           "hands the GPU through whole.")};
    if (all.contains(QLatin1String("driver resource was unavailable")) ||
        all.contains(QLatin1String("DriverResourceUnavailable")) || all.contains(QLatin1String("ERR_NVCMPT")))
        return {QStringLiteral("another profiler or monitor holds the counters of this GPU"),
                QStringLiteral("End it; of DCGM: dcgmi profile --pause.")};
    if (all.contains(QLatin1String("is not supported")) && all.contains(QLatin1String("==ERROR==")))
        return {all.section(QLatin1String("==ERROR=="), 1, 1)
                    .section(QLatin1Char('\n'), 0, 0)
                    .trimmed()
                    .left(300),
                QStringLiteral("Take a Nsight Compute that knows this GPU and driver.")};
    if (all.contains(QLatin1String("No kernels were profiled")))
        return plan.asked.kernel.isEmpty()
                   ? CollectRefusal{QStringLiteral("the call started no kernel that the profiler saw"),
                                    QStringLiteral(
                                        "Look at the timeline: what starts work from another process, or "
                                        "before the call, is not seen.")}
                   : CollectRefusal{QStringLiteral("no kernel of the call has \"%1\" in its name")
                                        .arg(plan.asked.kernel),
                                    QStringLiteral("Leave --kernel out to see the names.")};
    static const QRegularExpression error(QStringLiteral("==ERROR== (.*)"));
    if (const auto match = error.match(all); match.hasMatch())
        return {QStringLiteral("Nsight Compute says: %1").arg(match.captured(1).trimmed().left(300)),
                QStringLiteral("Try the same with ncu by hand; wright doctor tells which one is used.")};
    const QString words =
        QString::fromUtf8(outcome.standardError).trimmed().section(QLatin1Char('\n'), -1).trimmed().left(300);
    if (!words.isEmpty())
        return {QStringLiteral("the call did not run under the profiler: %1").arg(words),
                QStringLiteral("Check the workspace first: wright check.")};
    return {outcome.signal != 0
                ? QStringLiteral("it was ended by signal %1").arg(outcome.signal)
                : QStringLiteral("it ended with exit code %1 and no report").arg(outcome.exitCode),
            QStringLiteral("Check the workspace first: wright check.")};
}

} // namespace warpwright
