// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <vector>

/// Where in a text its time goes: what the hardware sampled and counted, by the lines that a person wrote.
namespace warpwright {

/// What was counted at an instruction, in a line or in a kernel; of several launches their sum.
struct HeatCounts {
    double samples = 0;               ///< of warps that stood there
    double notIssued = 0;             ///< of these: while no other warp was issued either
    std::map<QString, double> stalls; ///< samples by reason: "long_scoreboard"
    double executed = 0;              ///< by warps
    double threads = 0;               ///< by threads that were not predicated off
    double sectors = 0;               ///< of global memory, 32 bytes each, at L2
    double sectorsIdeal = 0;          ///< that the same data would fill
    double wavefronts = 0;            ///< of shared memory
    double wavefrontsIdeal = 0;
    double localSectors = 0;
    /// Part of the launches' time, in microseconds under the profiler; where a launch has no time, samples.
    /// Shares are of this: the profiler chooses for each launch how often it samples.
    double cost = 0;

    void add(const HeatCounts &other);
    /// Reason with the most samples, with its share of them; empty: none was kept.
    [[nodiscard]] QString topStall() const;
    [[nodiscard]] double stallShare(const QString &reason) const;
    /// Sectors over those that would do, 1 or more; nothing: no global memory.
    [[nodiscard]] std::optional<double> sectorsRatio() const;
    /// Wavefronts of shared memory over those that would do; nothing: none.
    [[nodiscard]] std::optional<double> wavefrontsRatio() const;
    /// Threads at work in a warp, of 32; nothing: it was not executed.
    [[nodiscard]] std::optional<double> activeThreads() const;
    bool operator==(const HeatCounts &) const = default;
};

/// One instruction of a kernel.
struct HeatInstruction {
    qint64 address = 0;  ///< in bytes from the kernel's start
    QString text;        ///< SASS; empty: nobody knows it
    CodePlace place;     ///< the innermost line of the text that it is charged to; line 0: none
    CodePlace innermost; ///< the line it was written in, maybe of a header; line 0: not known
    int awaited = -1;    ///< the instruction that most of its stalls wait for, by its number; -1: not known
    HeatCounts counts;

    bool operator==(const HeatInstruction &) const = default;
};

/// One line of the text.
struct HeatLine {
    QString file; ///< relative to the workspace
    int line = 0; ///< from 1
    QString text; ///< without blanks around it
    HeatCounts counts;
    double share = 0; ///< of the time that was sampled, 0 … 1
    /// Where else than in this line its samples stand: what was inlined into it, most samples first.
    std::vector<std::pair<CodePlace, double>> inlined;
    /// Whose loads, stores and special functions its warps waited for, with samples, most first: a wait is
    /// sampled where a value is used, and not where it was asked for.
    std::vector<std::pair<CodePlace, double>> awaited;

    bool operator==(const HeatLine &) const = default;
};

/// By what an instruction's line was found.
enum class HeatBasis {
    Listing, ///< the compiler's listing of the same code: the whole chain of inlining is known
    Report,  ///< the report alone: the innermost file only, so that lines lose what is inlined from headers
    Nothing, ///< neither knows lines: compiled without -lineinfo
};

/// All launches of one kernel, or the one that was picked.
struct KernelHeat {
    QString name; ///< short
    QString mangled;
    int launches = 0;  ///< that have samples
    int unsampled = 0; ///< launches of it without
    HeatCounts counts;
    double share = 0;   ///< of all kernels' sampled time, 0 … 1
    double charged = 0; ///< share of its own samples that lie in lines of the text
    HeatBasis basis = HeatBasis::Nothing;
    QString whyNotListing;                     ///< in a whole sentence; empty: the listing was used
    std::vector<HeatInstruction> instructions; ///< by address
    std::vector<HeatLine> lines;               ///< hottest first; shares are of this kernel

    bool operator==(const KernelHeat &) const = default;
};

struct Heat {
    QString textHash;  ///< of the text that ran
    int iteration = 0; ///< 0: the text on disk, when it ran
    QString counters;  ///< id of their document
    QDateTime at;
    QString device;
    double samples = 0;
    double charged = 0;              ///< samples that lie in lines of the text
    std::vector<KernelHeat> kernels; ///< the longest first
    std::vector<HeatLine> lines;     ///< of all kernels, hottest first; shares are of all
    CandidateTexts texts;            ///< the files that have lines here, as they ran
    QStringList problems;            ///< what is missing or coarse, in whole sentences

    [[nodiscard]] bool isEmpty() const { return !(samples > 0); }
    /// Of this file; null: nothing was sampled there.
    [[nodiscard]] const HeatLine *lineAt(const QString &file, int line) const;
    /// Of this kernel, as the compiler here or elsewhere names it; null: none.
    [[nodiscard]] const KernelHeat *kernelOf(const QString &mangled) const;
    bool operator==(const Heat &) const = default;
};

using SharedHeat = std::shared_ptr<const Heat>;

/// Which launches to look at.
struct HeatChoice {
    QString kernel;  ///< only kernels whose name holds this; empty: all
    int launch = -1; ///< number in its arm; -1: all
};

/// `counters` have to be of `texts`: lines of another text mean other things. Each instruction is charged to
/// the innermost line of `texts` in its chain of inlining, by `inspection` where its code is the code that
/// ran (null: it is not known). Takes milliseconds for each ten thousand instructions: not for a window's
/// thread.
[[nodiscard]] Heat heatOf(const Counters &counters, const Inspection *inspection, const CandidateTexts &texts,
                          const HeatChoice &choice = {});

/// "line 17", "lines 17 and 18": what most of a line's waits were for, where that is another line than its
/// own. Empty: nothing is known of.
[[nodiscard]] QString awaitedText(const HeatLine &line);

/// "84 %: waits for global or local memory", the reasons in their order; at most so many.
[[nodiscard]] QStringList stallTexts(const HeatCounts &counts, int most);

} // namespace warpwright
