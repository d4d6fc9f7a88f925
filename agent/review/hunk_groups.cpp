// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_groups.h"

#include "agent/review/hunk_needs.h"

#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype shortestName = 4; ///< of one letter or two every text has some

bool isNamePart(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (letter >= '0' && letter <= '9');
}

/// Words of the languages and their libraries, which any two texts may have in common.
bool isWord(const QByteArray &name) {
    static const QSet<QByteArray> words{"while",
                                        "switch",
                                        "sizeof",
                                        "return",
                                        "catch",
                                        "float",
                                        "double",
                                        "static_assert",
                                        "alignas",
                                        "range",
                                        "super",
                                        "print",
                                        "tuple",
                                        "isinstance",
                                        "torch",
                                        "tensor",
                                        "__launch_bounds__",
                                        "defined",
                                        "template",
                                        "decltype",
                                        "noexcept",
                                        "fmaxf",
                                        "fminf",
                                        "expf",
                                        "sqrtf",
                                        "rsqrtf",
                                        "memcpy",
                                        "printf"};
    return words.contains(name);
}

/// What stands in the brackets from `open` on is followed by a body.
bool hasBody(const QByteArray &text, qsizetype open) {
    constexpr qsizetype longest = 4000; // of brackets that nobody has closed
    int depth = 0;
    qsizetype at = open;
    for (; at < std::min(text.size(), open + longest); ++at) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0)
            break;
    }
    const QByteArray behind = text.mid(at + 1, 40).simplified();
    return behind.startsWith('{') || behind.startsWith("const {") || behind.startsWith("noexcept {");
}

bool isBehindDef(const QByteArray &text, qsizetype from) {
    const QByteArray before = text.mid(std::max<qsizetype>(0, from - 6), std::min<qsizetype>(6, from));
    return before.endsWith("def ") || before.endsWith("class ");
}

/// How a name stands in a text: what is only called there is another's, an intrinsic or a library's function.
enum class Use { Named, Defined, Called };

/// Calls `take` with each name and its use. Called is what "(" or "<<<" follows.
template <typename Take>
void eachName(const QByteArray &text, const Take &take) {
    for (qsizetype at = 0; at < text.size();) {
        if (!isNamePart(text[at])) {
            ++at;
            continue;
        }
        const qsizetype from = at;
        while (at < text.size() && isNamePart(text[at]))
            ++at;
        if (at - from < shortestName || (text[from] >= '0' && text[from] <= '9') ||
            isWord(text.mid(from, at - from)))
            continue;
        qsizetype behind = at;
        while (behind < text.size() && text[behind] == ' ')
            ++behind;
        const bool isBracket = behind < text.size() && text[behind] == '(';
        const bool isLaunch = behind < text.size() && text.mid(behind, 3) == "<<<";
        take(text.mid(from, at - from), !isBracket && !isLaunch ? Use::Named
                                        : isBracket && (isBehindDef(text, from) || hasBody(text, behind))
                                            ? Use::Defined
                                            : Use::Called);
    }
}

QSet<QByteArray> namesIn(const CandidateTexts &texts) {
    QSet<QByteArray> names;
    for (const auto &[path, text] : texts)
        eachName(text, [&names](const QByteArray &name, Use) { names.insert(name); });
    return names;
}

/// One side of a hunk: the names that are on no text of the other side.
struct Side {
    int hunk = 0;
    bool isWhole = false;     ///< its file comes or goes as a whole
    QSet<QByteArray> brought; ///< those that are not only called
    QSet<QByteArray> called;
};

std::vector<Side> sidesOf(const ProposalReview &review, bool isNew) {
    const Proposal &proposal = review.proposal();
    const QSet<QByteArray> others = namesIn(isNew ? proposal.base : proposal.proposed);
    const auto whole = isNew ? ReviewedFile::Change::Added : ReviewedFile::Change::Deleted;
    std::vector<Side> sides;
    for (const ReviewedFile &file : review.files())
        for (const Hunk &hunk : file.lines.hunks()) {
            Side side{hunk.id, file.change == whole, {}, {}};
            eachName(joined(isNew ? hunk.newLines : hunk.oldLines), [&](const QByteArray &name, Use use) {
                if (!others.contains(name))
                    (use == Use::Called ? side.called : side.brought).insert(name);
            });
            sides.push_back(std::move(side));
        }
    return sides;
}

} // namespace

std::map<int, int> hunkGroups(const ProposalReview &review) {
    std::map<int, int> leader; // of each hunk
    const auto leaderOf = [&leader](int hunk) {
        while (leader.at(hunk) != hunk)
            hunk = leader.at(hunk);
        return hunk;
    };
    const auto join = [&leader, &leaderOf](int hunk, int with) {
        const int one = leaderOf(hunk);
        const int other = leaderOf(with);
        leader[std::max(one, other)] = std::min(one, other);
    };
    for (const int id : review.hunkIds())
        leader[id] = id;
    for (const auto &[hunk, needed] : hunkNeeds(review))
        join(hunk, needed);
    for (const bool isNew : {true, false}) {
        const std::vector<Side> sides = sidesOf(review, isNew);
        for (const Side &brings : sides)
            for (const Side &calls : sides)
                if (brings.isWhole && calls.hunk != brings.hunk && calls.called.intersects(brings.brought))
                    join(brings.hunk, calls.hunk);
    }
    std::map<int, std::vector<int>> members;
    for (const int id : review.hunkIds())
        members[leaderOf(id)].push_back(id);
    std::map<int, int> groups;
    int number = 0;
    for (const auto &[first, ids] : members) {
        if (ids.size() < 2)
            continue;
        ++number;
        for (const int id : ids)
            groups[id] = number;
    }
    return groups;
}

std::vector<int> hunksWith(const std::map<int, int> &groups, int hunk) {
    std::vector<int> others;
    const auto own = groups.find(hunk);
    for (const auto &[id, group] : groups)
        if (own != groups.end() && group == own->second && id != hunk)
            others.push_back(id);
    return others;
}

QStringList uncalledNames(const ProposalReview &review) {
    // Where the names that a call lost are in no text that was not new itself, nothing calls them.
    CandidateTexts elsewhere = review.texts();
    QSet<QByteArray> brought;
    for (const ReviewedFile &file : review.files()) {
        if (file.change != ReviewedFile::Change::Added || file.lines.hunks().empty())
            continue;
        const HunkState state = file.lines.hunks().front().state;
        if (state == HunkState::Accepted || state == HunkState::Edited)
            eachName(joined(file.lines.text()), [&brought](const QByteArray &name, Use use) {
                if (use != Use::Called)
                    brought.insert(name);
            });
        elsewhere.erase(file.path());
    }
    const QSet<QByteArray> known = namesIn(elsewhere);
    QStringList names;
    for (const Side &side : sidesOf(review, true)) {
        if (side.isWhole || review.hunk(side.hunk)->state != HunkState::Rejected)
            continue;
        for (const QByteArray &name : side.called)
            if (brought.contains(name) && !known.contains(name) && !names.contains(QString::fromLatin1(name)))
                names << QString::fromLatin1(name);
    }
    names.sort();
    return names;
}

QString uncalledWords(const QStringList &names) {
    if (names.isEmpty())
        return {};
    return (names.size() == 1 ? QStringLiteral("rejected in part: the new kernel is not called (%1)")
                              : QStringLiteral("rejected in part: the new kernels are not called (%1)"))
        .arg(names.join(QStringLiteral(", ")));
}

QString uncalledSentence(const QStringList &names) {
    QString words = uncalledWords(names);
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words.isEmpty() ? words : words + QLatin1Char('.');
}

} // namespace warpwright
