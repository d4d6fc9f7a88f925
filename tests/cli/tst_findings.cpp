// SPDX-License-Identifier: GPL-3.0-or-later
// `wright findings`: of source and compiler alone, with stored counters of the text and of another one.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestFindingsCommand : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// The kernels of the recorded report as a workspace; its launcher waits for the device.
    QString threeKernels() const {
        const QString folder = m_world.workspace("base", "three");
        QFile::copy(sourceFolder("/tests/data/ncu/three_kernels.cu"), folder + "/kernels/k.cu");
        return folder;
    }

    static void storeCounters(const QString &folder, bool areOfThisText) {
        const auto workspace = Workspace::open(folder, DataFolders::find());
        const auto json =
            parseJson(readTextFile(sourceFolder("/tests/data/ncu/h200-three-kernels.json")).value());
        Counters counters = countersFromJson(json.value()).value();
        counters.id.clear();
        for (KernelCounters &kernel : counters.kernels)
            kernel.arm = "candidate";
        counters.textHash =
            areOfThisText ? textHashOf(readCandidateTexts(workspace.value()).value()) : QString(64, 'a');
        QVERIFY(CounterStore(workspace.value().state).store(counters, {}).hasValue());
    }

    static QStringList idsOf(const CliOutcome &said) {
        QStringList ids;
        for (const OrderedJson &finding : said.document["findings"])
            ids << stringIn(finding, "id");
        return ids;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with jsonschema"); }

    void saysWhatIsMissing() {
        const QString folder = threeKernels();
        const CliOutcome said = m_world.run({"findings", folder});
        QVERIFY2(said.exitCode == 0, said.words());
        for (const QString &word : {QStringLiteral("[host-sync]"), QStringLiteral("kernels/k.cu:28"),
                                    QStringLiteral("read, not measured"),
                                    QStringLiteral("no check of this text: wright check ") + folder,
                                    QStringLiteral("no counters of this text: wright counters ") + folder})
            QVERIFY2(said.output.contains(word), said.words());
    }

    void readsStoredCountersOfTheText() {
        const QString folder = threeKernels();
        storeCounters(folder, true);
        const CliOutcome said = m_world.run({"findings", folder, "--json"});
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(CliWorld::schemaComplaints(said.document, "findings-1"), QString());
        QVERIFY2(idsOf(said).contains("uncoalesced"), said.words());
        const OrderedJson &first = said.document["findings"][0];
        QCOMPARE(stringIn(first, "kernel"), QStringLiteral("strided"));
        QCOMPARE(stringIn(first["place"], "file"), QStringLiteral("kernels/k.cu"));
        QCOMPARE(first["place"]["line"].get<int>(), 10);
        QVERIFY(said.document["of"]["counters"].is_string());
        const CliOutcome named = m_world.run({"findings", folder, "--kernel", "banks", "--json"});
        QVERIFY2(!idsOf(named).contains("uncoalesced") && idsOf(named).contains("barrier-wait"),
                 named.words());
        const CliOutcome unknown = m_world.run({"findings", folder, "--kernel", "gemm"});
        QVERIFY2(unknown.exitCode == 2 && unknown.errors.contains("Cannot find a kernel \"gemm\""),
                 unknown.words());
    }

    void doesNotReadThoseOfAnotherText() {
        const QString folder = threeKernels();
        storeCounters(folder, false);
        const CliOutcome said = m_world.run({"findings", folder, "--json"});
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(CliWorld::schemaComplaints(said.document, "findings-1"), QString());
        QCOMPARE(idsOf(said), QStringList("host-sync"));
        QVERIFY(said.document["of"]["counters"].is_null());
    }

    void refusesWhatIsNoWorkspace() {
        const CliOutcome said = m_world.run({"findings", "/no/such/folder"});
        QVERIFY2(said.exitCode == 2 && said.errors.contains("/no/such/folder"), said.words());
    }
};

QObject *makeTestFindingsCommand() {
    return new TestFindingsCommand;
}

#include "tst_findings.moc"
