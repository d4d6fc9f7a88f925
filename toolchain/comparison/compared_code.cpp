// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/comparison/launched_names.h"
#include "toolchain/findings/sass_reading.h"
#include "toolchain/inspect/occupancy.h"
#include "toolchain/inspect/opcode_diff.h"
#include "toolchain/inspect/opcode_mix.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

struct Resource {
    const char *name;
    const char *unit;
    const char *help;
    int KernelResources::*value;
};

constexpr std::array<Resource, 8> resources{
    {{"Registers a thread", "", "", &KernelResources::registers},
     {"Spill stores", "B", "of a thread, to local memory", &KernelResources::spillStoreBytes},
     {"Spill loads", "B", "of a thread, from local memory", &KernelResources::spillLoadBytes},
     {"Static shared memory", "B", "of a block", &KernelResources::staticSharedBytes},
     {"Stack", "B", "of a thread", &KernelResources::stackBytes},
     {"Parameters", "B", "constant bank 0", &KernelResources::constantBytes},
     {"Barriers", "", "", &KernelResources::barriers},
     {"Threads of a block, at most", "", "by its registers", &KernelResources::maxThreads}}};

/// How many warps an SM holds at once: what registers and shared memory are counted for.
std::optional<ComparisonRow> occupancyRow(const KernelResources &was, const KernelResources &is) {
    if (was.launchThreads.has_value() != is.launchThreads.has_value())
        return std::nullopt; // one is counted for its own blocks, the other for any
    const std::vector<Occupancy> before = occupanciesOf(was, was.launchThreads.value_or(0));
    const std::vector<Occupancy> after = occupanciesOf(is, is.launchThreads.value_or(0));
    if (before.empty() || after.empty())
        return std::nullopt;
    const auto most = [](const std::vector<Occupancy> &all) {
        double share = 0;
        for (const Occupancy &one : all)
            share = std::max(share, one.share());
        return 100 * share;
    };
    ComparisonRow row;
    row.name = QStringLiteral("Occupancy");
    row.help = QStringLiteral("share of an SM's warps, without dynamic shared memory; a range: for blocks of "
                              "128 to 1,024 threads, as far as the registers suffice");
    row.left = occupancyRange(before);
    row.right = occupancyRange(after);
    row.leftValue = most(before);
    row.rightValue = most(after);
    row.unit = QStringLiteral("%");
    if (row.left != row.right) {
        row.state = State::Differs;
        row.difference =
            QStringLiteral("%1 points").arg(signedText(qRound(*row.rightValue - *row.leftValue)));
        if (qRound(*row.rightValue) == qRound(*row.leftValue))
            row.difference = QStringLiteral("the least of it");
    }
    return row;
}

QStringList compiledNames(const ComparedState &state) {
    QStringList names;
    if (state.listing)
        for (const InspectedKernel &kernel : state.listing->kernels)
            names << shortKernelName(kernel.resources.name);
    else if (state.side.evaluation)
        for (const KernelResources &kernel : state.side.evaluation->compile.kernels)
            names << shortKernelName(kernel.name);
    return names;
}

LaunchedNames launchedBy(const ComparedState &state) {
    LaunchedNames launched;
    if (state.counters && !state.counters->kernelsOf(state.arm()).empty())
        launched = launchedNames(*state.counters, state.arm());
    else if (state.side.evaluation && !state.side.isStale && !state.choice.isArm())
        launched = launchedNames(*state.side.evaluation);
    if (state.choice.isArm())
        return launched;
    // Tools write "k<true>" and "k<1>" of one kernel: where an instance has another name than all that were
    // compiled of its template, it is not known which of them it is.
    const QStringList compiled = compiledNames(state);
    for (const QString &name : launched.names) {
        const QString base = name.section(QLatin1Char('<'), 0, 0);
        const bool isOfATemplate = std::any_of(compiled.begin(), compiled.end(), [&base](const QString &one) {
            return one.section(QLatin1Char('<'), 0, 0) == base;
        });
        launched.isAll = launched.isAll && (!isOfATemplate || compiled.contains(name));
    }
    return launched;
}

// What a call launches before what it does not, the longest first.
template <typename T>
void putLaunchedFirst(std::vector<T> &all, const LaunchedNames &launched) {
    std::stable_sort(all.begin(), all.end(), [&launched](const T &one, const T &other) {
        return launched.rankOf(shortKernelName(one.name)) < launched.rankOf(shortKernelName(other.name));
    });
}

// Of one side where the other has no such kernel, or of a kernel of that name on both.
QString notLaunched(const LaunchedNames &left, const LaunchedNames &right, const QString &name) {
    const bool isNotLeft = left.hasNot(name);
    const bool isNotRight = right.hasNot(name);
    return isNotLeft && isNotRight ? QStringLiteral("not launched")
           : isNotLeft             ? QStringLiteral("not launched on the left")
           : isNotRight            ? QStringLiteral("not launched on the right")
                                   : QString();
}

std::vector<KernelResources> resourcesOf(const ComparedState &state) {
    std::vector<KernelResources> all;
    if (state.choice.isArm())
        return all;
    if (state.listing)
        for (const InspectedKernel &kernel : state.listing->kernels) {
            all.push_back(kernel.resources);
            all.back().launchThreads = kernel.launchThreads();
        }
    else if (state.side.evaluation)
        all = state.side.evaluation->compile.kernels;
    putLaunchedFirst(all, launchedBy(state));
    return all;
}

/// SASS of one kernel, of the compiler or as it was counted.
struct Code {
    QString name;
    KernelCode code;
    double microseconds = 0; ///< of one launch; 0: not counted
};

/// With which the compiler fills code up. A report names its target by where the code lay in memory, and that
/// was at a multiple of 128 bytes.
bool isJumpToItself(const CodeLine &line) {
    if (!line.predicate.isEmpty() || line.opcode.section(QLatin1Char('.'), 0, 0) != QLatin1String("BRA"))
        return false;
    bool isNumber = false;
    const qint64 target = line.operands.section(QLatin1Char(' '), -1).toLongLong(&isNumber, 16);
    return isNumber && (target - line.address) % 128 == 0;
}

// A report's instructions as a listing. It has neither labels nor places, and ends as the compiler's does
// for us: without the jump to itself and the NOPs that fill the code up to 128 bytes.
KernelCode codeOf(const KernelCounters &kernel) {
    KernelCode code;
    code.mangled = kernel.mangled;
    code.name = kernel.name;
    for (const ReadInstruction &read : readCounted(kernel)) {
        CodeLine line;
        line.address = static_cast<qint64>(read.address);
        line.predicate = read.predicate;
        line.opcode = read.opcode;
        line.operands = read.operands;
        code.lines.push_back(line);
    }
    std::vector<CodeLine> &lines = code.lines;
    while (!lines.empty() && lines.back().opcode == QLatin1String("NOP"))
        lines.pop_back();
    if (lines.size() >= 2 && isJumpToItself(lines.back()))
        lines.pop_back();
    return code;
}

std::vector<Code> codesOf(const ComparedState &state) {
    std::vector<Code> codes;
    if (state.listing && !state.choice.isArm()) {
        for (const InspectedKernel &kernel : state.listing->kernels)
            if (kernel.sass)
                codes.push_back({shortKernelName(kernel.resources.name), *kernel.sass});
        putLaunchedFirst(codes, launchedBy(state));
        return codes;
    }
    if (!state.counters)
        return codes;
    for (const KernelCounters *kernel : state.counters->kernelsOf(state.arm())) {
        const bool hasText = !kernel->instructions.empty() && !kernel->instructions.front().text.isEmpty();
        const QString name = shortKernelName(kernel->name);
        if (hasText &&
            std::none_of(codes.begin(), codes.end(), [&name](const Code &code) { return code.name == name; }))
            codes.push_back({name, codeOf(*kernel), kernel->microseconds().value_or(0)});
    }
    std::stable_sort(codes.begin(), codes.end(), [](const Code &one, const Code &other) {
        return one.microseconds > other.microseconds;
    });
    return codes;
}

QString sourceOf(const ComparedState &state) {
    return state.listing && !state.choice.isArm() ? QStringLiteral("SASS of the compiler")
                                                  : QStringLiteral("SASS in the counters");
}

ComparedListing listingOf(const QString &name, const KernelCode &left, const KernelCode &right,
                          const QString &source) {
    ComparedListing listing;
    listing.kernel = name;
    listing.source = source;
    listing.rows.path = name;
    listing.rows.kind = ComparedFile::Kind::Changed;
    for (const ComparedCode &one : compareCode(left, right)) {
        ComparedRow row;
        row.kind = one.kind == ComparedCode::Kind::Same      ? ComparedRow::Kind::Same
                   : one.kind == ComparedCode::Kind::Changed ? ComparedRow::Kind::Changed
                   : one.kind == ComparedCode::Kind::Removed ? ComparedRow::Kind::Removed
                                                             : ComparedRow::Kind::Added;
        if (one.left >= 0) {
            row.leftNumber = one.left + 1;
            row.left = instructionText(left.lines[static_cast<std::size_t>(one.left)]);
        }
        if (one.right >= 0) {
            row.rightNumber = one.right + 1;
            row.right = instructionText(right.lines[static_cast<std::size_t>(one.right)]);
        }
        const int at = static_cast<int>(listing.rows.rows.size());
        if (row.kind != ComparedRow::Kind::Same) {
            std::vector<ComparedHunk> &hunks = listing.rows.hunks;
            if (!hunks.empty() && hunks.back().firstRow + hunks.back().rowCount == at)
                ++hunks.back().rowCount;
            else
                hunks.push_back({at, 1});
            ++listing.rows.changedRows;
            listing.rows.removed += one.left >= 0 ? 1 : 0;
            listing.rows.added += one.right >= 0 ? 1 : 0;
        }
        listing.rows.rows.push_back(std::move(row));
    }
    if (listing.rows.changedRows == 0)
        listing.rows.kind = ComparedFile::Kind::Same;
    return listing;
}

QString accessName(const OpcodeMix::Access &access) {
    return QStringLiteral("%1, %2 bits, %3")
        .arg(access.base)
        .arg(access.access.widthBits)
        .arg(access.access.space);
}

void addMix(StateComparison &comparison, const QString &kernel, const OpcodeMix &left, const OpcodeMix &right,
            const QString &source, const QString &remark) {
    const auto add = [&](const QString &section, const QString &name, int before, int after) {
        if (before == 0 && after == 0)
            return;
        ComparisonRow row;
        row.group = Group::Code;
        row.kernel = kernel;
        row.section = section;
        row.name = name;
        row.help = QStringLiteral("instructions as they stand in the code, not how often they run");
        row.source = source;
        row.remark = remark;
        setCounts(row, before, after);
        comparison.rows.push_back(row);
    };
    add(QStringLiteral("Size"), QStringLiteral("Instructions"), left.total, right.total);
    for (int i = 0; i < opcodeClassCount; ++i) {
        const auto kind = static_cast<OpcodeClass>(i);
        add(QStringLiteral("Opcodes"), opcodeClassName(kind), left.count(kind), right.count(kind));
    }
    std::map<QString, std::pair<int, int>> accesses;
    for (const OpcodeMix::Access &access : left.accesses)
        accesses[accessName(access)].first += access.count;
    for (const OpcodeMix::Access &access : right.accesses)
        accesses[accessName(access)].second += access.count;
    for (const auto &[name, counts] : accesses)
        add(QStringLiteral("Memory accesses"), name, counts.first, counts.second);
}

// `launched`: of the side that has it.
ComparisonRow lonely(Group group, const QString &kernel, const QString &words, bool isLeft,
                     const QString &source, const LaunchedNames &launched) {
    ComparisonRow row;
    row.group = group;
    row.kernel = kernel;
    row.name = QStringLiteral("The kernel");
    (isLeft ? row.left : row.right) = words;
    row.state = isLeft ? State::LeftOnly : State::RightOnly;
    row.source = source;
    if (launched.hasNot(kernel))
        row.remark = QStringLiteral("not launched");
    return row;
}

template <typename T>
const T &at(const std::vector<T> &all, int index) {
    return all[static_cast<std::size_t>(index)];
}

// How many of the first were launched; all where that is not known.
int launchedCount(const QStringList &names, const LaunchedNames &launched) {
    const auto count = std::count_if(names.begin(), names.end(),
                                     [&](const QString &name) { return !launched.hasNot(name); });
    return static_cast<int>(count > 0 ? count : names.size());
}

// A baseline's kernels stand against those that the text launches: what it does not launch has no partner.
std::vector<KernelPair> pairWithBaseline(const QStringList &left, int leftLaunched, const QStringList &right,
                                         int rightLaunched) {
    std::vector<KernelPair> pairs = pairKernels(left.mid(0, leftLaunched), right.mid(0, rightLaunched), true);
    for (int i = leftLaunched; i < left.size(); ++i)
        pairs.push_back({i, -1});
    for (int i = rightLaunched; i < right.size(); ++i)
        pairs.push_back({-1, i});
    return pairs;
}

void sayMissingCode(StateComparison &comparison, const ComparedState &state) {
    const bool isArm = state.choice.isArm();
    comparison.missing.push_back({isArm ? MissingPart::Act::Baselines : MissingPart::Act::Sass,
                                  QStringLiteral("No SASS of %1").arg(state.side.title),
                                  isArm ? QStringLiteral("wright counters --baselines %1").arg(state.path)
                                        : QStringLiteral("wright compare --sass, or wright counters %1%2")
                                              .arg(state.path, state.iterationWords())});
}

} // namespace

void addResources(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const std::vector<KernelResources> before = resourcesOf(left);
    const std::vector<KernelResources> after = resourcesOf(right);
    if (before.empty() || after.empty()) // of a baseline the counters tell
        return;
    const auto namesOf = [](const std::vector<KernelResources> &kernels) {
        QStringList names;
        for (const KernelResources &kernel : kernels)
            names << shortKernelName(kernel.name);
        return names;
    };
    const QStringList had = namesOf(before);
    const QStringList has = namesOf(after);
    const QString source = QStringLiteral("ptxas");
    const LaunchedNames leftLaunched = launchedBy(left);
    const LaunchedNames rightLaunched = launchedBy(right);
    for (const KernelPair &pair : pairKernels(had, has, false)) {
        if (pair.left < 0 || pair.right < 0) {
            const bool isLeft = pair.right < 0;
            const KernelResources &only = isLeft ? at(before, pair.left) : at(after, pair.right);
            comparison.rows.push_back(lonely(Group::Resources, isLeft ? had[pair.left] : has[pair.right],
                                             QStringLiteral("%1 registers").arg(only.registers), isLeft,
                                             source, isLeft ? leftLaunched : rightLaunched));
            continue;
        }
        const KernelResources &was = at(before, pair.left);
        const KernelResources &is = at(after, pair.right);
        const auto add = [&](ComparisonRow row) {
            row.group = Group::Resources;
            row.kernel = has[pair.right];
            row.source = source;
            row.remark = notLaunched(leftLaunched, rightLaunched, row.kernel);
            if (was.arch != is.arch && row.state != State::Same) {
                row.state = State::NotComparable;
                row.difference.clear();
                row.remark = QStringLiteral("built for %1 and %2").arg(was.arch, is.arch);
            }
            comparison.rows.push_back(row);
        };
        for (const Resource &resource : resources) {
            const bool isKnown = resource.value != &KernelResources::constantBytes ||
                                 (was.constantBytes > 0 && is.constantBytes > 0); // not all ptxas tell it
            if (!isKnown)
                continue;
            ComparisonRow row;
            row.name = QLatin1String(resource.name);
            row.help = QLatin1String(resource.help);
            setCounts(row, was.*resource.value, is.*resource.value, QLatin1String(resource.unit));
            add(row);
        }
        if (const std::optional<ComparisonRow> occupancy = occupancyRow(was, is))
            add(*occupancy);
    }
}

void addCode(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    const std::vector<Code> before = codesOf(left);
    const std::vector<Code> after = codesOf(right);
    if (before.empty())
        sayMissingCode(comparison, left);
    if (after.empty())
        sayMissingCode(comparison, right);
    if (before.empty() || after.empty())
        return;
    const auto namesOf = [](const std::vector<Code> &codes) {
        QStringList names;
        for (const Code &code : codes)
            names << code.name;
        return names;
    };
    const QStringList had = namesOf(before);
    const QStringList has = namesOf(after);
    const QString source = sourceOf(left) == sourceOf(right)
                               ? sourceOf(right)
                               : QStringLiteral("%1, against %2").arg(sourceOf(left), sourceOf(right));
    const LaunchedNames leftLaunched = launchedBy(left);
    const LaunchedNames rightLaunched = launchedBy(right);
    const bool hasArm = left.choice.isArm() || right.choice.isArm();
    const std::vector<KernelPair> pairs = hasArm ? pairWithBaseline(had, launchedCount(had, leftLaunched),
                                                                    has, launchedCount(has, rightLaunched))
                                                 : pairKernels(had, has, false);
    for (const KernelPair &pair : pairs) {
        if (pair.left < 0 || pair.right < 0) {
            const bool isLeft = pair.right < 0;
            const Code &only = isLeft ? at(before, pair.left) : at(after, pair.right);
            comparison.rows.push_back(
                lonely(Group::Code, only.name,
                       countText(only.code.instructionCount(), QStringLiteral("instruction")), isLeft, source,
                       isLeft ? leftLaunched : rightLaunched));
            continue;
        }
        const Code &was = at(before, pair.left);
        const Code &is = at(after, pair.right);
        const QString name = pairName(was.name, is.name);
        addMix(comparison, name, opcodeMixOf(was.code), opcodeMixOf(is.code), source,
               hasArm ? QString() : notLaunched(leftLaunched, rightLaunched, is.name));
        comparison.listings.push_back(listingOf(name, was.code, is.code, source));
    }
}

} // namespace warpwright
