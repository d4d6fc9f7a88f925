// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/applied_text.h"

#include "toolchain/candidate_files.h"
#include "toolchain/json.h"
#include "toolchain/text_file.h"

#include <QFile>

#include <set>

namespace warpwright {

AppliedText::AppliedText(const Workspace &workspace) : m_workspace(workspace), m_store(workspace.state) {}

QString AppliedText::markFile() const {
    return m_workspace.state + QStringLiteral("/applying.json");
}

Result<CandidateTexts> AppliedText::read() const {
    return readCandidateTexts(m_workspace);
}

Result<void> AppliedText::put(const CandidateTexts &texts, int before, int iteration) const {
    const Json mark{{"before", before}, {"iteration", iteration}};
    if (const Result<void> marked = writeFileAtomically(markFile(), dumpJson(mark)); !marked.hasValue())
        return marked;
    const auto written = CandidateFiles(m_workspace.folder, m_workspace.state).put(texts);
    if (!written.hasValue())
        return Result<void>::error(written.message());
    QFile::remove(markFile());
    return Result<void>::ok();
}

Result<IterationStore::Committed> AppliedText::apply(const CandidateTexts &texts, int parent,
                                                     const Author &author, const QString &note,
                                                     int onDisk) const {
    using Answer = Result<IterationStore::Committed>;
    Answer committed = m_store.commit(texts, parent, author, note);
    if (!committed.hasValue())
        return committed;
    if (const Result<void> done = put(texts, onDisk, committed.value().iteration.number); !done.hasValue())
        return Answer::error(done.message());
    return committed;
}

Result<void> AppliedText::goBack(int iteration) const {
    const Result<CandidateTexts> texts = m_store.texts(iteration);
    if (!texts.hasValue())
        return Result<void>::error(texts.message());
    const int before = m_store.current();
    if (const Result<void> set = m_store.setCurrent(iteration); !set.hasValue())
        return set;
    return put(texts.value(), before, iteration);
}

Result<int> AppliedText::finish() const {
    const Result<QByteArray> mark = readTextFile(markFile());
    if (!mark.hasValue())
        return Result<int>::ok(0);
    const Result<Json> json = parseJson(mark.value());
    const bool isWhole = json.hasValue() && json.value().is_object() &&
                         json.value().value("iteration", Json()).is_number_integer() &&
                         json.value().value("before", Json()).is_number_integer();
    const int number = isWhole ? json.value()["iteration"].get<int>() : 0;
    if (number == 0 || number != m_store.current()) {
        QFile::remove(markFile());
        return Result<int>::ok(0);
    }
    const Result<CandidateTexts> now = read();
    const Result<CandidateTexts> after = m_store.texts(number);
    if (!now.hasValue() || !after.hasValue())
        return Result<int>::error(now.hasValue() ? after.message() : now.message());
    const int parent = json.value()["before"].get<int>();
    const Result<CandidateTexts> before = m_store.texts(parent);
    std::set<QString> paths;
    for (const auto &[path, text] : now.value())
        paths.insert(path);
    for (const auto &[path, text] : after.value())
        paths.insert(path);
    const auto in = [](const CandidateTexts &texts, const QString &path) {
        const auto found = texts.find(path);
        return found == texts.end() ? std::optional<QByteArray>() : std::optional(found->second);
    };
    for (const QString &path : paths) {
        const auto there = in(now.value(), path);
        if (there != in(after.value(), path) && (!before.hasValue() || there != in(before.value(), path))) {
            QFile::remove(markFile()); // somebody went on from there
            return Result<int>::ok(0);
        }
    }
    const Result<void> done = put(after.value(), parent, number);
    return done.hasValue() ? Result<int>::ok(number) : Result<int>::error(done.message());
}

} // namespace warpwright
