// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/applied_text.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"
#include "toolchain/text/text_merge.h"
#include "toolchain/workspace/candidate_files.h"

#include <QFile>
#include <QFileInfo>

#include <set>

namespace warpwright {
namespace {

std::optional<QByteArray> textIn(const CandidateTexts &texts, const QString &path) {
    const auto found = texts.find(path);
    return found == texts.end() ? std::optional<QByteArray>() : std::optional(found->second);
}

std::set<QString> pathsOf(std::initializer_list<const CandidateTexts *> all) {
    std::set<QString> paths;
    for (const CandidateTexts *texts : all)
        for (const auto &[path, text] : *texts)
            paths.insert(path);
    return paths;
}

/// Of a mark; 0: it is cut off, or says something else.
int numberIn(const Result<Json> &mark, const char *key) {
    if (!mark.hasValue() || !mark.value().is_object())
        return 0;
    const auto found = mark.value().find(key);
    return found != mark.value().end() && found->is_number_integer() ? found->get<int>() : 0;
}

struct WithoutPending {
    CandidateTexts texts;
    bool standsOnPending =
        false; ///< somebody typed in, or right beside, lines that are to go: that file stays
};

/// `now` without what made `pending` of `kept`, file by file.
WithoutPending withoutPending(const CandidateTexts &kept, const CandidateTexts &pending,
                              const CandidateTexts &now) {
    WithoutPending without;
    for (const QString &path : pathsOf({&kept, &pending, &now})) {
        const auto before = textIn(kept, path), tried = textIn(pending, path), there = textIn(now, path);
        std::optional<QByteArray> text = there == tried ? before : there;
        if (there != tried && before != tried) {
            const auto isWords = [](const QByteArray &bytes) {
                return QString::fromUtf8(bytes).toUtf8() == bytes;
            };
            const bool canMerge =
                before && tried && there && isWords(*before) && isWords(*tried) && isWords(*there);
            const MergedText merged =
                canMerge
                    ? mergeTexts(QString::fromUtf8(*tried), QString::fromUtf8(*there),
                                 QString::fromUtf8(*before), QStringLiteral("typed"), QStringLiteral("kept"))
                    : MergedText{{}, false};
            if (merged.isClean)
                text = merged.text.toUtf8();
            // A file that the step had made and that somebody has taken away is gone either way.
            without.standsOnPending = without.standsOnPending || (!merged.isClean && (before || there));
        }
        if (text)
            without.texts[path] = *text;
    }
    return without;
}

} // namespace

AppliedText::AppliedText(const Workspace &workspace) : m_workspace(workspace), m_store(workspace.state) {}

QString AppliedText::markFile() const {
    return m_workspace.state + QStringLiteral("/applying.json");
}

QString AppliedText::pendingFile() const {
    return m_workspace.state + QStringLiteral("/pending.json");
}

Result<CandidateTexts> AppliedText::read() const {
    return readCandidateTexts(m_workspace);
}

Result<void> AppliedText::put(const CandidateTexts &texts, int before, int iteration) const {
    const Json mark{{"before", before}, {"iteration", iteration}};
    if (const Result<void> marked = writeFileAtomically(markFile(), dumpJson(mark)); !marked.hasValue())
        return marked;
    const CandidateFiles files(m_workspace.folder, m_workspace.state);
    const auto written = files.put(texts);
    if (!written.hasValue()) {
        // Half of it may be written: the text before lies there again, where that can be.
        if (const Result<CandidateTexts> whole = m_store.texts(before);
            whole.hasValue() && files.put(whole.value()).hasValue() && m_store.setCurrent(before).hasValue())
            QFile::remove(markFile());
        return Result<void>::error(written.message());
    }
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

Result<int> AppliedText::finishWriting() const {
    const Result<QByteArray> mark = readTextFile(markFile());
    if (!mark.hasValue())
        return Result<int>::ok(0);
    const Result<Json> json = parseJson(mark.value());
    const int number = numberIn(json, "iteration");
    if (number == 0 || number != m_store.current()) {
        QFile::remove(markFile());
        return Result<int>::ok(0);
    }
    const Result<CandidateTexts> now = read();
    const Result<CandidateTexts> after = m_store.texts(number);
    if (!now.hasValue() || !after.hasValue())
        return Result<int>::error(now.hasValue() ? after.message() : now.message());
    const int parent = numberIn(json, "before");
    const Result<CandidateTexts> before = m_store.texts(parent);
    for (const QString &path : pathsOf({&now.value(), &after.value()})) {
        const auto there = textIn(now.value(), path);
        if (there != textIn(after.value(), path) &&
            (!before.hasValue() || there != textIn(before.value(), path))) {
            QFile::remove(markFile()); // somebody went on from there
            return Result<int>::ok(0);
        }
    }
    const Result<void> done = put(after.value(), parent, number);
    return done.hasValue() ? Result<int>::ok(number) : Result<int>::error(done.message());
}

bool AppliedText::hasUnfinished() const {
    return QFileInfo::exists(markFile()) || QFileInfo::exists(pendingFile());
}

Result<void> AppliedText::markPending(int kept, int iteration) const {
    return writeFileAtomically(pendingFile(), dumpJson(Json{{"kept", kept}, {"iteration", iteration}}));
}

// Named before it is in the history: a death between the two leaves a text on the disk that was kept.
Result<IterationStore::Committed> AppliedText::applyPending(const CandidateTexts &texts, int parent,
                                                            const Author &author, const QString &note,
                                                            int onDisk) const {
    using Answer = Result<IterationStore::Committed>;
    if (const Result<void> marked = markPending(parent, 0); !marked.hasValue())
        return Answer::error(marked.message());
    Answer committed = m_store.commit(texts, parent, author, note);
    if (!committed.hasValue())
        return committed;
    const int number = committed.value().iteration.number;
    if (const Result<void> marked = markPending(parent, number); !marked.hasValue())
        return Answer::error(marked.message());
    if (const Result<void> done = put(texts, onDisk, number); !done.hasValue())
        return Answer::error(done.message());
    return committed;
}

void AppliedText::keepPending() const {
    QFile::remove(pendingFile());
}

Result<AppliedText::TakenBack> AppliedText::takeBack() const {
    using Answer = Result<TakenBack>;
    const Result<QByteArray> mark = readTextFile(pendingFile());
    if (!mark.hasValue())
        return Answer::ok({});
    const Result<Json> json = parseJson(mark.value());
    const int kept = numberIn(json, "kept");
    const int pending = numberIn(json, "iteration");
    const int current = m_store.current();
    TakenBack done;
    if (kept == 0 || (pending != 0 && current != pending && current != kept)) {
        keepPending(); // the history has gone on from it
        return Answer::ok(done);
    }
    const Result<CandidateTexts> now = read();
    const Result<CandidateTexts> before = m_store.texts(kept);
    const Result<CandidateTexts> tried = pending == 0 ? before : m_store.texts(pending);
    for (const Result<CandidateTexts> *texts : {&now, &before, &tried})
        if (!texts->hasValue())
            return Answer::error(texts->message());
    const auto [texts, standsOnPending] = withoutPending(before.value(), tried.value(), now.value());
    const bool isTakenBack = texts != now.value(); // some of it at least
    done.pending = pending != 0 ? pending : current;
    if (texts == before.value()) {
        if (const Result<void> back = goBack(kept); !back.hasValue())
            return Answer::error(back.message());
    } else {
        done.isOfPerson = true;
        done.standsOnPending = standsOnPending;
        const auto theirs = m_store.commit(texts, isTakenBack || pending == 0 ? kept : pending, Author{});
        if (!theirs.hasValue())
            return Answer::error(theirs.message());
        done.now = theirs.value().iteration;
        if (isTakenBack)
            if (const Result<void> written = put(texts, pending, done.now.number); !written.hasValue())
                return Answer::error(written.message());
    }
    if (pending != 0 && isTakenBack)
        if (const Result<void> marked = m_store.mark(pending, IterationMark::TakenBack); !marked.hasValue())
            return Answer::error(marked.message());
    keepPending();
    if (!done.isOfPerson) {
        done.now.number = kept;
        done.now.textHash = textHashOf(before.value());
    }
    return Answer::ok(std::move(done));
}

Result<int> AppliedText::finish() const {
    Result<int> written = finishWriting();
    if (!written.hasValue())
        return written;
    const Result<TakenBack> back = takeBack();
    if (!back.hasValue())
        return Result<int>::error(back.message());
    return back.value().pending != 0 ? Result<int>::ok(back.value().now.number) : written;
}

Result<QString> finishInterrupted(const Workspace &workspace, const WorkspaceLock &lock) {
    using Answer = Result<QString>;
    const AppliedText applied(workspace);
    if (!lock.mayWrite() || !applied.hasUnfinished())
        return Answer::ok({});
    const Result<int> finished = applied.finish();
    if (!finished.hasValue())
        return Answer::error(finished.message());
    return Answer::ok(finished.value() == 0
                          ? QString()
                          : QStringLiteral("A run's program ended while it wrote into \"%1\". That was "
                                           "finished: the text there is iteration %2.")
                                .arg(workspace.folder)
                                .arg(finished.value()));
}

} // namespace warpwright
