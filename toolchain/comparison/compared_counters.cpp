// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/counters/counter_rows.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

/// Of single measurements: below this nothing is said.
constexpr double leastShare = 0.05;
/// The profiler locks the clock; where it could not, times of two collections are of two clocks.
constexpr double mostClockShare = 0.02;
constexpr auto clockMetric = "gpc__cycles_elapsed.avg.per_second";

/// All launches of one kernel: it is compared by the longest.
struct CountedKernels {
    QString name;
    int longest = -1; ///< number in Counters::kernels
    int launches = 0;
    double microseconds = 0; ///< of all of them
};

double microsecondsAt(const Counters &counters, int kernel) {
    return kernel < 0 ? -1 : counters.kernels[static_cast<std::size_t>(kernel)].microseconds().value_or(0);
}

std::vector<CountedKernels> kernelsOf(const ComparedState &state) {
    std::vector<CountedKernels> kernels;
    std::map<QString, std::size_t> known;
    const Counters &counters = *state.counters;
    for (std::size_t i = 0; i < counters.kernels.size(); ++i) {
        const KernelCounters &kernel = counters.kernels[i];
        if (kernel.arm != state.arm())
            continue;
        const QString name = shortKernelName(kernel.name);
        const auto [at, isNew] = known.try_emplace(name, kernels.size());
        if (isNew)
            kernels.push_back({name});
        CountedKernels &all = kernels[at->second];
        ++all.launches;
        all.microseconds += kernel.microseconds().value_or(0);
        if (kernel.microseconds().value_or(0) > microsecondsAt(counters, all.longest))
            all.longest = static_cast<int>(i);
    }
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const CountedKernels &one, const CountedKernels &other) {
                         return one.microseconds > other.microseconds;
                     });
    return kernels;
}

// What the launch or the code says, and no measurement.
bool isExact(const QString &metric) {
    return metric.startsWith(QLatin1String("launch__")) || metric.startsWith(QLatin1String("sass__")) ||
           metric.contains(QLatin1String("maximum_warps"));
}

bool isOfClock(const CounterRow &row) {
    return row.metric.startsWith(QLatin1String("gpu__time_duration")) || row.unit == QLatin1String("byte/s");
}

/// What is the same for all rows of one pair of kernels.
struct Pair {
    QString name;
    QString otherDevice; ///< empty: one device
    QString otherClock;  ///< empty: one clock
};

// `mirror`: the same row with both sides exchanged; null: there is none.
ComparisonRow rowOf(const CounterRow &now, const CounterRow *mirror, const Pair &pair) {
    ComparisonRow row;
    row.group = Group::Counters;
    row.kernel = pair.name;
    row.section = sectionName(now.section);
    row.name = now.label;
    row.unit = now.unit;
    row.help = now.help;
    row.source = QStringLiteral("ncu: ") + now.metric;
    row.rightValue = now.value;
    row.leftValue = mirror != nullptr && mirror->value ? mirror->value : now.before;
    row.right = now.text;
    if (row.leftValue)
        row.left = mirror != nullptr && mirror->value ? mirror->text : counterText(*row.leftValue, now.unit);
    row.remark = now.spread;
    if (!row.leftValue || !row.rightValue) {
        row.state = State::Missing;
        row.remark = now.missing;
        if (row.remark.isEmpty())
            row.remark = mirror != nullptr && !mirror->missing.isEmpty() ? mirror->missing
                                                                         : QStringLiteral("not collected");
        return row;
    }
    const double share = now.change ? now.change->share.value_or(1) : 0;
    if (*row.leftValue == *row.rightValue) {
        row.state = State::Same;
        row.remark.clear();
        return row;
    }
    if (!pair.otherDevice.isEmpty() || (isOfClock(now) && !pair.otherClock.isEmpty())) {
        row.state = State::NotComparable;
        row.remark = pair.otherDevice.isEmpty() ? pair.otherClock : pair.otherDevice;
        return row;
    }
    row.difference = now.change ? now.change->text() : QString();
    const bool isSmall = now.isSingle && std::abs(share) < leastShare;
    const bool isNoise = !isExact(now.metric) && ((now.change && now.change->isNoise) || isSmall);
    row.state = isNoise ? State::Noise : State::Differs;
    if (isNoise && isSmall)
        row.remark = QStringLiteral("one measurement, no spread: below 5 % nothing is said");
    if (isExact(now.metric))
        row.remark = QStringLiteral("exact");
    return row;
}

CounterRow exchanged(const CounterRow &row, const CountedLaunch &of) {
    CounterRow made = row;
    made.before = row.value;
    made.value = row.before;
    made.text = row.before ? counterText(*row.before, row.unit) : QString();
    if (!made.value)
        made.missing = notCollected(*of.counters);
    if (made.value && made.before)
        made.change = changeOf(*made.value, *made.before, std::nullopt, std::nullopt);
    if (made.change && row.change)
        made.change->isNoise = row.change->isNoise;
    return made;
}

void addKernel(StateComparison &comparison, const Pair &pair, const CountedLaunch &left,
               const CountedLaunch &right) {
    using Key = std::tuple<CounterSection, QString, QString>;
    const auto keyOf = [](const CounterRow &row) {
        // A unit's breakdown lists the busiest parts of its own launch: on both sides it is one section.
        return Key(row.section, row.metric, row.label);
    };
    std::map<Key, CounterRow> mirrors;
    std::vector<Key> order;
    for (const CounterRow &row : counterRows(left, right)) {
        mirrors.emplace(keyOf(row), row);
        order.push_back(keyOf(row));
    }
    for (const CounterRow &row : counterRows(right, left)) {
        if (row.section == CounterSection::Rules)
            continue;
        const auto mirror = mirrors.find(keyOf(row));
        comparison.rows.push_back(rowOf(row, mirror == mirrors.end() ? nullptr : &mirror->second, pair));
        if (mirror != mirrors.end())
            mirrors.erase(mirror);
    }
    for (const Key &key : order) // what only left has a row of
        if (const auto rest = mirrors.find(key);
            rest != mirrors.end() && rest->second.section != CounterSection::Rules)
            comparison.rows.push_back(rowOf(exchanged(rest->second, right), &rest->second, pair));
}

ComparisonRow lonely(const CountedKernels &kernel, bool isLeft) {
    ComparisonRow row;
    row.group = Group::Counters;
    row.kernel = kernel.name;
    row.name = QStringLiteral("The kernel");
    QString launches = countText(kernel.launches, QStringLiteral("launch"));
    launches.replace(QLatin1String("launchs"), QLatin1String("launches"));
    (isLeft ? row.left : row.right) = QStringLiteral("%1, %2").arg(launches, timeText(kernel.microseconds));
    row.state = isLeft ? State::LeftOnly : State::RightOnly;
    row.source = QStringLiteral("ncu: gpu__time_duration.sum, under the profiler");
    return row;
}

// Sums over a call's launches: what a baseline of other kernels can be held against.
void addWhole(StateComparison &comparison, const ComparedState &left, const ComparedState &right,
              const Pair &pair) {
    if (!left.counters->isWholeCall || !right.counters->isWholeCall) {
        comparison.missing.push_back(
            {MissingPart::Act::None,
             left.counters->importedFrom.isEmpty() && right.counters->importedFrom.isEmpty()
                 ? QStringLiteral("Only a part of a call was counted: nothing is summed up")
                 : QStringLiteral("An imported report need not be of one call: nothing is summed up"),
             {}});
        return;
    }
    const auto launchesOf = [](const ComparedState &state) {
        return state.counters->kernelsOf(state.arm());
    };
    const auto before = launchesOf(left);
    const auto after = launchesOf(right);
    ComparisonRow launches;
    launches.group = Group::Counters;
    launches.name = QStringLiteral("Launches");
    launches.source = QStringLiteral("ncu");
    setCounts(launches, static_cast<double>(before.size()), static_cast<double>(after.size()));
    comparison.rows.push_back(launches);
    const auto add = [&](const char *name, const char *source, const QString &unit,
                         const CounterReading &read) {
        const auto sumOf = [&read](const std::vector<const KernelCounters *> &kernels) {
            std::optional<double> sum = 0.0;
            for (const KernelCounters *kernel : kernels) {
                const std::optional<double> one = read(*kernel);
                sum = sum && one ? std::optional(*sum + *one) : std::nullopt;
            }
            return sum;
        };
        CounterRow row;
        row.label = QLatin1String(name);
        row.metric = QLatin1String(source);
        row.help = QStringLiteral("sum over all launches of a call");
        row.unit = unit;
        row.value = sumOf(after);
        row.before = sumOf(before);
        row.text = row.value ? counterText(*row.value, unit) : QString();
        row.missing = row.value ? QString() : notCollected(*right.counters);
        row.isSingle = true;
        row.spread = QStringLiteral("one measurement, no spread");
        if (row.value && row.before)
            row.change = changeOf(*row.value, *row.before, std::nullopt, std::nullopt);
        ComparisonRow made = rowOf(row, nullptr, pair);
        made.section.clear();
        comparison.rows.push_back(made);
    };
    add("Time under the profiler", "gpu__time_duration.sum", QStringLiteral("us"),
        [](const KernelCounters &kernel) { return kernel.microseconds(); });
    add("DRAM traffic", "dram__bytes_read.sum + dram__bytes_write.sum", QStringLiteral("byte"),
        [](const KernelCounters &kernel) { return dramBytes(kernel); });
}

void sayMissing(StateComparison &comparison, const ComparedState &state) {
    if (!state.damagedCounters.isEmpty()) {
        comparison.missing.push_back({MissingPart::Act::None,
                                      QStringLiteral("%1: %2").arg(state.side.title, state.damagedCounters),
                                      {}});
        return;
    }
    const bool isArm = state.choice.isArm();
    comparison.missing.push_back(
        {isArm ? MissingPart::Act::Baselines : MissingPart::Act::Counters,
         QStringLiteral("No counters of %1").arg(state.side.title),
         isArm ? QStringLiteral("wright counters --baselines %1, on a GPU").arg(state.path)
               : QStringLiteral("wright counters %1%2, on a GPU").arg(state.path, state.iterationWords())});
}

QString clocksOf(const KernelCounters &left, const KernelCounters &right) {
    const auto one = left.number(clockMetric);
    const auto other = right.number(clockMetric);
    if (!one || !other || *one <= 0 || std::abs(*other / *one - 1) <= mostClockShare)
        return {};
    return QStringLiteral("the profiler's clocks differ: %1 and %2")
        .arg(scaledText(*one, QStringLiteral("Hz")), scaledText(*other, QStringLiteral("Hz")));
}

} // namespace

void addCounters(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const auto hasAny = [](const ComparedState &state) {
        return state.counters && !state.counters->kernelsOf(state.arm()).empty();
    };
    if (!hasAny(left))
        sayMissing(comparison, left);
    if (!hasAny(right))
        sayMissing(comparison, right);
    if (!hasAny(left) || !hasAny(right))
        return;
    const std::vector<CountedKernels> before = kernelsOf(left);
    const std::vector<CountedKernels> after = kernelsOf(right);
    const auto namesOf = [](const std::vector<CountedKernels> &kernels) {
        QStringList names;
        for (const CountedKernels &kernel : kernels)
            names << kernel.name;
        return names;
    };
    Pair pair;
    if (left.counters->device != right.counters->device)
        pair.otherDevice =
            QStringLiteral("counted on %1 and on %2").arg(left.counters->device, right.counters->device);
    if (!before.empty() && !after.empty())
        pair.otherClock = clocksOf(*CountedLaunch{left.counters, before.front().longest, {}}.launch(),
                                   *CountedLaunch{right.counters, after.front().longest, {}}.launch());
    addWhole(comparison, left, right, pair);
    const bool byRank = left.choice.isArm() || right.choice.isArm();
    for (const KernelPair &two : pairKernels(namesOf(before), namesOf(after), byRank)) {
        if (two.left < 0 || two.right < 0) {
            const bool isLeft = two.right < 0;
            const auto &from = isLeft ? before : after;
            comparison.rows.push_back(
                lonely(from[static_cast<std::size_t>(isLeft ? two.left : two.right)], isLeft));
            continue;
        }
        const CountedKernels &was = before[static_cast<std::size_t>(two.left)];
        const CountedKernels &is = after[static_cast<std::size_t>(two.right)];
        const CountedLaunch one{left.counters, was.longest, {}};
        const CountedLaunch other{right.counters, is.longest, {}};
        Pair named = pair;
        named.name = pairName(was.name, is.name);
        named.otherClock = clocksOf(*one.launch(), *other.launch());
        addKernel(comparison, named, one, other);
    }
}

} // namespace warpwright
