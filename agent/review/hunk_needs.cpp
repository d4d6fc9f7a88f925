// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_needs.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace warpwright {
namespace {

constexpr qsizetype shortestName = 4; ///< of one letter or two each function has its own

bool isNamePart(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (letter >= '0' && letter <= '9');
}

bool isCode(const QString &path) {
    for (const char *suffix : {".cu", ".cpp", ".cuh", ".h", ".hpp"})
        if (path.endsWith(QLatin1String(suffix)))
            return true;
    return false;
}

/// Comments are spaces. A hunk may begin within one: then its words are taken for names, of which none is
/// declared.
QByteArray withoutComments(QByteArray text) {
    for (qsizetype at = 0; at + 1 < text.size(); ++at) {
        if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*'))
            continue;
        const bool isLine = text[at + 1] == '/';
        const qsizetype found = text.indexOf(isLine ? "\n" : "*/", at + 2);
        const qsizetype end = found < 0 ? text.size() : found + (isLine ? 0 : 2);
        for (; at < end; ++at)
            if (text[at] != '\n')
                text[at] = ' ';
        --at;
    }
    return text;
}

/// What only this header declares, as it is written: "std::vector"; "_mm*" is all that begins so. Headers
/// that others bring along anyway are not among them.
const QHash<QByteArray, QList<QByteArray>> &declaredIn() {
    static const QHash<QByteArray, QList<QByteArray>> names{
        {"vector", {"std::vector"}},
        {"array", {"std::array"}},
        {"algorithm",
         {"std::max", "std::min", "std::clamp", "std::fill", "std::fill_n", "std::copy", "std::copy_n",
          "std::sort", "std::transform", "std::max_element", "std::min_element"}},
        {"numeric", {"std::accumulate", "std::iota", "std::reduce", "std::inner_product"}},
        {"limits", {"std::numeric_limits"}},
        {"memory", {"std::unique_ptr", "std::shared_ptr", "std::make_unique", "std::make_shared"}},
        {"optional", {"std::optional", "std::nullopt"}},
        {"tuple", {"std::tuple", "std::make_tuple", "std::tie"}},
        {"string", {"std::string", "std::to_string"}},
        {"atomic", {"std::atomic"}},
        {"thread", {"std::thread"}},
        {"mutex", {"std::mutex", "std::lock_guard"}},
        {"functional", {"std::function"}},
        {"chrono", {"std::chrono"}},
        {"cstring", {"std::memcpy", "std::memset", "memcpy", "memset"}},
        {"immintrin.h", {"_mm*", "__m128*", "__m256*", "__m512*"}},
        {"omp.h", {"omp_*"}},
        {"cuda_fp16.h", {"__half*", "half2", "__float2half*", "__hadd*", "__hmul*", "__hfma*"}},
        {"cuda_bf16.h", {"__nv_bfloat16*", "__float2bfloat16*", "__bfloat16*"}},
        {"mma.h", {"nvcuda::wmma", "wmma::*"}},
        {"cooperative_groups.h", {"cooperative_groups"}},
        {"cublas_v2.h", {"cublas*"}},
        {"cuda_pipeline.h", {"__pipeline*"}},
        {"cub/cub.cuh", {"cub::*"}},
    };
    return names;
}

bool uses(const QByteArray &code, const QByteArray &name) {
    const bool isBeginning = name.endsWith('*');
    const QByteArray word = isBeginning ? name.chopped(1) : name;
    for (qsizetype at = code.indexOf(word); at >= 0; at = code.indexOf(word, at + 1)) {
        const qsizetype end = at + word.size();
        const bool isBegun = at > 0 && (isNamePart(code[at - 1]) || code[at - 1] == ':');
        if (!isBegun && (isBeginning || end == code.size() || !isNamePart(code[end])))
            return true;
    }
    return false;
}

/// "vector" of «#include <vector>».
QList<QByteArray> includesIn(const QByteArray &code) {
    QList<QByteArray> headers;
    for (const QByteArray &line : code.split('\n')) {
        QByteArray rest = line.trimmed();
        if (!rest.startsWith('#') || !(rest = rest.mid(1).trimmed()).startsWith("include"))
            continue;
        const qsizetype from = rest.indexOf('<'), to = rest.indexOf('>');
        if (from > 0 && to > from)
            headers << rest.mid(from + 1, to - from - 1);
    }
    return headers;
}

/// «float *const name =», «std::vector<float> name(count)», «#define name».
bool isDeclared(const QByteArray &code, qsizetype from, qsizetype end) {
    qsizetype before = from;
    while (before > 0 && (code[before - 1] == '*' || code[before - 1] == '&'))
        --before; // at the name
    while (before > 0 && code[before - 1] == ' ')
        --before;
    const qsizetype last = before;
    while (before > 0 && isNamePart(code[before - 1]))
        --before;
    const QByteArray word = code.mid(before, last - before);
    if (word == "define")
        return true;
    const bool isType = word.isEmpty() ? last > 0 && (code[last - 1] == '>' || code[last - 1] == '*')
                                       : !(word[0] >= '0' && word[0] <= '9');
    static const QSet<QByteArray> others{"return", "else",  "new",    "delete", "case",
                                         "goto",   "throw", "sizeof", "and",    "or"};
    if (!isType || last == from || others.contains(word))
        return false;
    qsizetype behind = end;
    while (behind < code.size() && code[behind] == ' ')
        ++behind;
    if (behind >= code.size() || !QByteArray("=;([{,)").contains(code[behind]))
        return false;
    if (code[behind] == '=' && behind + 1 < code.size() && code[behind + 1] == '=')
        return false;
    // «a > name» and «a * name» compare and multiply.
    return !word.isEmpty() || last < 2 || code[last - 2] != ' ';
}

/// Of the languages and of the compilers: nobody declares them in a hunk.
bool isWord(const QByteArray &name) {
    static const QSet<QByteArray> words{"constexpr",     "alignas", "decltype", "noexcept",
                                        "static_assert", "while",   "switch",   "catch",
                                        "return",        "sizeof",  "template", "operator"};
    return words.contains(name) || name.startsWith("__");
}

/// What «#pragma» and its like say are no names either.
QByteArray withoutDirectives(const QByteArray &code) {
    QList<QByteArray> lines = code.split('\n');
    for (QByteArray &line : lines)
        if (const QByteArray bare = line.simplified();
            bare.startsWith('#') && !bare.mid(1).trimmed().startsWith("define"))
            line.clear();
    return lines.join('\n');
}

/// The names of a text; true: it declares it. What is another's member is not among them.
QHash<QByteArray, bool> namesIn(const QByteArray &text) {
    const QByteArray code = withoutDirectives(text);
    QHash<QByteArray, bool> names;
    for (qsizetype at = 0; at < code.size();) {
        if (!isNamePart(code[at])) {
            ++at;
            continue;
        }
        const qsizetype from = at;
        while (at < code.size() && isNamePart(code[at]))
            ++at;
        const QByteArray name = code.mid(from, at - from);
        const char before = from > 0 ? code[from - 1] : ' ';
        const bool isMember =
            before == '.' || before == ':' || (before == '>' && from > 1 && code[from - 2] == '-');
        if (name.size() < shortestName || (name[0] >= '0' && name[0] <= '9') || isMember || isWord(name))
            continue;
        bool &declares = names[name];
        declares = declares || isDeclared(code, from, at);
    }
    return names;
}

QByteArray codeOf(const CandidateTexts &texts, const QString &path) {
    const auto text = texts.find(path);
    return text == texts.end() ? QByteArray() : withoutComments(text->second);
}

using Pairs = std::vector<std::pair<int, int>>;

/// `other`: the file without any of these lines.
void pairIncludes(const std::vector<std::pair<int, QByteArray>> &hunks, const QByteArray &other,
                  Pairs &pairs) {
    const QList<QByteArray> there = includesIn(other);
    for (const auto &[including, code] : hunks)
        for (const QByteArray &header : includesIn(code)) {
            if (there.contains(header))
                continue;
            for (const QByteArray &name : declaredIn().value(header))
                for (const auto &[user, lines] : hunks)
                    if (user != including && uses(lines, name) && !uses(other, name))
                        pairs.emplace_back(including, user);
        }
}

void pairNames(const std::vector<std::pair<int, QByteArray>> &hunks, const QByteArray &other, Pairs &pairs) {
    const QHash<QByteArray, bool> there = namesIn(other);
    struct Known {
        std::vector<int> declaring, others;
    };
    QHash<QByteArray, Known> known;
    for (const auto &[hunk, code] : hunks) {
        const QHash<QByteArray, bool> names = namesIn(code);
        for (auto name = names.cbegin(); name != names.cend(); ++name)
            if (!there.contains(name.key()))
                (name.value() ? known[name.key()].declaring : known[name.key()].others).push_back(hunk);
    }
    for (const Known &name : std::as_const(known))
        if (name.declaring.size() == 1) // of two each function may have its own
            for (const int user : name.others)
                pairs.emplace_back(name.declaring.front(), user);
}

} // namespace

std::vector<std::pair<int, int>> hunkNeeds(const ProposalReview &review) {
    Pairs pairs;
    const Proposal &proposal = review.proposal();
    for (const ReviewedFile &file : review.files()) {
        if (file.change != ReviewedFile::Change::Modified || !isCode(file.from) ||
            file.lines.hunks().size() < 2)
            continue;
        for (const bool isNew : {true, false}) {
            std::vector<std::pair<int, QByteArray>> hunks;
            for (const Hunk &hunk : file.lines.hunks())
                hunks.emplace_back(hunk.id, withoutComments(joined(isNew ? hunk.newLines : hunk.oldLines)));
            // Of a renamed file the proposal has another path: what goes is not told then.
            if (!isNew && proposal.proposed.find(file.from) == proposal.proposed.end())
                continue;
            const QByteArray other = codeOf(isNew ? proposal.base : proposal.proposed, file.from);
            pairIncludes(hunks, other, pairs);
            pairNames(hunks, other, pairs);
        }
    }
    return pairs;
}

} // namespace warpwright
