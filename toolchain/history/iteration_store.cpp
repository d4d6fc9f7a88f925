// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration_store.h"

#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_links.h"
#include "toolchain/history/iteration_repository.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

using State = IterationRepository::State;

QString noSuchIteration(const QString &folder, int number) {
    return QStringLiteral("There is no iteration %1 in the history \"%2\".").arg(number).arg(folder);
}

QString cannotRead(const QString &folder, const IterationRepository &repository, State state) {
    const QString advice =
        state == State::Unreadable
            ? QStringLiteral("Change the rights of the folder.")
            : QStringLiteral("The next check moves it aside, removes nothing, and begins a new one.");
    return QStringLiteral("Cannot read the history \"%1\": %2. %3").arg(folder, repository.why(), advice);
}

bool contains(const std::vector<int> &numbers, int number) {
    return std::binary_search(numbers.begin(), numbers.end(), number);
}

} // namespace

IterationStore::IterationStore(const QString &stateFolder)
    : m_state(stateFolder), m_folder(stateFolder + QStringLiteral("/history.git")) {}

QString IterationStore::linksFile() const {
    return m_folder + QStringLiteral("/warpwright-links.jsonl");
}

Result<QString> IterationStore::moveAside(const QString &why) const {
    const QString aside =
        m_folder + QStringLiteral(".broken-") +
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'"));
    if (!QFile::rename(m_folder, aside))
        return Result<QString>::error(
            QStringLiteral("Cannot keep a history in \"%1\": it is broken (%2), and cannot be renamed to "
                           "\"%3\". Move it away by hand.")
                .arg(m_folder, why, aside));
    return Result<QString>::ok(
        QStringLiteral("The history \"%1\" could not be read: %2. It was renamed to \"%3\", nothing of it is "
                       "lost, and a new history begins.")
            .arg(m_folder, why, aside));
}

Result<IterationStore::Committed> IterationStore::commit(const CandidateTexts &texts, int parent,
                                                         const Author &author, const QString &note) const {
    return keep(texts, parent, author, note, true);
}

Result<IterationStore::Committed> IterationStore::commitBeside(const CandidateTexts &texts, int parent,
                                                               const Author &author,
                                                               const QString &note) const {
    return keep(texts, parent, author, note, false);
}

bool IterationStore::writeAhead(const CandidateTexts &texts) const {
    IterationRepository repository(m_folder);
    return repository.open() == State::Whole && repository.writeAhead(texts).hasValue();
}

Result<IterationStore::Committed> IterationStore::keep(const CandidateTexts &texts, int parent,
                                                       const Author &author, const QString &note,
                                                       bool becomesCurrent) const {
    using Answer = Result<Committed>;
    IterationRepository repository(m_folder);
    Committed done;
    const State state = repository.open();
    if (state == State::Unreadable)
        return Answer::error(cannotRead(m_folder, repository, state));
    if (state == State::Broken) {
        const Result<QString> moved = moveAside(repository.why());
        if (!moved.hasValue())
            return Answer::error(moved.message());
        done.notice = moved.value();
        parent = 0;
    }
    if (state != State::Whole)
        if (const Result<void> made = repository.create(); !made.hasValue())
            return Answer::error(made.message());

    // Nothing is current although there is something: a program died between the first text and the word that
    // it is the current one. It is not kept twice.
    const std::vector<int> numbers = repository.numbers();
    if (parent == 0 && !numbers.empty() && repository.current() == 0)
        parent = numbers.back();

    Iteration iteration;
    iteration.author = author;
    iteration.note = note;
    iteration.textHash = textHashOf(texts);
    CandidateTexts before;
    if (contains(numbers, parent)) {
        iteration.parent = parent;
        Result<CandidateTexts> read = repository.texts(parent);
        // A parent that cannot be read any more costs its note, not this text.
        if (read.hasValue()) {
            before = std::move(read).value();
            if (const Result<Iteration> same = repository.read(parent); before == texts && same.hasValue()) {
                if (becomesCurrent && repository.current() != parent)
                    if (const Result<void> set = repository.setCurrent(parent); !set.hasValue())
                        return Answer::error(set.message());
                return Answer::ok({same.value(), false, done.notice});
            }
        } else {
            done.notice = read.message();
        }
    }
    if (iteration.note.trimmed().isEmpty())
        iteration.note = iteration.parent == 0 ? QStringLiteral("initial version")
                         : before.empty()      ? QStringLiteral("changed text")
                                               : changeNote(compareTexts(before, texts));
    Result<Iteration> written = repository.write(texts, std::move(iteration));
    if (!written.hasValue())
        return Answer::error(written.message());
    done.iteration = std::move(written).value();
    if (becomesCurrent)
        if (const Result<void> set = repository.setCurrent(done.iteration.number); !set.hasValue())
            return Answer::error(set.message());
    return Answer::ok(std::move(done));
}

Result<void> IterationStore::mayLink(int iteration) const {
    IterationRepository repository(m_folder);
    if (const State state = repository.open(); state == State::Unreadable || state == State::Broken)
        return Result<void>::error(cannotRead(m_folder, repository, state));
    else if (state == State::Missing || !contains(repository.numbers(), iteration))
        return Result<void>::error(noSuchIteration(m_folder, iteration));
    return Result<void>::ok();
}

Result<void> IterationStore::mark(int iteration, IterationMark mark) const {
    if (const Result<void> may = mayLink(iteration); !may.hasValue())
        return may;
    return IterationLinks(linksFile()).add({iteration, {}, {}, mark});
}

Result<void> IterationStore::link(int iteration, const QString &evaluationId) const {
    if (const Result<void> may = mayLink(iteration); !may.hasValue())
        return may;
    const Result<Evaluation> evaluation = EvaluationStore(m_state).load(evaluationId);
    if (!evaluation.hasValue())
        return Result<void>::error(evaluation.message());
    EvaluationSummary summary = summaryOf(evaluation.value());
    if (!summary.unexercised && summary.verdict != Verdict::Cancelled)
        if (const std::optional<CheckedParent> parent = checkedParent(iteration))
            holdAgainst(summary, *parent);
    return IterationLinks(linksFile()).add({iteration, evaluationId, summary, {}});
}

std::optional<CheckedParent> IterationStore::checkedParent(int iteration) const {
    IterationRepository repository(m_folder);
    const Result<std::vector<IterationLink>> links = IterationLinks(linksFile()).read();
    if (repository.open() != State::Whole || !links.hasValue())
        return std::nullopt;
    const auto parentOf = [&repository](int number) {
        const Result<Iteration> read = repository.read(number);
        return read.hasValue() ? read.value().parent : 0;
    };
    // A parent has the smaller number; anything else was not written by us and would not end.
    for (int at = iteration, parent = parentOf(at); parent > 0 && parent < at;
         at = parent, parent = parentOf(at)) {
        const EvaluationSummary *latest = nullptr;
        for (const IterationLink &link : links.value())
            if (link.iteration == parent && link.summary && link.summary->verdict != Verdict::Cancelled &&
                (latest == nullptr || !tellsLess(*link.summary, *latest)))
                latest = &*link.summary;
        if (latest != nullptr && !latest->ranHash.isEmpty())
            return CheckedParent{parent, *latest};
    }
    return std::nullopt;
}

Result<std::vector<IterationRecord>> IterationStore::list() const {
    return recordsOf(nullptr);
}

Result<std::vector<IterationRecord>> IterationStore::records(std::vector<int> numbers) const {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return recordsOf(&numbers);
}

// `wanted`: sorted; null for all.
Result<std::vector<IterationRecord>> IterationStore::recordsOf(const std::vector<int> *wanted) const {
    using Answer = Result<std::vector<IterationRecord>>;
    IterationRepository repository(m_folder);
    const State state = repository.open();
    if (state == State::Missing)
        return Answer::ok({});
    if (state != State::Whole)
        return Answer::error(cannotRead(m_folder, repository, state));
    std::vector<IterationRecord> records;
    for (const int number : wanted == nullptr ? repository.numbers() : *wanted) {
        if (wanted != nullptr && !repository.has(number))
            continue;
        IterationRecord record;
        const Result<Iteration> iteration = repository.read(number);
        if (iteration.hasValue()) {
            record.iteration = iteration.value();
        } else {
            record.iteration.number = number;
            record.problem = iteration.message();
        }
        records.push_back(std::move(record));
    }
    const IterationLinks file(linksFile());
    const Result<std::vector<IterationLink>> links = wanted == nullptr ? file.read() : file.readOf(*wanted);
    if (!links.hasValue())
        return Answer::error(links.message());
    for (const IterationLink &link : links.value()) {
        const auto record = std::lower_bound(
            records.begin(), records.end(), link.iteration,
            [](const IterationRecord &some, int number) { return some.iteration.number < number; });
        if (record == records.end() || record->iteration.number != link.iteration)
            continue;
        if (link.evaluation.isEmpty()) {
            record->mark = link.mark;
            continue;
        }
        record->evaluations.removeAll(link.evaluation);
        if (!record->evaluations.isEmpty() && link.summary && record->latest &&
            tellsLess(*link.summary, *record->latest)) {
            record->evaluations.insert(record->evaluations.size() - 1, link.evaluation);
            continue;
        }
        record->evaluations.append(link.evaluation);
        if (link.summary)
            record->latest = link.summary;
    }
    return Answer::ok(std::move(records));
}

QStringList IterationStore::evaluationsOf(const QString &textHash) const {
    IterationRepository repository(m_folder);
    if (repository.open() != State::Whole)
        return {};
    const Result<std::vector<IterationLink>> links =
        IterationLinks(linksFile()).readOf(repository.numbersOf(textHash));
    QStringList ids;
    if (links.hasValue())
        for (const IterationLink &link : links.value())
            if (!link.evaluation.isEmpty())
                ids << link.evaluation;
    return ids;
}

QString IterationStore::evaluationOf(const QString &textHash) const {
    IterationRepository repository(m_folder);
    if (repository.open() != State::Whole)
        return {};
    const Result<std::vector<IterationLink>> links =
        IterationLinks(linksFile()).readOf(repository.numbersOf(textHash));
    if (!links.hasValue())
        return {};
    std::vector<const IterationLink *> some;
    for (const IterationLink &link : links.value())
        if (!link.evaluation.isEmpty())
            some.push_back(&link);
    std::stable_sort(some.begin(), some.end(), [](const IterationLink *one, const IterationLink *other) {
        return one->evaluation < other->evaluation; // they sort by time
    });
    const IterationLink *best = nullptr;
    for (const IterationLink *link : some)
        if (best == nullptr || !link->summary || !best->summary || !tellsLess(*link->summary, *best->summary))
            best = link;
    return best != nullptr ? best->evaluation : QString();
}

int IterationStore::commonAncestor(int one, int other) const {
    IterationRepository repository(m_folder);
    if (repository.open() != State::Whole)
        return 0;
    // A parent has the smaller number: the greater of the two goes up until they meet.
    while (one != other) {
        int &later = one > other ? one : other;
        const Result<Iteration> read = repository.read(later);
        if (!read.hasValue() || read.value().parent >= later || read.value().parent <= 0)
            return 0;
        later = read.value().parent;
    }
    return one;
}

Result<CandidateTexts> IterationStore::texts(int number) const {
    IterationRepository repository(m_folder);
    const State state = repository.open();
    if (state == State::Unreadable || state == State::Broken)
        return Result<CandidateTexts>::error(cannotRead(m_folder, repository, state));
    if (state == State::Missing || !repository.has(number))
        return Result<CandidateTexts>::error(noSuchIteration(m_folder, number));
    return repository.texts(number);
}

Result<TextComparison> IterationStore::compare(int left, int right) const {
    const auto textsOf = [this](int number) {
        return number == 0 ? Result<CandidateTexts>::ok({}) : texts(number);
    };
    const Result<CandidateTexts> before = textsOf(left);
    if (!before.hasValue())
        return Result<TextComparison>::error(before.message());
    const Result<CandidateTexts> after = textsOf(right);
    if (!after.hasValue())
        return Result<TextComparison>::error(after.message());
    return Result<TextComparison>::ok(compareTexts(before.value(), after.value()));
}

int IterationStore::head() const {
    IterationRepository repository(m_folder);
    if (repository.open() != State::Whole)
        return 0;
    const std::vector<int> numbers = repository.numbers();
    return numbers.empty() ? 0 : numbers.back();
}

int IterationStore::current() const {
    IterationRepository repository(m_folder);
    return repository.open() == State::Whole ? repository.current() : 0;
}

Result<void> IterationStore::setCurrent(int number) const {
    IterationRepository repository(m_folder);
    const State state = repository.open();
    if (state == State::Unreadable || state == State::Broken)
        return Result<void>::error(cannotRead(m_folder, repository, state));
    if (state == State::Missing || !contains(repository.numbers(), number))
        return Result<void>::error(noSuchIteration(m_folder, number));
    return repository.setCurrent(number);
}

} // namespace warpwright
