// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/kernel_evidence.h"
#include "toolchain/inspect/opcode_class.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpwright {
namespace {

bool isShortProducer(const ReadInstruction &instruction) {
    const OpcodeClass kind = instruction.kind;
    return instruction.base == QLatin1String("LDS") || instruction.base == QLatin1String("LDSM") ||
           instruction.base == QLatin1String("ATOMS") || kind == OpcodeClass::Special ||
           kind == OpcodeClass::Convert || kind == OpcodeClass::Exchange ||
           instruction.base == QLatin1String("S2R") || instruction.base == QLatin1String("S2UR") ||
           instruction.base == QLatin1String("LDC");
}

bool waitsOn(const ReadInstruction &waiting, const ReadInstruction &producer, bool isLong) {
    // Kernels have thousands of instructions, and each may be asked about each.
    const bool isCopy = producer.base == QLatin1String("LDGSTS");
    if (producer.writes.empty() && !isCopy)
        return false;
    // An asynchronous copy writes no register: whoever waits for the barrier waits for it.
    if (isLong && (waiting.base == QLatin1String("DEPBAR") || waiting.base == QLatin1String("LDGDEPBAR")))
        return isCopy;
    if (isLong ? !isLongLoad(producer) : !isShortProducer(producer))
        return false;
    return std::any_of(producer.writes.begin(), producer.writes.end(), [&waiting](int number) {
        return std::count(waiting.reads.begin(), waiting.reads.end(), number) > 0 ||
               std::count(waiting.writes.begin(), waiting.writes.end(), number) > 0;
    });
}

void sampleWaits(KernelEvidence &kernel) {
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        const ReadInstruction &instruction = kernel.code[i];
        kernel.samples += instruction.count("samples");
        for (const bool isLong : {true, false})
            if (const double stalled =
                    instruction.count(isLong ? "stall.long_scoreboard" : "stall.short_scoreboard");
                stalled > 0)
                kernel.waits.push_back({i, producerOf(kernel.code, i, isLong), isLong, stalled});
    }
}

const InspectedKernel *inspectedOf(const FindingInput &input, const QString &mangled) {
    if (input.inspection)
        for (const InspectedKernel &kernel : input.inspection->kernels)
            if (isSameKernel(kernel.resources.mangled, mangled))
                return &kernel;
    return nullptr;
}

const KernelResources *resourcesOf(const FindingInput &input, const QString &mangled) {
    if (const InspectedKernel *kernel = inspectedOf(input, mangled))
        return &kernel->resources;
    if (input.evaluation)
        for (const KernelResources &kernel : input.evaluation->compile.kernels)
            if (isSameKernel(kernel.mangled, mangled))
                return &kernel;
    return nullptr;
}

/// Whether we know which kernels the text holds; else all that ran count as its own.
bool knowsOwnKernels(const FindingInput &input) {
    return (input.inspection && !input.inspection->kernels.empty()) ||
           (input.evaluation && !input.evaluation->compile.kernels.empty());
}

/// Why counters that are there are not used; empty: they are, or there are none.
QString countersNote(const FindingInput &input) {
    if (!input.counters)
        return {};
    const QString own = input.texts.empty() ? QString() : textHashOf(input.texts);
    if (own.isEmpty() || own == input.counters->textHash)
        return {};
    return input.counters->textHash.isEmpty()
               ? QStringLiteral(
                     "The imported counters belong to no text of this workspace: they are not used.")
               : QStringLiteral("The counters of %1 belong to another text: they are not used.")
                     .arg(input.counters->at.toString(Qt::ISODate));
}

void addCounted(FindingContext &context) {
    const Counters &counters = *context.input.counters;
    const std::vector<const KernelCounters *> launches = context.counted();
    double sum = 0;
    for (const KernelCounters *launch : launches)
        sum += launch->microseconds().value_or(0);
    context.isOfOneCall = counters.importedFrom.isEmpty();
    context.hasMoreLaunches = !counters.isWholeCall || counters.launchesLeftOut > 0;
    if (sum > 0 && !context.hasMoreLaunches)
        context.kernelMicroseconds = sum;
    context.launches = static_cast<int>(launches.size()) + counters.launchesLeftOut;
    if (!context.callMicroseconds && sum > 0) {
        context.callMicroseconds = sum;
        context.callSource = context.hasMoreLaunches
                                 ? QStringLiteral("sum of the profiled kernels, not all of the call's")
                                 : QStringLiteral("sum of the profiled kernels");
    }
    // Under the profiler caches are empty and clocks may be others: what it took there counts within the time
    // that a call took by the judge's clock, and never as more.
    const double scale = sum > 0 ? std::min(1.0, context.callMicroseconds.value_or(sum) / sum) : 1;
    using Shape = std::tuple<QString, std::array<int, 3>, std::array<int, 3>>;
    std::map<Shape, KernelEvidence> shapes;
    for (const KernelCounters *launch : launches) {
        const QString key = launch->mangled.isEmpty() ? launch->name : launch->mangled;
        const KernelResources *resources = resourcesOf(context.input, launch->mangled);
        if (resources == nullptr && knowsOwnKernels(context.input))
            continue; // a library's: nothing in this text mends it
        KernelEvidence &kernel = shapes[{key, launch->grid, launch->block}];
        ++kernel.launches;
        if (const auto microseconds = launch->microseconds())
            kernel.microseconds = kernel.microseconds.value_or(0) + *microseconds * scale;
        if (kernel.counters == nullptr ||
            launch->microseconds().value_or(0) > kernel.counters->microseconds().value_or(0))
            kernel.counters = launch;
        kernel.resources = resources;
        kernel.inspected = inspectedOf(context.input, launch->mangled);
        // One name for one kernel: the tool writes "k<(int)32>" where the compiler's demangler says "k<32>".
        kernel.name = shortKernelName(resources != nullptr        ? resources->name
                                      : launch->mangled.isEmpty() ? launch->name
                                                                  : demangled(launch->mangled));
    }
    for (auto &[shape, kernel] : shapes) {
        kernel.code = readCounted(*kernel.counters);
        if (std::all_of(kernel.code.begin(), kernel.code.end(),
                        [](const ReadInstruction &one) { return one.base.isEmpty(); }) &&
            kernel.inspected != nullptr && kernel.inspected->sass)
            kernel.code = readListing(*kernel.inspected->sass, kernel.inspected->source);
        sampleWaits(kernel);
        context.kernels.push_back(std::move(kernel));
    }
    std::stable_sort(context.kernels.begin(), context.kernels.end(),
                     [](const KernelEvidence &one, const KernelEvidence &other) {
                         return one.microseconds.value_or(0) > other.microseconds.value_or(0);
                     });
}

void addUncounted(FindingContext &context) {
    const FindingInput &input = context.input;
    const auto add = [&context](const KernelResources &resources, const InspectedKernel *inspected) {
        KernelEvidence kernel;
        kernel.name = shortKernelName(resources.name);
        kernel.resources = &resources;
        kernel.inspected = inspected;
        if (inspected != nullptr && inspected->sass)
            kernel.code = readListing(*inspected->sass, inspected->source);
        context.kernels.push_back(std::move(kernel));
    };
    if (input.inspection && !input.inspection->kernels.empty()) {
        for (const InspectedKernel &kernel : input.inspection->kernels)
            add(kernel.resources, &kernel);
        return;
    }
    if (input.evaluation)
        for (const KernelResources &kernel : input.evaluation->compile.kernels)
            add(kernel, nullptr);
}

bool isOnDevice(const Evaluation &evaluation) {
    return stringIn(evaluation.device, "kind") == QLatin1String("cuda");
}

/// What the kernels that are spoken of run on; empty: nobody says.
QString deviceOf(const FindingInput &input, bool hasCounters) {
    if (hasCounters)
        return input.counters->device;
    if (input.evaluation && isOnDevice(*input.evaluation))
        return stringIn(input.evaluation->device, "name");
    return input.timeline ? input.timeline->device : QString();
}

/// Times of two devices are never set against each other: a check without a GPU beside counters of one would
/// have its milliseconds wait for launches.
void addTimes(FindingContext &context) {
    const FindingInput &input = context.input;
    const QString device = deviceOf(input, context.hasCounters);
    const bool isTraced = input.timeline && !input.timeline->isOnCpu;
    const bool isProfiled = context.hasCounters || isTraced;
    if (input.evaluation) {
        const QString own = stringIn(input.evaluation->device, "name");
        const bool isOther = isOnDevice(*input.evaluation)
                                 ? isProfiled && !device.isEmpty() && !own.isEmpty() && own != device
                                 : isProfiled || (input.inspection && !input.inspection->kernels.empty());
        if (!isOther)
            context.figures = measuredFigures(*input.evaluation);
        else if (isProfiled)
            context.missing << QStringLiteral("The check of this text ran on %1, and its kernels were "
                                              "profiled on %2: the check's times are not used.")
                                   .arg(own.isEmpty() ? QStringLiteral("another device") : own,
                                        device.isEmpty() ? QStringLiteral("a GPU") : device);
    }
    if (context.figures)
        if (const ArmFigures *candidate = context.figures->candidate();
            candidate != nullptr && candidate->medianMicroseconds > 0) {
            context.callMicroseconds = candidate->medianMicroseconds;
            context.callSource = QStringLiteral("median of the check's profile");
            context.hasClock = true;
        }
    if (!isTraced || (!input.texts.empty() && input.timeline->textHash != textHashOf(input.texts)) ||
        (!device.isEmpty() && !input.timeline->device.isEmpty() && input.timeline->device != device))
        return;
    const TimelineArm *arm = input.timeline->arm(QStringLiteral("candidate"));
    if (arm == nullptr || arm->events.empty() || arm->eventsLeftOut > 0)
        return;
    context.timeline = analysed(*arm);
    if (const auto median = arm->untracedMedian(); median && *median > 0 && !context.callMicroseconds) {
        context.callMicroseconds = median;
        context.callSource = QStringLiteral("median of the untraced calls beside the timeline");
    }
}

} // namespace

std::vector<const KernelCounters *> FindingContext::counted() const {
    if (!hasCounters)
        return {};
    const std::vector<const KernelCounters *> own = input.counters->kernelsOf(QStringLiteral("candidate"));
    return own.empty() ? input.counters->kernelsOf(QStringLiteral("imported")) : own;
}

int FindingContext::computeCapability() const {
    QString digits;
    if (hasCounters && !input.counters->computeCapability.isEmpty())
        digits = QString(input.counters->computeCapability).remove(QLatin1Char('.'));
    else if (figures && figures->device.architecture.startsWith(QLatin1String("sm_")))
        digits = figures->device.architecture.mid(3);
    else if (!kernels.empty() && kernels.front().resources != nullptr)
        digits = kernels.front().resources->arch.mid(3);
    static const QRegularExpression letters(QStringLiteral("[a-z]+$"));
    return digits.remove(letters).toInt();
}

QString FindingContext::workspaceFile(const QString &file) const {
    if (file.isEmpty())
        return {};
    if (input.texts.empty())
        return file;
    return workspacePathOf(input.texts, file);
}

int producerOf(const std::vector<ReadInstruction> &code, std::size_t at, bool isLong) {
    for (std::size_t i = at; i-- > 0;)
        if (waitsOn(code[at], code[i], isLong))
            return static_cast<int>(i);
    for (std::size_t i = code.size(); i-- > at;)
        if (waitsOn(code[at], code[i], isLong))
            return static_cast<int>(i);
    return -1;
}

FindingContext findingContextOf(const FindingInput &input) {
    FindingContext context{input, {}, {}, {}, {}, {}, false, {}, 0, false, true, false, {}};
    const QString note = countersNote(input);
    context.hasCounters = input.counters && note.isEmpty();
    if (!note.isEmpty())
        context.missing << note;
    addTimes(context);
    if (context.hasCounters) {
        addCounted(context);
        if (!context.isOfOneCall)
            context.missing
                << QStringLiteral(
                       "The counters were imported from \"%1\": it is not known which text they measured.")
                       .arg(input.counters->importedFrom);
    }
    if (context.kernels.empty())
        addUncounted(context);
    return context;
}

} // namespace warpwright
