// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/compared_state.h"
#include "toolchain/workspace/text_comparison.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

/// A comparison as values, for those who make its rows group by group and for all who show them.
namespace warpwright {

/// One thing of both sides, and what lies between. Texts are for people, values unrounded in `unit`.
struct ComparisonRow {
    enum class Group { Verdict, Time, Findings, Resources, Code, Counters };
    enum class State {
        Differs,
        LeftOnly,
        RightOnly,
        NotComparable, ///< both are known, and of different devices or builds, or of a machine that moved: no
                       ///< difference is said
        Noise,   ///< no difference measured: it holds zero, ± its farther end, ranges meet, or it is less
                 ///< than a single measurement can tell
        Missing, ///< not collected on one side or both
        Same
    };

    Group group = Group::Verdict;
    QString kernel;  ///< short name; of a pair of two names "a → b"; empty: of the whole call
    QString section; ///< within counters: "Memory"
    QString name;
    QString left; ///< empty: there is none
    QString right;
    std::optional<double> leftValue;
    std::optional<double> rightValue;
    QString unit;       ///< "µs", "byte", "×"; empty: a count, or no number
    QString difference; ///< "−14.4 ± 0.6 µs", "+24", "+12.3 %", of noise what it is made of; empty: cannot be
                        ///< said
    QString remark; ///< why it cannot, why it is noise, or how it was measured
    QString help;   ///< what the number means
    QString source; ///< "check 2026…", "ptxas", "SASS", "ncu: dram__bytes_read.sum"
    State state = State::Same;

    [[nodiscard]] bool isOneSided() const { return state == State::LeftOnly || state == State::RightOnly; }
    /// What a list of differences shows.
    [[nodiscard]] bool isDifference() const { return state == State::Differs || isOneSided(); }
    /// What stands where a difference is looked for: it, or the state's word. Of noise never a number: read
    /// alone, "+8.3 ± 10.0 ms" looks like one.
    [[nodiscard]] QString differenceWords() const;
    /// The remark, of noise behind the numbers: "≈ +8.3 ± 10.0 ms: the intervals meet".
    [[nodiscard]] QString remarkWords() const;
    /// How far apart: |ln(right / left)|; infinite where one is 0 or missing, 0 without numbers.
    [[nodiscard]] double distance() const;
    /// Exact values, meaning, remark and source, in lines.
    [[nodiscard]] QString toolTip() const;
    bool operator==(const ComparisonRow &) const = default;
};

/// What a side is, for its head.
struct ComparisonHead {
    ComparisonChoice choice;
    QString title;
    QString note;
    QString textHash;
    std::optional<Verdict> verdict; ///< none: not checked, or a baseline
    QString trust;                  ///< "quick tier, FP32, cold, clocks steady"
    QString time;                   ///< "24.0 ± 0.1 µs"
    QString device;                 ///< of the check
    QString evaluation;             ///< its id; empty: none
    QString counters;               ///< id; empty: none

    bool operator==(const ComparisonHead &) const = default;
};

/// The SASS of one kernel on both sides, aligned by opcodes, as rows of a text.
struct ComparedListing {
    QString kernel;
    ComparedFile rows; ///< numbers are places in the listing, from 1
    QString source;    ///< "SASS of the compiler", "SASS in the counters"

    bool operator==(const ComparedListing &) const = default;
};

/// Something that was not collected, and what brings it.
struct MissingPart {
    enum class Act { None, Check, Counters, Baselines, Sass };

    Act act = Act::None;
    QString what;    ///< "No counters of Iteration 2"
    QString command; ///< in a terminal: "wright counters DIR --iteration 2"; empty: nothing brings it

    /// For a terminal: both.
    [[nodiscard]] QString text() const;
    bool operator==(const MissingPart &) const = default;
};

/// Two states of a candidate, or a candidate and a baseline, beside each other: «right» is told against
/// «left».
struct StateComparison {
    ComparisonHead left;
    ComparisonHead right;
    /// Groups in their order; kernels with differences before those without; in each what differs first, by
    /// distance, and what is the same last, behind what was not measured to differ. The verdict's rows keep
    /// their order, and so do times, but for these two.
    std::vector<ComparisonRow> rows;
    QStringList notices; ///< what limits all of it: two devices, a machine that moved; in whole sentences
    std::vector<MissingPart> missing;
    TextComparison text;                   ///< without files where a side is a baseline
    std::vector<ComparedListing> listings; ///< of kernels that both have

    [[nodiscard]] int count(ComparisonRow::State state) const;
    [[nodiscard]] int differences() const;
    bool operator==(const StateComparison &) const = default;
};

/// Handed from the pool to the window without a copy. Null: nothing is compared.
using SharedComparison = std::shared_ptr<const StateComparison>;

/// "Verdict", "Time", "SASS"
[[nodiscard]] QString groupName(ComparisonRow::Group group);
/// "differs", "only left", "no difference measured", "not collected", ...
[[nodiscard]] QString stateWord(ComparisonRow::State state);

} // namespace warpwright
