// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace warpwright;

namespace {

CandidateTexts withKernel(const QByteArray &text) {
    return {{"model.py", "class Model: pass\n"}, {"model_new.py", "import x\n"}, {"kernels/a.cu", text}};
}

int commitText(const IterationStore &store, const QByteArray &text, int parent) {
    const auto done = store.commit(withKernel(text), parent, {});
    if (!done.hasValue())
        qWarning("%s", qPrintable(done.message()));
    return done.hasValue() ? done.value().iteration.number : -1;
}

QString storeEvaluation(const QString &state, Verdict verdict, LastStage lastStage = LastStage::Profile) {
    Evaluation evaluation = newEvaluation();
    evaluation.verdict = verdict;
    evaluation.lastStage = lastStage;
    if (verdict != Verdict::Pass)
        evaluation.message.what = "It went so";
    const auto stored = EvaluationStore(state).store(evaluation);
    return stored.hasValue() ? evaluation.id : QString();
}

/// Files that git keeps: of texts, folders and iterations.
QStringList objectsOf(const IterationStore &store) {
    QStringList found;
    for (QDirIterator at(store.folder() + "/objects", QDir::Files, QDirIterator::Subdirectories);
         at.hasNext();)
        found << at.next();
    found.sort();
    return found;
}

QStringList brokenOnes(const QString &state) {
    return QDir(state).entryList({"history.git.broken-*"}, QDir::AllEntries | QDir::Hidden);
}

} // namespace

class TestIterationStore : public QObject {
    Q_OBJECT

private slots:
    // Of a text that was written ahead only the iteration itself is left to write.
    void whatIsWrittenAheadIsNoIterationYet() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        QVERIFY(!store.writeAhead(withKernel("one\n"))); // there is no history yet, and none is made
        QVERIFY(!QFileInfo::exists(store.folder()));
        QCOMPARE(commitText(store, "one\n", 0), 1);
        const QStringList before = objectsOf(store);
        QVERIFY(store.writeAhead(withKernel("two\n")));
        const QStringList ahead = objectsOf(store);
        QVERIFY(ahead.size() > before.size());
        QCOMPARE(store.list().value().size(), 1U);
        QCOMPARE(store.head(), 1);
        QCOMPARE(store.current(), 1);
        QCOMPARE(commitText(store, "two\n", 1), 2);
        QCOMPARE(objectsOf(store).size(), ahead.size() + 1);
        QCOMPARE(store.texts(2).value(), withKernel("two\n"));
        QVERIFY(store.writeAhead(withKernel("two\n"))); // again, and of a text that is one
        QCOMPARE(objectsOf(store).size(), ahead.size() + 1);
    }

    void writingAheadAndCommittingMayMeet() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        QCOMPARE(commitText(store, "one\n", 0), 1);
        for (int i = 2; i < 12; ++i) {
            const QByteArray text = QByteArray(20000, 'x') + QByteArray::number(i) + "\n";
            std::thread ahead([&store, &text] { store.writeAhead(withKernel(text)); });
            const int number = commitText(store, text, i - 1);
            ahead.join();
            QCOMPARE(number, i);
            QCOMPARE(store.texts(i).value(), withKernel(text));
        }
    }

    void keepsATreeOfTexts() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        QCOMPARE(store.list().value().size(), 0U);
        QCOMPARE(store.head(), 0);
        QCOMPARE(store.current(), 0);
        QVERIFY(!QFileInfo::exists(store.folder()));

        QCOMPARE(commitText(store, "one\n", store.current()), 1);
        QCOMPARE(commitText(store, "two\n", store.current()), 2);
        QVERIFY(store.setCurrent(1).hasValue());
        QCOMPARE(store.current(), 1);
        const auto third = store.commit(withKernel("three\n"), store.current(),
                                        {AuthorKind::Model, "A model <x>\nof many words"}, "wide\nloads");
        QVERIFY2(third.hasValue(), qPrintable(third.message()));
        QCOMPARE(store.current(), 3);
        QCOMPARE(store.head(), 3);

        const auto records = store.list().value();
        QCOMPARE(records.size(), 3U);
        QCOMPARE(records[0].iteration.note, QStringLiteral("initial version"));
        QCOMPARE(records[0].iteration.parent, 0);
        QCOMPARE(records[0].iteration.author, (Author{AuthorKind::You, "you"}));
        QCOMPARE(records[1].iteration.note, QStringLiteral("1 line in kernels/a.cu"));
        QCOMPARE(records[1].iteration.parent, 1);
        QCOMPARE(records[2].iteration, third.value().iteration);
        QCOMPARE(records[2].iteration.parent, 1);
        QCOMPARE(records[2].iteration.note, QStringLiteral("wide loads"));
        QCOMPARE(records[2].iteration.author, (Author{AuthorKind::Model, "A model x of many words"}));
        QCOMPARE(records[2].iteration.textHash, textHashOf(withKernel("three\n")));
        QVERIFY(qAbs(records[2].iteration.time.secsTo(QDateTime::currentDateTimeUtc())) < 60);
        QVERIFY(!records[2].latest && records[2].evaluations.isEmpty() && records[2].problem.isEmpty());
    }

    void givesEveryByteBack() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        const CandidateTexts texts{{"model_new.py", "a\r\nb"},
                                   {"kernels/größe.cu", QByteArray("\0\xff\n", 3)},
                                   {"kernels/deep/er.cuh", ""},
                                   {".warpwright/task.json", "{}"}};
        const auto done = store.commit(texts, 0, {});
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        QCOMPARE(store.texts(1).value(), texts);
        QVERIFY(store.texts(2).message().contains("There is no iteration 2 in the history \""));
        QVERIFY(store.setCurrent(7).message().contains("There is no iteration 7"));
    }

    void takesUnchangedTextForItsParent() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        QCOMPARE(commitText(store, "one\n", 0), 1);
        QCOMPARE(commitText(store, "two\n", 1), 2);
        const auto again = store.commit(withKernel("two\n"), 2, {AuthorKind::Replay, "r"}, "a note");
        QVERIFY(again.hasValue() && !again.value().isNew);
        QCOMPARE(again.value().iteration.number, 2);
        QCOMPARE(again.value().iteration.note, QStringLiteral("1 line in kernels/a.cu"));
        QCOMPARE(store.head(), 2);
        // From another place in the tree it is its own step.
        QCOMPARE(commitText(store, "one\n", 2), 3);
    }

    void keepsAFirstTextOnceThoughAProgramDiedAfterIt() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        QCOMPARE(commitText(store, "one\n", store.current()), 1);
        // The branch was made, and HEAD still is what a new repository has.
        scratch.write("state/history.git/HEAD", "ref: refs/heads/master\n");
        QCOMPARE(store.current(), 0);
        QCOMPARE(commitText(store, "one\n", store.current()), 1);
        QCOMPARE(store.current(), 1);
        // Another text goes on from it.
        scratch.write("state/history.git/HEAD", "ref: refs/heads/master\n");
        QCOMPARE(commitText(store, "two\n", store.current()), 2);
        QCOMPARE(store.list().value()[1].iteration.parent, 1);
    }

    void whatTellsLessTakesNothingAway_data() {
        QTest::addColumn<int>("lastStage");
        QTest::addColumn<int>("verdict");
        QTest::addColumn<bool>("isHidden");
        const auto row = [](const char *name, LastStage stage, Verdict verdict, bool isHidden) {
            QTest::newRow(name) << static_cast<int>(stage) << static_cast<int>(verdict) << isHidden;
        };
        row("only compiled", LastStage::Compile, Verdict::NotRun, true);
        row("only verified", LastStage::Verify, Verdict::Pass, true);
        row("only verified, and wrong", LastStage::Verify, Verdict::Wrong, false);
        row("only compiled, and it does not", LastStage::Compile, Verdict::BuildFailed, false);
        row("nothing could run", LastStage::Profile, Verdict::Environment, true);
        row("measured again", LastStage::Profile, Verdict::Inconclusive, false);
    }

    void whatTellsLessTakesNothingAway() {
        QFETCH(int, lastStage);
        QFETCH(int, verdict);
        QFETCH(bool, isHidden);
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        commitText(store, "one\n", 0);
        const QString whole = storeEvaluation(state, Verdict::Pass);
        QTest::qWait(2); // ids sort by time
        const QString later =
            storeEvaluation(state, static_cast<Verdict>(verdict), static_cast<LastStage>(lastStage));
        for (const QString &id : {whole, later})
            QVERIFY2(store.link(1, id).hasValue(), qPrintable(store.link(1, id).message()));
        const IterationRecord record = store.list().value()[0];
        QCOMPARE(record.latest->id, isHidden ? whole : later);
        QCOMPARE(record.evaluations, isHidden ? (QStringList{later, whole}) : (QStringList{whole, later}));
        QCOMPARE(store.evaluationOf(textHashOf(withKernel("one\n"))), isHidden ? whole : later);
    }

    void linksEvaluations() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        commitText(store, "one\n", 0);
        commitText(store, "two\n", 1);
        const QString wrong = storeEvaluation(state, Verdict::Wrong);
        const QString build = storeEvaluation(state, Verdict::BuildFailed);
        QVERIFY2(store.link(1, wrong).hasValue(), qPrintable(store.link(1, wrong).message()));
        QVERIFY(store.link(1, build).hasValue());
        auto records = store.list().value();
        QCOMPARE(records[0].evaluations, (QStringList{wrong, build}));
        QVERIFY(records[0].latest.has_value());
        QCOMPARE(records[0].latest->id, build);
        QCOMPARE(records[0].latest->verdict, Verdict::BuildFailed);
        QVERIFY(!records[1].latest);
        QVERIFY(store.link(3, wrong).message().contains("There is no iteration 3"));
        QVERIFY(store.link(1, "20260101T000000.000Z-000000").message().startsWith("Cannot read \""));
        // Linked again, an evaluation is the newest again.
        QVERIFY(store.link(1, wrong).hasValue());
        records = store.list().value();
        QCOMPARE(records[0].evaluations, (QStringList{build, wrong}));
    }

    void readsLinksPastACutLine() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        commitText(store, "one\n", 0);
        const QString id = storeEvaluation(state, Verdict::Wrong);
        QVERIFY(store.link(1, id).hasValue());
        QFile file(store.folder() + "/warpwright-links.jsonl");
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"iteration\": 1, \"evalu");
        file.close();
        QVERIFY(store.link(1, storeEvaluation(state, Verdict::RunFailed)).hasValue());
        QCOMPARE(store.list().value()[0].evaluations.size(), 2);
        QCOMPARE(store.list().value()[0].latest->verdict, Verdict::RunFailed);
    }

    void readsTheIterationsThatAreAskedFor() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        QVERIFY(store.records({1}).value().empty());
        commitText(store, "one\n", 0);
        commitText(store, "two\n", 1);
        commitText(store, "three\n", 2);
        for (const int number : {1, 2, 3, 1})
            QVERIFY(store.link(number, storeEvaluation(state, Verdict::Wrong)).hasValue());
        QVERIFY(store.mark(3, IterationMark::TakenBack).hasValue());
        const auto all = store.list().value();
        QCOMPARE(all[0].evaluations.size(), 2);
        QCOMPARE(all[2].mark, IterationMark::TakenBack);
        const auto two = store.records({3, 1, 9, 3}).value();
        QCOMPARE(two.size(), 2U);
        QVERIFY(two[0] == all[0] && two[1] == all[2]);
        QVERIFY(store.records({}).value().empty());
    }

    // A text that comes back later is the same text: what was checked of one holds for the other.
    void findsTheEvaluationsOfAText() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        const QString hash = textHashOf(withKernel("one\n"));
        QVERIFY(store.evaluationsOf(hash).isEmpty());
        commitText(store, "one\n", 0);
        QCOMPARE(store.commit(withKernel("two\n"), 1, {}, "instead of " + hash).value().iteration.number, 2);
        QCOMPARE(commitText(store, "one\n", 2), 3);
        QStringList linked;
        for (const int number : {1, 2, 3}) {
            linked << storeEvaluation(state, Verdict::Wrong);
            QVERIFY(store.link(number, linked.back()).hasValue());
        }
        QCOMPARE(store.evaluationsOf(hash), (QStringList{linked[0], linked[2]}));
        QCOMPARE(store.evaluationsOf(textHashOf(withKernel("two\n"))), QStringList{linked[1]});
        QVERIFY(store.evaluationsOf(textHashOf(withKernel("four\n"))).isEmpty());
        QVERIFY(store.evaluationsOf({}).isEmpty());
    }

    void findsTheCommonAncestor_data() {
        QTest::addColumn<int>("one");
        QTest::addColumn<int>("other");
        QTest::addColumn<int>("ancestor");
        QTest::newRow("itself") << 4 << 4 << 4;
        QTest::newRow("a line") << 2 << 4 << 2;
        QTest::newRow("two branches") << 4 << 5 << 1;
        QTest::newRow("two roots") << 5 << 6 << 0;
        QTest::newRow("one that is not there") << 5 << 9 << 0;
    }
    void findsTheCommonAncestor() {
        QFETCH(const int, one);
        QFETCH(const int, other);
        QFETCH(const int, ancestor);
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        int number = 0;
        for (const int parent : {0, 1, 2, 3, 1, 0}) { // 1 - 2 - 3 - 4, 1 - 5, 6
            ++number;
            QCOMPARE(commitText(store, QByteArray::number(number), parent), number);
        }
        QCOMPARE(store.commonAncestor(one, other), ancestor);
        QCOMPARE(store.commonAncestor(other, one), ancestor);
    }

    // Two of very many cost what two cost: no summary of another iteration is read.
    void isQuickBesideManyLinks() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        commitText(store, "one\n", 0);
        commitText(store, "two\n", 1);
        for (const int number : {1, 2})
            QVERIFY(store.link(number, storeEvaluation(state, Verdict::Wrong)).hasValue());
        const QString file = store.folder() + "/warpwright-links.jsonl";
        const QByteArray links = textOf(file);
        const QByteArray other = links.mid(links.lastIndexOf("\n{"));
        QVERIFY(other.contains("\"iteration\":2"));
        QFile many(file);
        QVERIFY(many.open(QIODevice::Append));
        for (int i = 0; i < 4000; ++i)
            QVERIFY(many.write(other) == other.size());
        many.close();
        QElapsedTimer clock;
        clock.start();
        const auto all = store.list().value();
        const qint64 whole = clock.nsecsElapsed();
        clock.restart();
        const auto one = store.records({1}).value();
        const QStringList ids = store.evaluationsOf(textHashOf(withKernel("one\n")));
        const qint64 part = clock.nsecsElapsed();
        QVERIFY(one.size() == 1 && one[0] == all[0]);
        QCOMPARE(ids, all[0].evaluations);
        QVERIFY2(part < whole / 2, qPrintable(QStringLiteral("%1 of %2 ns").arg(part).arg(whole)));
    }

    void comparesTwo() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        commitText(store, "a\nb\n", 0);
        commitText(store, "a\nc\n", 1);
        const auto compared = store.compare(1, 2);
        QVERIFY(compared.hasValue());
        QCOMPARE(compared.value().differing().size(), 1U);
        QCOMPARE(compared.value().differing()[0].path, QStringLiteral("kernels/a.cu"));
        QVERIFY(store.compare(0, 1).value().files[0].kind == ComparedFile::Kind::Added);
        QVERIFY(!store.compare(1, 9).hasValue());
    }

    void setsABrokenHistoryAside_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no HEAD") << "HEAD" << QByteArray();
        QTest::newRow("a branch list that is none") << "packed-refs" << QByteArray("nonsense\n\n");
    }

    void setsABrokenHistoryAside() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        commitText(store, "one\n", 0);
        commitText(store, "two\n", 1);
        QFile::remove(store.folder() + '/' + file);
        if (!text.isEmpty())
            scratch.write("state/history.git/" + file, text);

        const auto list = store.list();
        QVERIFY(!list.hasValue());
        QVERIFY2(list.message().startsWith(
                     QStringLiteral("Cannot read the history \"%1\": ").arg(store.folder())) &&
                     list.message().contains("moves it aside, removes nothing"),
                 qPrintable(list.message()));
        QCOMPARE(brokenOnes(scratch.path("state")).size(), 0); // reading changes nothing

        const auto done = store.commit(withKernel("three\n"), 2, {});
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        QCOMPARE(done.value().iteration.number, 1);
        QCOMPARE(done.value().iteration.parent, 0);
        const QStringList aside = brokenOnes(scratch.path("state"));
        QCOMPARE(aside.size(), 1);
        QVERIFY2(done.value().notice.contains(aside[0]), qPrintable(done.value().notice));
        QVERIFY(QFileInfo(scratch.path("state/") + aside[0] + "/objects").isDir());
        QCOMPARE(store.list().value().size(), 1U);
    }

    void goesOnWithAnObjectLost() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        commitText(store, "one\n", 0);
        commitText(store, "two\n", 1);
        const QByteArray id = textOf(store.folder() + "/refs/heads/iteration-2").trimmed();
        const QString object = store.folder() + "/objects/" + id.left(2) + '/' + id.mid(2);
        QVERIFY(QFile::remove(object));
        const auto records = store.list().value();
        QCOMPARE(records.size(), 2U);
        QVERIFY(records[0].problem.isEmpty());
        QVERIFY2(records[1].problem.startsWith("Cannot read iteration 2 in the history"),
                 qPrintable(records[1].problem));
        QVERIFY(!store.texts(2).hasValue());
        const auto done = store.commit(withKernel("three\n"), 2, {});
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        QCOMPARE(done.value().iteration.number, 3);
        QCOMPARE(done.value().iteration.parent, 2);
        QVERIFY(!done.value().notice.isEmpty());
        QCOMPARE(store.current(), 3);
        QCOMPARE(store.list().value().size(), 3U);
    }

    void outlivesTheLocksOfAKilledProcess() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        commitText(store, "one\n", 0);
        for (const char *name : {"HEAD.lock", "refs/heads/iteration-2.lock"})
            scratch.write(QStringLiteral("state/history.git/") + name, "");
        QCOMPARE(commitText(store, "two\n", 1), 2); // waits until they are too old to be anybody's
        QCOMPARE(store.current(), 2);
    }

    void givesANumberOnce() {
        const Scratch scratch;
        const IterationStore store(scratch.path("state"));
        std::vector<int> numbers(24, 0);
        std::vector<std::thread> threads;
        for (std::size_t thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                for (std::size_t at = thread * 6; at < thread * 6 + 6; ++at)
                    numbers[at] = commitText(store, QByteArray::number(static_cast<int>(at)), 0);
            });
        for (std::thread &thread : threads)
            thread.join();
        std::sort(numbers.begin(), numbers.end());
        for (int at = 0; at < 24; ++at)
            QCOMPARE(numbers[static_cast<std::size_t>(at)], at + 1);
        QCOMPARE(store.list().value().size(), 24U);
    }

    void saysWhyNothingCanBeKept() {
        const Scratch scratch;
        scratch.write("state", "a file");
        const IterationStore store(scratch.path("state"));
        const auto done = store.commit(withKernel("one\n"), 0, {});
        QVERIFY(!done.hasValue());
        QVERIFY2(done.message().startsWith("Cannot ") && done.message().contains(scratch.path("state")),
                 qPrintable(done.message()));
    }

    void readsTheTextOfAWorkspace() {
        const Scratch scratch;
        scratch.writeModel("w");
        for (const char *name : {"model_new.py", "binding.cpp", "binding_registry.h", "kernels/a.cu",
                                 "kernels/a.cpp", "kernels/deep/b.cuh", ".warpwright/task.json"})
            scratch.write(QStringLiteral("w/") + name,
                          QByteArray(name) == ".warpwright/task.json" ? "{}" : "text\n");
        for (const char *name : {"kernels/a.o", "kernels/__pycache__/x.pyc", "notes.txt",
                                 "kernels/.hidden.cu", "utils/compile.py", "kernels/a.cu~"})
            scratch.write(QStringLiteral("w/") + name, "no\n");
        const auto workspace = Workspace::open(scratch.path("w"), scratch.folders());
        QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
        const auto texts = readCandidateTexts(workspace.value());
        QVERIFY2(texts.hasValue(), qPrintable(texts.message()));
        QStringList paths;
        for (const auto &[path, text] : texts.value())
            paths << path;
        QCOMPARE(paths,
                 (QStringList{".warpwright/task.json", "binding.cpp", "binding_registry.h", "kernels/a.cpp",
                              "kernels/a.cu", "kernels/deep/b.cuh", "model.py", "model_new.py"}));
        const QString hash = textHashOf(texts.value());
        QCOMPARE(hash.size(), 64);
        scratch.write("w/kernels/a.cu", "texts\n");
        QVERIFY(textHashOf(readCandidateTexts(workspace.value()).value()) != hash);
        QVERIFY(isCandidatePath("kernels/a.cu") && isCandidatePath("model_new.py") &&
                !isCandidatePath("model.py"));
        // Moved away while a window has it open: not an empty text.
        QVERIFY(QDir().rename(scratch.path("w"), scratch.path("moved")));
        QVERIFY2(readCandidateTexts(workspace.value())
                     .message()
                     .contains("\" is not there any more. If it was moved"),
                 qPrintable(readCandidateTexts(workspace.value()).message()));
    }
};

QObject *makeTestIterationStore() {
    return new TestIterationStore;
}

#include "tst_iteration_store.moc"
