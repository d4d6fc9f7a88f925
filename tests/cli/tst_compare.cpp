// SPDX-License-Identifier: GPL-3.0-or-later
// `wright compare`: iterations, the text on disk and baselines beside each other, from what was stored.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestCompareCommand : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_folder;

    [[nodiscard]] Workspace workspace() const {
        return Workspace::open(m_folder, DataFolders::find()).value();
    }

    /// The text on disk as an iteration, with a recorded check and counters whose DRAM reads are `factor`
    /// times the recorded ones; 0: none.
    void keep(const char *evaluation, double factor) {
        const IterationStore store(workspace().state);
        const CandidateTexts texts = readCandidateTexts(workspace()).value();
        const int number = store.commit(texts, store.current(), {}, "a change").value().iteration.number;
        Evaluation checked =
            evaluationFromJson(readTextFile(sourceFolder("/tests/data/evaluations/") + evaluation).value())
                .value();
        checked.id = newEvaluation().id;
        QVERIFY(EvaluationStore(workspace().state).store(checked).hasValue());
        QVERIFY(store.link(number, checked.id).hasValue());
        if (factor <= 0)
            return;
        const auto json =
            parseJson(readTextFile(sourceFolder("/tests/data/counters/h200-softmax-arms.json")).value());
        Counters counters = countersFromJson(json.value()).value();
        counters.id.clear();
        counters.textHash = textHashOf(texts);
        for (KernelCounters &kernel : counters.kernels) {
            CounterValue &reads = kernel.metrics["dram__bytes_read.sum"];
            reads.number = reads.number.value_or(0) * factor;
        }
        QVERIFY(CounterStore(workspace().state).store(counters, {}).hasValue());
    }

    void change(const QByteArray &words) {
        QFile file(m_folder + "/kernels/gate.cpp");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append) && file.write(words) == words.size());
    }

    static OrderedJson rowOf(const CliOutcome &said, const char *group, const char *name) {
        for (const OrderedJson &row : said.document["rows"])
            if (stringIn(row, "group") == group && stringIn(row, "name") == name)
                return row;
        return OrderedJson::object();
    }

    static void fits(const CliOutcome &said) {
        for (const QString &line : said.output.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with jsonschema");
        m_folder = m_world.workspace("base", "compared");
        keep("h200-softmax-rows.json", 1);
        change("// more reads\n");
        keep("h200-softmax-rows.json", 2);
        change("// never counted\n");
        keep("cpu-softmax-rows.json", 0);
    }

    void putsTwoIterationsBesideEachOther() {
        const CliOutcome said = m_world.run({"compare", m_folder, "1", "2"});
        QVERIFY2(said.exitCode == 0 && said.errors.isEmpty(), said.words());
        fits(said);
        for (const char *words :
             {"iteration 1", "iteration 2", "Verdict", "Time", "Counters, softmaxRows<512>",
              "L2 → DRAM: reads", "no difference measured", "Resources: nothing differs",
              "both from iteration 1", "kernels/gate.cpp (+1 -0)", "+// more reads"})
            QVERIFY2(said.output.contains(words), said.words());
        const CliOutcome json = m_world.run({"compare", m_folder, "1", "2", "--json"});
        QCOMPARE(CliWorld::schemaComplaints(json.document, "compare-1"), QString());
        QCOMPARE(stringIn(rowOf(json, "time", "Call"), "state"), QString("noise"));
        QCOMPARE(stringIn(rowOf(json, "time", "Call"), "significance"), QString("noDifferenceMeasured"));
        const OrderedJson reads = rowOf(json, "counters", "L2 → DRAM: reads");
        QCOMPARE(stringIn(reads, "state"), QString("differs"));
        QCOMPARE(stringIn(reads, "significance"), QString("differs"));
        QCOMPARE(reads["right"]["value"].get<double>(), 2 * reads["left"]["value"].get<double>());
        QCOMPARE(stringIn(reads, "source"), QString("ncu: dram__bytes_read.sum"));
        QCOMPARE(json.document["metrics"].size(), std::size_t(5)); // as before
    }

    void holdsATextAgainstABaseline() {
        const CliOutcome said = m_world.run({"compare", m_folder, "eager", "2"});
        QVERIFY2(said.exitCode == 0, said.words());
        fits(said);
        for (const char *words : {"timed beside iteration 2", "Launches", "The kernel", "only left", "3.96×"})
            QVERIFY2(said.output.contains(words), said.words());
        QVERIFY2(!said.output.contains("both from iteration"), said.words());
        const CliOutcome json = m_world.run({"compare", m_folder, "eager", "2", "--json"});
        QCOMPARE(CliWorld::schemaComplaints(json.document, "compare-1"), QString());
        QVERIFY(json.document["left"].is_null());
        QCOMPARE(stringIn(json.document["sides"][0], "side"), QString("eager"));
        QCOMPARE(stringIn(rowOf(json, "time", "Call"), "state"), QString("differs"));
    }

    void saysWhatWasNeverCollectedAndNeverMixesDevices() {
        const CliOutcome said = m_world.run({"compare", m_folder, "2", "now"});
        QVERIFY2(said.exitCode == 0, said.words());
        fits(said);
        for (const char *words : {"my text", "Two devices: Iteration 2",
                                  "No counters of My text: wright counters", "not comparable"})
            QVERIFY2(said.output.simplified().contains(words), said.words());
        const CliOutcome json = m_world.run({"compare", m_folder, "2", "saved", "--json"});
        QCOMPARE(CliWorld::schemaComplaints(json.document, "compare-1"), QString());
        for (const OrderedJson &row : json.document["rows"])
            QVERIFY2(stringIn(row, "group") != "time" || row["difference"].is_null(), row.dump().c_str());
        QVERIFY(!json.document["notices"].empty());
    }

    void showsAllWhenAsked() {
        const CliOutcome few = m_world.run({"compare", m_folder, "1", "2"});
        const CliOutcome all = m_world.run({"compare", m_folder, "1", "2", "--all"});
        fits(all);
        QVERIFY2(!few.output.contains("Grid") && all.output.contains("Grid"), all.words());
    }

    void refusesWhatIsNoSide() {
        const CliOutcome word = m_world.run({"compare", m_folder, "1", "parent"});
        QVERIFY2(word.exitCode == 2 && word.errors.contains("\"parent\" is no number of an iteration"),
                 word.words());
        const CliOutcome missing = m_world.run({"compare", m_folder, "now", "77"});
        QVERIFY2(missing.exitCode == 2 && missing.errors.contains("There is no iteration 77"),
                 missing.words());
    }
};

QObject *makeTestCompareCommand() {
    return new TestCompareCommand;
}

#include "tst_compare.moc"
