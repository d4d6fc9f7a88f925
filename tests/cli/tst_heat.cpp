// SPDX-License-Identifier: GPL-3.0-or-later
// `wright heat` of stored counters: of the text, of another one, of none.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestHeatCommand : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// The recorded kernel as a workspace, with its counters as those of this text or of another one.
    [[nodiscard]] QString counted(bool areOfThisText) const {
        const QString folder = m_world.workspace("base", areOfThisText ? "heated" : "other");
        QFile::copy(testData("/heat/sum_by_label.cu"), folder + "/kernels/sum_by_label.cu");
        const auto workspace = Workspace::open(folder, DataFolders::find());
        const auto json = parseJson(readTextFile(testData("/heat/sum_by_label.counters.json")).value());
        Counters counters = countersFromJson(json.value()).value();
        counters.id.clear();
        counters.textHash =
            areOfThisText ? textHashOf(readCandidateTexts(workspace.value()).value()) : QString(64, 'a');
        if (!CounterStore(workspace.value().state).store(counters, {}).hasValue())
            return {};
        return folder;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with jsonschema"); }

    void showsTheHottestLines() {
        const QString folder = counted(true);
        const CliOutcome said = m_world.run({"heat", folder});
        QVERIFY2(said.exitCode == 0, said.words());
        for (const char *word : {"sumByLabel", "305,510 samples", "kernels/sum_by_label.cu:18",
                                 "atomicAdd(sums + first.x, v.x);", "waits for global or local memory"})
            QVERIFY2(said.output.contains(QString::fromUtf8(word)), said.words());
        QVERIFY2(!said.output.contains("LDG.E"), said.words());
        const CliOutcome two = m_world.run({"heat", folder, "--lines", "2", "--sass"});
        QVERIFY2(two.exitCode == 0 && two.output.contains("REDG.E.ADD") && two.output.contains("--lines 0"),
                 two.words());
    }

    void theDocumentObeysItsSchema() {
        const QString folder = counted(true);
        for (const bool wantsSass : {false, true}) {
            const CliOutcome said = m_world.run(QStringList{"heat", folder, "--json"} +
                                                (wantsSass ? QStringList{"--sass"} : QStringList()));
            QVERIFY2(said.exitCode == 0, said.words());
            QCOMPARE(CliWorld::schemaComplaints(said.document, "heat-1"), QString());
            QCOMPARE(said.document["kernels"][0].contains("instructions"), wantsSass);
            QCOMPARE(said.document["samples"].get<double>(), 305510.0);
        }
    }

    void refusesWhatIsNotThere() {
        const QString folder = counted(true);
        const CliOutcome unknown = m_world.run({"heat", folder, "--kernel", "gemm"});
        QVERIFY2(unknown.exitCode == 2 && unknown.errors.contains("Cannot find a kernel \"gemm\"") &&
                     unknown.errors.contains("sumByLabel"),
                 unknown.words());
        const CliOutcome late = m_world.run({"heat", folder, "--launch", "7"});
        QVERIFY2(late.exitCode == 2 && late.errors.contains("Cannot find launch 7: 1 were counted"),
                 late.words());
        QCOMPARE(m_world.run({"heat", folder, "--launch", "1"}).exitCode, 0);
        const CliOutcome none = m_world.run({"heat", folder, "--launch", "0"});
        QVERIFY2(none.exitCode == 2 && none.errors.contains("no whole number from 1 on"), none.words());
    }

    // Whoever has them need not collect them: they have to be looked after.
    void saysThatItsCountersAreDamaged() {
        const QString folder = counted(true);
        const auto workspace = Workspace::open(folder, DataFolders::find());
        const CounterStore store(workspace.value().state);
        QVERIFY(!store.ids().isEmpty());
        for (const QString &id : store.ids())
            QVERIFY(QFile(workspace.value().state + "/counters/" + id + ".json").resize(3000));
        for (const char *command : {"heat", "findings"}) {
            const CliOutcome said = m_world.run({command, folder});
            QVERIFY2((said.errors + said.output).contains("damaged"), said.words());
            QVERIFY2(!(said.errors + said.output).contains("no counters"), said.words());
        }
    }

    // Lines of another text would be other lines.
    void doesNotDrawTheHeatOfAnotherText() {
        const QString folder = counted(false);
        const CliOutcome said = m_world.run({"heat", folder});
        QVERIFY2(said.exitCode == 2 && said.output.isEmpty(), said.words());
        QVERIFY2(said.errors.contains("there are no counters of it") &&
                     said.errors.contains("wright counters " + folder) &&
                     said.errors.contains("of another text"),
                 said.words());
        const CliOutcome stored = m_world.run({"counters", folder, "--stored"});
        QVERIFY2(stored.exitCode == 2 && stored.errors.contains("some of another text") &&
                     !stored.errors.contains("none were collected"),
                 stored.words());
        const CliOutcome found = m_world.run({"findings", folder});
        QVERIFY2(found.output.simplified().contains("(there are some of another text"), found.words());
    }
};

QObject *makeTestHeatCommand() {
    return new TestHeatCommand;
}

#include "tst_heat.moc"
