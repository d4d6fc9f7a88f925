// SPDX-License-Identifier: GPL-3.0-or-later
// `wright log` and `wright show`: a history of three iterations, two of them from the same one, and the run
// that made them.
#include "app/cli/history/iteration_tree.h"
#include "tests/agent/recorded_run.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/report/diff_text.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

namespace {

Evaluation recordedEvaluation(const QString &name) {
    QFile file(sourceFolder("/tests/data/evaluations/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no evaluation %s", qPrintable(name));
    Evaluation evaluation = evaluationFromJson(file.readAll()).value();
    evaluation.id = newEvaluation().id;
    return evaluation;
}

void keep(const QString &state, const QByteArray &words, int parent,
          const std::optional<Evaluation> &evaluation) {
    const IterationStore store(state);
    const auto kept =
        store.commit(textSaying(words), parent, {AuthorKind::Playbook, "series"}, "say " + words);
    if (!kept.hasValue())
        qFatal("%s", qPrintable(kept.message()));
    if (evaluation && (!EvaluationStore(state).store(*evaluation).hasValue() ||
                       !store.link(kept.value().iteration.number, evaluation->id).hasValue()))
        qFatal("cannot keep an evaluation");
}

/// A check of that time, in µs, without a baseline.
Evaluation timedAlone(double median, double low, double high) {
    Evaluation evaluation = recordedEvaluation("h200-arg-reduction");
    evaluation.profile["speedup"].erase("eager");
    OrderedJson &arm = evaluation.profile["arms"]["candidate"];
    arm["medianMicroseconds"] = median;
    arm["lowMicroseconds"] = low;
    arm["highMicroseconds"] = high;
    return evaluation;
}

std::vector<IterationRecord> recordsWithParents(const std::vector<int> &parents) {
    std::vector<IterationRecord> records;
    for (const int parent : parents) {
        IterationRecord record;
        record.iteration.number = static_cast<int>(records.size()) + 1;
        record.iteration.parent = parent;
        records.push_back(record);
    }
    return records;
}

QStringList drawn(const std::vector<IterationRecord> &records, int current) {
    QStringList rows;
    for (const TreeRow &row : treeRows(records, current))
        rows << row.branch + QString::number(records[static_cast<std::size_t>(row.index)].iteration.number);
    return rows;
}

} // namespace

class TestLog : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;

private slots:
    void initTestCase() {
        m_workspace = m_world.workspace("base", "log");
        const QString state = m_workspace + "/.warpwright";
        keep(state, "1", 0, recordedEvaluation("h200-arg-reduction"));
        keep(state, "2", 1, recordedEvaluation("cpu-wrong"));
        keep(state, "3", 1, recordedEvaluation("h200-arg-reduction"));
        keep(state, "4", 3, {});
        RecordedRun run(state);
        run.begin(textSaying("0"));
        run.accept(textSaying("1"), 1.1, "say 1");
        run.accept(textSaying("2"), 1.2, "say 2");
        run.append("bet", {{"proposal", "p2"}, {"by", "person"}, {"prediction", {{"timeRatio", 0.9}}}});
        run.restore(1, textSaying("1"));
        run.accept(textSaying("3"), 1.3, "say 3");
        run.append("policy",
                   {{"proposal", "p3"}, {"answer", "accept"}, {"why", "faster beyond the interval"}});
        run.append("run-stopped", {{"why", "enough"}});
    }

    void drawsTheTree_data() {
        QTest::addColumn<std::vector<int>>("parents");
        QTest::addColumn<int>("current");
        QTest::addColumn<QStringList>("rows");
        const auto row = [](const char *name, std::vector<int> parents, int current,
                            const QStringList &rows) {
            QTest::newRow(name) << std::move(parents) << current << rows;
        };
        row("nothing", {}, 0, {});
        row("a line", {0, 1, 2}, 3, {"1", "2", "3"});
        row("two roots", {0, 0}, 2, {"1", "2"});
        row("a branch", {0, 1, 1, 2}, 3, {"1", "├─ 2", "│  4", "3"});
        row("the other one is current", {0, 1, 1, 2}, 4, {"1", "├─ 3", "2", "4"});
        row("a branch of a branch", {0, 1, 1, 2, 2, 3}, 6, {"1", "├─ 2", "│  ├─ 4", "│  5", "3", "6"});
        row("a parent that is not there", {0, 9}, 2, {"1", "2"});
        row("its own parent", {1, 2}, 2, {"1", "2"});
    }
    void drawsTheTree() {
        QFETCH(const std::vector<int>, parents);
        QFETCH(const int, current);
        QFETCH(const QStringList, rows);
        QCOMPARE(drawn(recordsWithParents(parents), current), rows);
    }

    void drawsALongTree() {
        std::vector<int> parents;
        for (int i = 0; i < 100000; ++i)
            parents.push_back(i % 3 == 2 ? i - 1 : i); // no recursion
        QCOMPARE(treeRows(recordsWithParents(parents), 0).size(), parents.size());
    }

    void writesADiff() {
        const CandidateTexts left = {{"a.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"}, {"b.cu", "x\n"}};
        const CandidateTexts right = {{"a.cu", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n"}, {"c.cu", "y\r\n"}};
        QCOMPARE(diffText(compareTexts(left, right), Terminal()),
                 QString("a.cu (+2 -1)\n  @@ -2 +2 @@\n   2\n   3\n   4\n  -5\n  +five\n   6\n   7\n   8\n   "
                         "9\n  +10\n"
                         "b.cu, deleted (+0 -1)\n  @@ -1 +0 @@\n  -x\n"
                         "c.cu, new (+1 -0)\n  @@ -0 +1 @@\n  +y\n"));
        QVERIFY(diffText(compareTexts(left, left), Terminal()).isEmpty());
    }

    void logsTheTreeAndTheRuns() {
        const CliOutcome outcome = m_world.run({"log", m_workspace});
        QVERIFY2(outcome.exitCode == 0 && outcome.errors.isEmpty(), outcome.words());
        for (const char *words : {"4 iterations", "playbook (series)", "├─ 2", "wrong", "best", "say 3",
                                  "not checked", "series", "stopped: enough", "review"})
            QVERIFY2(outcome.output.contains(words), outcome.words());
        // Times of two devices stand in one column.
        for (const char *words : {"device", "NVIDIA H200", "AMD EPYC"})
            QVERIFY2(outcome.output.contains(words), outcome.words());
        // What lies on the disk is no iteration's text.
        QVERIFY2(outcome.output.contains("edited since") && !outcome.output.contains("current"),
                 outcome.words());
        QVERIFY(outcome.output.indexOf("├─ 2") < outcome.output.indexOf("say 3"));
        // The best goes by another number than the column beside it: that number, and why.
        const EvaluationSummary best = summaryOf(recordedEvaluation("h200-arg-reduction"));
        const QString pace = factorText(best.eager->value, best.eager->low, best.eager->high).value;
        for (const QString &words : {QStringLiteral("best, %1 over eager").arg(pace),
                                     QStringLiteral("best: the highest speed-up over eager")})
            QVERIFY2(outcome.output.contains(words), outcome.words());
    }

    void logsAsADocument() {
        const CliOutcome outcome = m_world.run({"log", m_workspace, "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const OrderedJson &document = outcome.document;
        QCOMPARE(stringIn(document, "schema"), QString("warpwright.log/1"));
        QCOMPARE(document["iterations"].size(), 4U);
        QCOMPARE(document["iterations"][2]["parent"].get<int>(), 1);
        QCOMPARE(stringIn(document["iterations"][1]["evaluation"], "verdict"), QString("wrong"));
        QVERIFY(document["iterations"][3]["evaluation"].is_null());
        QCOMPARE(document["current"].get<int>(), 4);
        QCOMPARE(document["isTextEdited"].get<bool>(), true);
        QCOMPARE(stringIn(document["iterations"][1]["evaluation"], "device"), QString("AMD EPYC"));
        QCOMPARE(document["runs"][0]["proposals"].get<int>(), 3);
        QCOMPARE(stringIn(document["runs"][0], "ending"), QString("stopped: enough"));
    }

    void saysWhoseTextIsOnTheDisk() {
        const QString folder = m_world.workspace("base", "log-text");
        const auto opened = Workspace::open(folder, DataFolders::find());
        QVERIFY(opened.hasValue());
        const IterationStore store(opened.value().state);
        const auto kept = store.commit(readCandidateTexts(opened.value()).value(), 0, Author{}, "as it is");
        QVERIFY2(kept.hasValue(), qPrintable(kept.message()));
        const Evaluation one = recordedEvaluation("h200-arg-reduction");
        QVERIFY(EvaluationStore(opened.value().state).store(one).hasValue());
        QVERIFY(store.link(1, one.id).hasValue());
        const CliOutcome same = m_world.run({"log", folder});
        QVERIFY2(same.exitCode == 0 && same.output.contains("current"), same.words());
        QVERIFY2(!same.output.contains("edited since"), same.words());
        QVERIFY2(same.output.contains("checked on NVIDIA H200"), same.words());
        m_world.write(folder + "/kernels/gate.cpp", "// another text\n");
        const CliOutcome edited = m_world.run({"log", folder});
        QVERIFY2(edited.output.contains("edited since: the text on disk was made from iteration 1"),
                 edited.words());
        QVERIFY2(!edited.output.contains("current"), edited.words());
    }

    void logsAWorkspaceWithoutHistory() {
        const QString empty = m_world.workspace("base", "log-empty");
        const CliOutcome outcome = m_world.run({"log", empty});
        QVERIFY2(outcome.exitCode == 0 && outcome.output.contains("No iterations yet. Run wright check."),
                 outcome.words());
        QVERIFY(!QFile::exists(empty + "/.warpwright"));
        const CliOutcome none = m_world.run({"log", m_world.path("none"), "--json"});
        QVERIFY2(none.exitCode == 2 && none.verdict() == "usage", none.words());
    }

    void showsAnIteration() {
        const CliOutcome outcome = m_world.run({"show", m_workspace, "3"});
        QVERIFY2(outcome.exitCode == 0 && outcome.errors.isEmpty(), outcome.words());
        // Figures have a no-break space before their percent sign.
        const QString said = QString(outcome.output).replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        for (const char *words :
             {"iteration 3   say 3", "from iteration 1", "kernels/a.cu (+1 -1)", "  -1\n", "  +3\n",
              "Who decided what", "p3: say 3 (1 hunk, expects 50.0 % of the time)",
              "because **less** is read", "p3 by person: accept",
              "p3 by policy: accept: faster beyond the interval", "expected: 50.0 % of the time, «half»",
              "measured: 100.0 % (", "of the time of iteration 1; no difference measured", "pass, reward"})
            QVERIFY2(said.contains(words), qPrintable(QString(words) + '\n' + said));
        QVERIFY(!outcome.output.contains("say 2"));
        const CliOutcome wrong = m_world.run({"show", m_workspace, "2"});
        QVERIFY2(wrong.output.contains("person bets on p2: 90.0 % of the time") &&
                     wrong.output.contains("wrong"),
                 wrong.words());
        QVERIFY2(!wrong.output.contains("measured:"), wrong.words());
        const CliOutcome byHand = m_world.run({"show", m_workspace, "4"});
        QVERIFY2(byHand.output.contains("not checked") && !byHand.output.contains("Who decided"),
                 byHand.words());
    }

    void showsWhichFilesChanged() {
        const CliOutcome stat = m_world.run({"show", m_workspace, "3", "--stat"});
        QVERIFY2(stat.exitCode == 0 && stat.output.contains("kernels/a.cu (+1 -1)\n"), stat.words());
        QVERIFY2(!stat.output.contains("@@"), stat.words());
        const CliOutcome one = m_world.run({"show", m_workspace, "3", "--file", "a.cu"});
        QVERIFY2(one.exitCode == 0 && one.output.contains("  -1\n"), one.words());
        const CliOutcome none = m_world.run({"show", m_workspace, "3", "--file", "b.cu"});
        QVERIFY2(none.output.contains("No file that changed holds \"b.cu\" in its path:\nkernels/a.cu"),
                 none.words());
    }

    void showsAsADocument() {
        const CliOutcome outcome = m_world.run({"show", m_workspace, "3", "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const OrderedJson &document = outcome.document;
        QCOMPARE(stringIn(document, "schema"), QString("warpwright.show/1"));
        QCOMPARE(document["iteration"]["number"].get<int>(), 3);
        const auto change = changeFromJson(Json(document["change"]));
        QVERIFY(change.hasValue() && applyChange(change.value(), textSaying("1")).value() == textSaying("3"));
        QCOMPARE(document["prediction"]["timeRatio"].get<double>(), 0.5);
        QCOMPARE(document["measured"]["isNoise"].get<bool>(), true);
        QStringList kinds;
        for (const OrderedJson &event : document["events"])
            kinds << stringIn(event, "kind");
        QVERIFY2(kinds.contains("proposal") && kinds.contains("policy") && !kinds.contains("run-began"),
                 qPrintable(kinds.join(' ')));
    }

    void comparesAnyTwo() {
        const CliOutcome outcome = m_world.run({"compare", m_workspace, "1", "3"});
        QVERIFY2(outcome.exitCode == 0 && outcome.errors.isEmpty(), outcome.words());
        const QString said = QString(outcome.output).replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        const QString sentences = said.simplified(); // they go on in the next line
        for (const char *words :
             {"iteration 1   say 1", "iteration 3   say 3", "both from iteration 1", "Verdict",
              "Speed-up over eager", "Resources: nothing differs", "the intervals meet",
              "iteration 3 takes 100.0 % (",
              "of the time of iteration 1, by the speed-ups over eager; no difference measured",
              "kernels/a.cu (+1 -1)"})
            QVERIFY2(said.contains(words) || sentences.contains(words),
                     qPrintable(QString(words) + '\n' + said));
        const CliOutcome branches = m_world.run({"compare", m_workspace, "2", "4", "--json"});
        QVERIFY2(branches.exitCode == 0, branches.words());
        QCOMPARE(stringIn(branches.document, "schema"), QString("warpwright.compare/1"));
        QCOMPARE(branches.document["ancestor"].get<int>(), 1);
        QVERIFY(branches.document["measured"].is_null());
        QCOMPARE(stringIn(branches.document["left"]["evaluation"], "verdict"), QString("wrong"));
        QVERIFY(branches.document["right"]["evaluation"].is_null());
        QCOMPARE(branches.document["metrics"].size(), 5U);
        const auto change = changeFromJson(Json(branches.document["change"]));
        QVERIFY(change.hasValue() && applyChange(change.value(), textSaying("2")).value() == textSaying("4"));
        const CliOutcome same = m_world.run({"compare", m_workspace, "2", "2"});
        QVERIFY2(same.output.contains("The texts are the same."), same.words());
        const CliOutcome missing = m_world.run({"compare", m_workspace, "1", "99"});
        QVERIFY2(missing.exitCode == 2 && missing.errors.contains("There is no iteration 99"),
                 missing.words());
    }

    // The intervals do not meet, and 10 ± 21 µs is no difference: so in both commands, in words and JSON.
    void showAndCompareSayTheSameOfAPair() {
        const QString folder = m_world.workspace("base", "log-pair");
        keep(folder + "/.warpwright", "1", 0, timedAlone(100, 99, 101));
        keep(folder + "/.warpwright", "2", 1, timedAlone(110, 102, 130));
        const QString words = "no difference measured: their difference, ± its farther end, holds 0";
        for (const QStringList &line :
             {QStringList{"show", folder, "2"}, QStringList{"compare", folder, "1", "2"}}) {
            const CliOutcome said = m_world.run(line);
            QVERIFY2(said.exitCode == 0 && said.output.simplified().contains(words), said.words());
            const CliOutcome document = m_world.run(line + QStringList("--json"));
            QVERIFY2(document.exitCode == 0, document.words());
            const OrderedJson &measured = document.document["measured"];
            QVERIFY2(measured["isNoise"].get<bool>() && measured["low"].get<double>() > 1, document.words());
            QCOMPARE(stringIn(measured, "remark"), words);
        }
    }

    // A recording comes without a history; what its run made is reached as in the window.
    void readsTheIterationsOfARecord() {
        const QString recorded = m_world.path("recorded");
        copyFolder(sourceFolder("/resources/recordings/gemm"), recorded);
        const CliOutcome log = m_world.run({"log", recorded});
        QVERIFY2(log.exitCode == 0 && log.output.contains("7 iterations") &&
                     log.output.contains("best, 0.84") && log.output.contains("Wide loads"),
                 log.words());
        const CliOutcome document = m_world.run({"log", recorded + "/trajectory.jsonl", "--json"});
        QVERIFY2(document.exitCode == 0 && document.document["iterations"].size() == 7 &&
                     document.document["best"].get<int>() == 7,
                 document.words());
        const CliOutcome show = m_world.run({"show", recorded, "7"});
        QVERIFY2(show.exitCode == 0 && show.errors.isEmpty() && show.output.contains("from iteration 6") &&
                     show.output.contains("kernels/gemm_bias_gelu.cu") &&
                     show.output.contains("Who decided what") &&
                     show.output.simplified().contains("expected: 70.0 %") && show.output.contains("verify"),
                 show.words());
        const CliOutcome compare = m_world.run({"compare", recorded + "/trajectory.jsonl", "6", "7"});
        QVERIFY2(compare.exitCode == 0 && compare.output.contains("both from iteration 6") &&
                     compare.output.simplified().contains("iteration 7 takes 63.8 %") &&
                     compare.output.contains("kernels/gemm_bias_gelu.cu"),
                 compare.words());
        const CliOutcome missing = m_world.run({"show", recorded, "9"});
        QVERIFY2(missing.exitCode == 2 && missing.errors.contains("There is no iteration 9"),
                 missing.words());
        QCOMPARE(m_world.run({"compare", recorded, "6", "7", "--sass"}).exitCode, 2);
    }

    // Each check of it timed eager, too.
    void comparesAnIterationOfARecordWithItsBaseline() {
        const QString recorded = m_world.path("of-baseline");
        copyFolder(sourceFolder("/resources/recordings/gemm"), recorded);
        const CliOutcome said = m_world.run({"compare", recorded, "eager", "7"});
        QVERIFY2(said.exitCode == 0 && said.output.contains("timed beside iteration 7") &&
                     said.output.contains("Call") && !said.output.contains("not checked"),
                 said.words());
        const CliOutcome other = m_world.run({"compare", recorded, "7", "eager"});
        QVERIFY2(other.exitCode == 0 && other.output.contains("timed beside iteration 7"), other.words());
        for (const QStringList &sides : {QStringList{"eager", "compile"}, QStringList{"now", "7"}}) {
            const CliOutcome refused = m_world.run(QStringList{"compare", recorded} + sides);
            QVERIFY2(refused.exitCode == 2 &&
                         refused.errors.simplified().contains("name one iteration at least"),
                     refused.words());
        }
    }

    // One that ships without its evaluations: what was kept of them is no «not checked».
    void tellsWhatASummaryKept() {
        const QString recorded = m_world.path("summaries");
        copyFolder(sourceFolder("/resources/recordings/playbook-pointwise-chain-cpu"), recorded);
        const CliOutcome compare = m_world.run({"compare", recorded, "3", "4"});
        QVERIFY2(compare.exitCode == 0 && !compare.output.contains("not checked") &&
                     compare.output.contains("pass") &&
                     compare.output.simplified().contains("only the summary of its check was kept"),
                 compare.words());
        const CliOutcome show = m_world.run({"show", recorded, "4"});
        QVERIFY2(show.exitCode == 0 && !show.output.contains("cannot be read") &&
                     show.output.contains("(only the summary of its check was kept)"),
                 show.words());
        const CliOutcome replay = m_world.run({"replay", recorded});
        QVERIFY2(replay.output.simplified().contains("hunks accepted by policy, then taken back") &&
                     !replay.output.contains("by person"),
                 replay.words());
    }

    // The last step of that run has the least time, and was slower side by side with the step before.
    void namesNoBestThatItsRunMeasuredSlower() {
        const QString recorded = m_world.path("slower-step");
        copyFolder(sourceFolder("/resources/recordings/playbook-pointwise-chain-cpu"), recorded);
        const CliOutcome document = m_world.run({"log", recorded, "--json"});
        QVERIFY2(document.exitCode == 0 && document.document["best"].get<int>() == 3, document.words());
        const CliOutcome log = m_world.run({"log", recorded});
        QVERIFY2(log.exitCode == 0 && !log.output.contains("Iterations 3 and 4"), log.words());
        const CliOutcome replay = m_world.run({"replay", recorded});
        QVERIFY2(replay.output.simplified().contains("best: iteration 3"), replay.words());
    }

    void findsTheIterationsOfARunThatTheHistoryDoesNotHave() {
        const QString copied = m_world.workspace("base", "copied");
        const QString from = sourceFolder("/resources/recordings/gemm");
        copyFolder(from + "/evaluations", copied + "/.warpwright/evaluations");
        const QString run = copied + "/.warpwright/runs/20261129T211220.259Z-2d3499";
        QVERIFY(QDir().mkpath(run) && QFile::copy(from + "/trajectory.jsonl", run + "/trajectory.jsonl"));
        const CliOutcome log = m_world.run({"log", copied});
        QVERIFY2(log.exitCode == 0 && log.output.simplified().contains("7 iterations of the run") &&
                     log.output.simplified().contains("wright log /"),
                 log.words());
        const CliOutcome show = m_world.run({"show", copied, "7"});
        QVERIFY2(show.exitCode == 0 && show.errors.contains("Iteration 7 is one of the run") &&
                     show.output.contains("from iteration 6"),
                 show.words());
        const CliOutcome compare = m_world.run({"compare", copied, "6", "7"});
        QVERIFY2(compare.exitCode == 0 && compare.output.contains("both from iteration 6"), compare.words());
        const CliOutcome ofRun = m_world.run({"log", run});
        QVERIFY2(ofRun.exitCode == 0 && ofRun.output.contains("7 iterations"), ofRun.words());
    }

    void saysWhichIterationIsMissing() {
        const CliOutcome outcome = m_world.run({"show", m_workspace, "77"});
        QVERIFY2(outcome.exitCode == 2 &&
                     outcome.errors.contains("There is no iteration 77 in \"" + m_workspace) &&
                     outcome.errors.contains("wright log lists"),
                 outcome.words());
        QCOMPARE(m_world.run({"show", m_workspace}).exitCode, 2);
        QCOMPARE(m_world.run({"show", m_workspace, "-1"}).exitCode, 2);
    }
};

QObject *makeTestLog() {
    return new TestLog;
}

#include "tst_log.moc"
