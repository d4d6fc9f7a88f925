// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/kernel_evidence.h"
#include "toolchain/heat/code_match.h"
#include "toolchain/heat/heat.h"
#include "toolchain/tool_output/kernel_name.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QHash>

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

constexpr int fewSamples = 100; // a share of 25 % of a hundred is known to ± 9 %

/// Paths in the workspace of files as a compiler or a profiler names them; each is looked for once.
class OwnFiles {
public:
    explicit OwnFiles(const CandidateTexts &texts) : m_texts(texts) {}

    /// Empty: it is none of the text's.
    [[nodiscard]] const QString &pathOf(const QString &file) {
        const auto known = m_paths.constFind(file);
        return known != m_paths.constEnd() ? *known : *m_paths.insert(file, workspacePathOf(m_texts, file));
    }
    /// Without blanks around it; empty where the text has no such line.
    [[nodiscard]] QString textOf(const QString &path, int line) {
        auto known = m_lines.find(path);
        if (known == m_lines.end()) {
            const auto text = m_texts.find(path);
            known =
                m_lines.insert(path, text == m_texts.end() ? QList<QByteArray>() : text->second.split('\n'));
        }
        return QString::fromUtf8(known->value(line - 1)).simplified();
    }

private:
    const CandidateTexts &m_texts;
    QHash<QString, QString> m_paths;
    QHash<QString, QList<QByteArray>> m_lines;
};

HeatCounts countsOf(const InstructionCounters &instruction, double costOfSample) {
    HeatCounts counts;
    for (const auto &[name, value] : instruction.values) {
        if (name.startsWith(QLatin1String("stall.")))
            counts.stalls[name.mid(6)] = value;
        else if (name == QLatin1String("samples"))
            counts.samples = value;
        else if (name == QLatin1String("samplesNotIssued"))
            counts.notIssued = value;
        else if (name == QLatin1String("executed"))
            counts.executed = value;
        else if (name == QLatin1String("threads"))
            counts.threads = value;
        else if (name == QLatin1String("sectors"))
            counts.sectors = value;
        else if (name == QLatin1String("sectorsIdeal"))
            counts.sectorsIdeal = value;
        else if (name == QLatin1String("wavefronts"))
            counts.wavefronts = value;
        else if (name == QLatin1String("wavefrontsIdeal"))
            counts.wavefrontsIdeal = value;
        else if (name == QLatin1String("localSectors"))
            counts.localSectors = value;
    }
    counts.cost = counts.samples * costOfSample;
    return counts;
}

double samplesOf(const KernelCounters &launch) {
    double samples = 0;
    for (const InstructionCounters &instruction : launch.instructions)
        samples += instruction.value(QStringLiteral("samples"));
    return samples;
}

/// The launches of one kernel whose instructions are the same code.
struct Launches {
    std::vector<const KernelCounters *> sampled;
    std::vector<double> samples; ///< of each
    int unsampled = 0;
};

const InspectedKernel *inspectedOf(const Inspection *inspection, const QString &mangled) {
    if (inspection != nullptr)
        for (const InspectedKernel &kernel : inspection->kernels)
            if (isSameKernel(kernel.resources.mangled, mangled))
                return &kernel;
    return nullptr;
}

/// The innermost place of the text in a chain; line 0: there is none.
CodePlace ownPlaceIn(const PlaceChain &chain, OwnFiles &files) {
    for (const CodePlace &place : chain)
        if (const QString &path = files.pathOf(place.file); !path.isEmpty() && place.line > 0)
            return {path, place.line};
    return {};
}

void placeByReport(HeatInstruction &made, const InstructionCounters &counted, OwnFiles &files) {
    if (counted.line <= 0)
        return;
    const QString &path = files.pathOf(counted.file);
    made.innermost = {path.isEmpty() ? counted.file : path, counted.line};
    if (!path.isEmpty())
        made.place = made.innermost;
}

/// nvdisasm 13.2 says where an instruction comes from only where the innermost place changes: of two
/// neighbours inlined from one line of a header the second has the first's chain, though it was inlined
/// elsewhere. The report mostly names the line of the text for these, and goes before such a chain.
void placeByListing(HeatInstruction &made, const KernelCode &listing, int line,
                    const InstructionCounters &counted, OwnFiles &files) {
    placeByReport(made, counted, files);
    const PlaceChain *chain = listing.chainOf(listing.lines[static_cast<std::size_t>(line)]);
    if (chain == nullptr || chain->empty())
        return;
    const QString innermost = files.pathOf(chain->front().file);
    made.innermost = {innermost.isEmpty() ? chain->front().file : innermost, chain->front().line};
    if (!innermost.isEmpty()) {
        made.place = made.innermost;
        return;
    }
    const bool isInChain = std::any_of(chain->begin(), chain->end(), [&](const CodePlace &place) {
        return place.line == made.place.line && files.pathOf(place.file) == made.place.file;
    });
    if (made.place.line <= 0 || isInChain)
        made.place = ownPlaceIn(*chain, files);
}

constexpr const char *longWait = "long_scoreboard";
constexpr const char *shortWait = "short_scoreboard";
constexpr const char *drainWait = "drain"; ///< of stores, before a warp ends

double stalledFor(const HeatCounts &counts, const char *reason) {
    const auto found = counts.stalls.find(QLatin1String(reason));
    return found == counts.stalls.end() ? 0 : found->second;
}

int lastStoreBefore(const std::vector<ReadInstruction> &code, std::size_t at) {
    for (std::size_t i = at; i-- > 0;)
        if (isGlobalStore(code[i]) || isAtomic(code[i]))
            return static_cast<int>(i);
    return -1;
}

/// For each instruction and each kind of wait the one that was waited for.
void findAwaited(KernelHeat &kernel, const KernelCounters &launch) {
    const std::vector<ReadInstruction> code = readCounted(launch);
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
        HeatInstruction &one = kernel.instructions[i];
        double most = 0;
        const auto take = [&](const char *reason, const auto &find) {
            if (const double samples = stalledFor(one.counts, reason); samples > most) {
                most = samples;
                one.awaited = find();
            }
        };
        take(longWait, [&] { return producerOf(code, i, true); });
        take(shortWait, [&] { return producerOf(code, i, false); });
        take(drainWait, [&] { return lastStoreBefore(code, i); });
    }
}

double waitedAt(const HeatCounts &counts) {
    return stalledFor(counts, longWait) + stalledFor(counts, shortWait) + stalledFor(counts, drainWait);
}

class LineSums {
public:
    void add(const HeatInstruction &instruction, const KernelHeat &kernel) {
        if (instruction.place.line <= 0)
            return;
        Sum &sum = m_sums[{instruction.place.file, instruction.place.line}];
        sum.counts.add(instruction.counts);
        if (!(instruction.innermost == instruction.place) && instruction.innermost.line > 0)
            sum.inlined[{instruction.innermost.file, instruction.innermost.line}] +=
                instruction.counts.samples;
        if (instruction.awaited < 0)
            return;
        const CodePlace &awaited = kernel.instructions[static_cast<std::size_t>(instruction.awaited)].place;
        if (awaited.line > 0)
            sum.awaited[{awaited.file, awaited.line}] += waitedAt(instruction.counts);
    }
    /// Hottest first; those without a sample by their place.
    [[nodiscard]] std::vector<HeatLine> lines(double allCost, OwnFiles &files) const {
        std::vector<HeatLine> lines;
        for (const auto &[place, sum] : m_sums) {
            HeatLine line;
            line.file = place.first;
            line.line = place.second;
            line.text = files.textOf(line.file, line.line);
            line.counts = sum.counts;
            line.share = allCost > 0 ? sum.counts.cost / allCost : 0;
            line.inlined = sorted(sum.inlined);
            line.awaited = sorted(sum.awaited);
            lines.push_back(std::move(line));
        }
        std::stable_sort(lines.begin(), lines.end(), [](const HeatLine &one, const HeatLine &other) {
            return one.counts.cost > other.counts.cost;
        });
        return lines;
    }

private:
    using Place = std::pair<QString, int>;
    struct Sum {
        HeatCounts counts;
        std::map<Place, double> inlined;
        std::map<Place, double> awaited;
    };
    [[nodiscard]] static std::vector<std::pair<CodePlace, double>>
    sorted(const std::map<Place, double> &samples) {
        std::vector<std::pair<CodePlace, double>> places;
        for (const auto &[place, count] : samples)
            if (count > 0)
                places.push_back({{place.first, place.second}, count});
        std::stable_sort(places.begin(), places.end(),
                         [](const auto &one, const auto &other) { return one.second > other.second; });
        return places;
    }
    std::map<Place, Sum> m_sums;
};

QString whyNot(const Inspection *inspection, const InspectedKernel *inspected, const CodeMatch &match) {
    if (inspection == nullptr)
        return QStringLiteral("the compiler's listing is not known");
    if (inspected == nullptr)
        return QStringLiteral("the compiler's listing has no such kernel");
    if (!inspected->sass)
        return QStringLiteral("there is no listing of it%1")
            .arg(inspection->note.isEmpty() ? QString() : QStringLiteral(": ") + inspection->note);
    return QStringLiteral(
               "the compiler's listing, for %1 by nvcc %2, is another build than the one that ran: %3")
        .arg(inspected->resources.arch, inspection->nvcc, match.why);
}

KernelHeat kernelHeat(const Launches &launches, bool hasTimes, const Inspection *inspection,
                      OwnFiles &files) {
    const KernelCounters &first = *launches.sampled.front();
    KernelHeat kernel;
    kernel.mangled = first.mangled;
    kernel.name = shortKernelName(first.mangled.isEmpty() ? first.name : demangled(first.mangled));
    kernel.launches = static_cast<int>(launches.sampled.size());
    kernel.unsampled = launches.unsampled;
    const InspectedKernel *inspected = inspectedOf(inspection, first.mangled);
    CodeMatch match;
    if (inspected != nullptr && inspected->sass) {
        CountedCode counted;
        counted.reserve(first.instructions.size());
        for (const InstructionCounters &one : first.instructions)
            counted.emplace_back(static_cast<qint64>(one.address), one.text);
        match = matchCode(counted, *inspected->sass);
    }
    if (!match.isSame)
        kernel.whyNotListing = whyNot(inspection, inspected, match);
    bool hasLines = false;
    kernel.instructions.reserve(first.instructions.size());
    for (std::size_t i = 0; i < first.instructions.size(); ++i) {
        const InstructionCounters &counted = first.instructions[i];
        HeatInstruction made;
        made.address = static_cast<qint64>(counted.address);
        made.text = counted.text.simplified();
        if (match.isSame)
            placeByListing(made, *inspected->sass, match.lines[i], counted, files);
        else
            placeByReport(made, counted, files);
        hasLines = hasLines || made.innermost.line > 0;
        for (std::size_t launch = 0; launch < launches.sampled.size(); ++launch) {
            const KernelCounters &one = *launches.sampled[launch];
            const double samples = launches.samples[launch];
            made.counts.add(countsOf(one.instructions[i], hasTimes ? *one.microseconds() / samples : 1.0));
        }
        kernel.counts.add(made.counts);
        kernel.instructions.push_back(std::move(made));
    }
    kernel.basis = !hasLines ? HeatBasis::Nothing : match.isSame ? HeatBasis::Listing : HeatBasis::Report;
    findAwaited(kernel, first);
    LineSums sums;
    double charged = 0;
    for (const HeatInstruction &instruction : kernel.instructions) {
        sums.add(instruction, kernel);
        charged += instruction.place.line > 0 ? instruction.counts.samples : 0;
    }
    kernel.charged = kernel.counts.samples > 0 ? charged / kernel.counts.samples : 0;
    kernel.lines = sums.lines(kernel.counts.cost, files);
    return kernel;
}

bool hasSameCode(const KernelCounters &one, const KernelCounters &other) {
    return std::equal(one.instructions.begin(), one.instructions.end(), other.instructions.begin(),
                      other.instructions.end(),
                      [](const InstructionCounters &left, const InstructionCounters &right) {
                          return left.address == right.address;
                      });
}

void sayProblems(Heat &heat) {
    for (const KernelHeat &kernel : heat.kernels) {
        if (kernel.basis == HeatBasis::Nothing)
            heat.problems << QStringLiteral("Of %1 no lines are known: it was compiled without -lineinfo.")
                                 .arg(kernel.name);
        else if (kernel.basis == HeatBasis::Report)
            heat.problems << QStringLiteral(
                                 "Lines of %1 are those that Nsight Compute names, which knows only "
                                 "the innermost file of what was inlined: %2.")
                                 .arg(kernel.name, kernel.whyNotListing);
        if (kernel.counts.samples < fewSamples)
            heat.problems << QStringLiteral("%1 has %2 only: its shares say little.")
                                 .arg(kernel.name, countText(static_cast<qsizetype>(kernel.counts.samples),
                                                             QStringLiteral("sample")));
        if (kernel.unsampled > 0)
            heat.problems << QStringLiteral("Launches of %1 without samples, which are left out: %2.")
                                 .arg(kernel.name)
                                 .arg(kernel.unsampled);
    }
}

} // namespace

Heat heatOf(const Counters &counters, const Inspection *inspection, const CandidateTexts &texts,
            const HeatChoice &choice) {
    Heat heat;
    heat.textHash = counters.textHash;
    heat.iteration = counters.iteration;
    heat.counters = counters.id;
    heat.at = counters.at;
    heat.device = counters.device;
    if (!counters.importedFrom.isEmpty())
        heat.problems << counters.problems.mid(0, 1); // which text ran is not known
    OwnFiles files(texts);
    std::vector<Launches> groups;
    std::map<QString, int> unsampled; // by name
    bool hasTimes = true;
    for (const KernelCounters *launch : counters.kernelsOf(QStringLiteral("candidate"))) {
        // The tool's own name, and as short as people are told it.
        const bool isNamed = choice.kernel.isEmpty() || launch->name.contains(choice.kernel) ||
                             shortKernelName(launch->name).contains(choice.kernel);
        const bool isAsked = isNamed && (choice.launch < 0 || launch->launch == choice.launch);
        if (!isAsked)
            continue;
        const double samples = samplesOf(*launch);
        if (!(samples > 0)) {
            ++unsampled[launch->mangled.isEmpty() ? launch->name : launch->mangled];
            continue;
        }
        hasTimes = hasTimes && launch->microseconds().value_or(0) > 0;
        const auto same = std::find_if(groups.begin(), groups.end(), [launch](const Launches &group) {
            const KernelCounters &first = *group.sampled.front();
            return first.mangled == launch->mangled && first.name == launch->name &&
                   hasSameCode(first, *launch);
        });
        Launches &group = same == groups.end() ? groups.emplace_back() : *same;
        group.sampled.push_back(launch);
        group.samples.push_back(samples);
    }
    double cost = 0;
    for (Launches &group : groups) {
        const KernelCounters &first = *group.sampled.front();
        if (const auto found = unsampled.find(first.mangled.isEmpty() ? first.name : first.mangled);
            found != unsampled.end()) {
            group.unsampled = found->second;
            unsampled.erase(found);
        }
        heat.kernels.push_back(kernelHeat(group, hasTimes, inspection, files));
        cost += heat.kernels.back().counts.cost;
    }
    LineSums sums;
    for (KernelHeat &kernel : heat.kernels) {
        kernel.share = cost > 0 ? kernel.counts.cost / cost : 0;
        heat.samples += kernel.counts.samples;
        heat.charged += kernel.counts.samples * kernel.charged;
        for (const HeatInstruction &instruction : kernel.instructions)
            sums.add(instruction, kernel);
    }
    std::stable_sort(
        heat.kernels.begin(), heat.kernels.end(),
        [](const KernelHeat &one, const KernelHeat &other) { return one.counts.cost > other.counts.cost; });
    heat.lines = sums.lines(cost, files);
    for (const HeatLine &line : heat.lines)
        if (const auto text = texts.find(line.file); text != texts.end())
            heat.texts.emplace(line.file, text->second);
    sayProblems(heat);
    for (const auto &[name, count] : unsampled)
        heat.problems << QStringLiteral("No launch of %1 has samples: %2 counted without them.")
                             .arg(shortKernelName(name.startsWith(QLatin1String("_Z")) ? demangled(name)
                                                                                       : name),
                                  count == 1 ? QStringLiteral("one was")
                                             : QStringLiteral("%1 were").arg(count));
    return heat;
}

} // namespace warpwright
