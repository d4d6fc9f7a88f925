// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunks_that_run.h"

#include "agent/review/proposal_review.h"

#include <algorithm>

namespace warpwright {
namespace {

/// «4», «1 to 4», «1, 3 and 5»; of rising numbers.
QString numbersText(const std::vector<int> &numbers) {
    QStringList parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i;
        while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
            ++end;
        if (end > i + 1) {
            parts << QStringLiteral("%1 to %2").arg(numbers[i]).arg(numbers[end]);
        } else {
            for (std::size_t at = i; at <= end; ++at)
                parts << QString::number(numbers[at]);
        }
        i = end + 1;
    }
    if (parts.size() < 2)
        return parts.join(QString());
    const QString last = parts.takeLast();
    return parts.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

struct Part {
    std::vector<int> numbers;
    QStringList files;

    void add(const HunkPlace &hunk) {
        numbers.push_back(hunk.number);
        if (!files.contains(hunk.file))
            files << hunk.file;
    }
    [[nodiscard]] QString subject() const {
        return QStringLiteral("%1 %2 (%3)")
            .arg(numbers.size() == 1 ? QStringLiteral("Hunk") : QStringLiteral("Hunks"), numbersText(numbers),
                 files.join(QStringLiteral(", ")));
    }
};

} // namespace

std::vector<HunkPlace> hunkPlaces(const Proposal &proposal) {
    const ProposalReview fresh(proposal, proposal.base);
    std::vector<HunkPlace> places;
    for (const int id : fresh.hunkIds())
        places.push_back({static_cast<int>(places.size()) + 1, fresh.fileOf(id)});
    return places;
}

std::vector<HunkPlace> hunkPlaces(const Json &proposalBody) {
    std::vector<HunkPlace> places;
    const auto hunks = proposalBody.find("hunks");
    if (hunks == proposalBody.end() || !hunks->is_array())
        return places;
    for (const Json &hunk : *hunks)
        places.push_back({static_cast<int>(places.size()) + 1, stringIn(hunk, "file")});
    return places;
}

QString hunksThatRunWords(const std::vector<HunkPlace> &hunks, const ExercisedFiles &notRun) {
    // Of a new kernel nothing is known yet; where one kernel is left to its twin, all are.
    const bool isTwinRun = std::any_of(notRun.begin(), notRun.end(),
                                       [](const ExercisedFile &file) { return file.as == SourceKind::Cuda; });
    Part run;
    Part left;
    for (const HunkPlace &hunk : hunks) {
        const bool isLeft = (isTwinRun && hunk.file.endsWith(QLatin1String(".cu"))) ||
                            std::any_of(notRun.begin(), notRun.end(), [&hunk](const ExercisedFile &file) {
                                return file.file == hunk.file;
                            });
        (isLeft ? left : run).add(hunk);
    }
    if (left.numbers.empty())
        return {};
    const bool isOne = left.numbers.size() == 1;
    const QString words =
        left.subject() + (isOne ? QStringLiteral(" is not run there: no number tells of it.")
                                : QStringLiteral(" are not run there: no number tells of them."));
    if (run.numbers.empty())
        return QStringLiteral("Nothing of this runs on this device. ") + words;
    return run.subject() +
           (run.numbers.size() == 1 ? QStringLiteral(" runs on this device. ")
                                    : QStringLiteral(" run on this device. ")) +
           words;
}

} // namespace warpwright
