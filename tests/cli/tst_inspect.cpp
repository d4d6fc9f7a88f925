// SPDX-License-Identifier: GPL-3.0-or-later
// `wright inspect` with the real nvcc, cuobjdump and nvdisasm: kernels with templates and inlined functions.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestInspect : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// The recorded sources as a workspace.
    QString rows() const {
        const QString folder = m_world.workspace("base", "rows");
        QFile::remove(folder + "/kernels/helpers.cuh");
        for (const char *name : {"rows.cu", "helpers.cuh"})
            QFile::copy(sourceFolder("/tests/data/nvdisasm/") + QLatin1String(name),
                        folder + "/kernels/" + QLatin1String(name));
        return folder;
    }

    static OrderedJson kernelOf(const CliOutcome &said, const QString &name) {
        for (const OrderedJson &kernel : said.document["kernels"])
            if (stringIn(kernel["resources"], "name").contains(name))
                return kernel;
        return OrderedJson::object();
    }

    static bool hasNvcc() {
        const CliOutcome said = CliWorld().run({"doctor", "--json"});
        int found = 0;
        for (const OrderedJson &finding : said.document["findings"])
            if (const QString name = stringIn(finding, "name");
                (name == "nvcc" || name == "cuobjdump" || name == "nvdisasm") &&
                stringIn(finding, "status") == "ok")
                ++found;
        return found == 3;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        NEED_TOOL(hasNvcc(), "nvcc, cuobjdump and nvdisasm");
    }

    void showsResourcesByDefault() {
        const CliOutcome said = m_world.run({"inspect", rows(), "--arch", "sm_90a"});
        QVERIFY2(said.exitCode == 0, said.words());
        for (const char *word :
             {"sumSquares<float, 256>", "sumSquares<double, 512>", "tile", "registers", "64 of 64 warps",
              "2 tensor core", "LDG 128 bit", "kernels/rows.cu", "sm_90a"})
            QVERIFY2(said.output.contains(word), said.words());
        QVERIFY2(!said.output.contains("LDG.E.128"), said.words()); // no listing
    }

    void theDocumentObeysItsSchemaAndLinksLines() {
        const CliOutcome said =
            m_world.run({"inspect", rows(), "--arch", "sm_90a", "--sass", "--ptx", "--json"});
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(CliWorld::schemaComplaints(said.document, "inspect-1"), QString());
        const OrderedJson kernel = kernelOf(said, "sumSquares<float, 256>");
        QCOMPARE(kernel["launchThreads"].get<int>(), 256);
        for (const char *form : {"sass", "ptx"}) {
            // A header's inlined template leads to its own line and to the line of its call.
            QStringList chains;
            for (const OrderedJson &chain : kernel[form]["places"]) {
                QStringList places;
                for (const OrderedJson &place : chain)
                    places
                        << QStringLiteral("%1:%2").arg(stringIn(place, "file")).arg(place["line"].get<int>());
                chains << places.join(" <- ");
            }
            QVERIFY2(chains.contains("kernels/helpers.cuh:6 <- kernels/rows.cu:28"),
                     qPrintable(chains.join('\n')));
            QVERIFY2(chains.contains("kernels/rows.cu:8 <- kernels/rows.cu:26"),
                     qPrintable(chains.join('\n')));
        }
    }

    void compilesNothingTwice() {
        const QString folder = rows();
        const CliOutcome first = m_world.run({"inspect", folder, "--arch", "sm_90a", "--ptx", "--json"});
        QVERIFY2(first.exitCode == 0, first.words());
        const CliOutcome second = m_world.run({"inspect", folder, "--arch", "sm_90a", "--ptx", "--json"});
        QVERIFY2(second.exitCode == 0, second.words());
        QCOMPARE(second.document["compiled"].get<int>(), 0);
        QVERIFY(second.document["kernels"] == first.document["kernels"]);
        // A changed text is no longer the one in the cache, which lives from run to run: it gets a new name.
        const QByteArray name = "another" + QByteArray::number(QDateTime::currentMSecsSinceEpoch());
        QFile file(folder + "/kernels/rows.cu");
        QVERIFY(file.open(QIODevice::Append));
        file.write("__global__ void " + name + "(float *x) { x[threadIdx.x] = 1.f; }\n");
        file.close();
        const CliOutcome third = m_world.run({"inspect", folder, "--arch", "sm_90a", "--json"});
        QVERIFY2(third.exitCode == 0, third.words());
        QVERIFY2(third.document["compiled"] == 1, third.words());
        QVERIFY2(!kernelOf(third, QString::fromLatin1(name)).empty(), third.words());
    }

    void compilesForOtherChips() {
        const CliOutcome said = m_world.run(
            {"inspect", rows(), "--arch", "sm_75", "--kernel", "tile", "--threads", "1024", "--json"});
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(said.document["kernels"].size(), std::size_t(1));
        const OrderedJson occupancy = said.document["kernels"][0]["occupancy"][0];
        QCOMPARE(occupancy["maxWarps"].get<int>(), 32);
        QCOMPARE(occupancy["threads"].get<int>(), 1024);
        const CliOutcome over = m_world.run(
            {"inspect", rows(), "--arch", "sm_75", "--kernel", "sumSquares<float", "--threads", "512"});
        QVERIFY2(over.output.contains("does not launch, for its launch bound"), over.words());
    }

    void listsBesideTheSource() {
        const CliOutcome said =
            m_world.run({"inspect", rows(), "--arch", "sm_90a", "--sass", "--kernel", "sumSquares<float"});
        QVERIFY2(said.exitCode == 0, said.words());
        for (const char *word :
             {"// kernels/rows.cu:25  const float4 v = in[blockIdx.x * n + i];", "LDG.E.128",
              "slow(float, int)", "kernels/helpers.cuh:6 <- kernels/rows.cu:28"})
            QVERIFY2(said.output.contains(word), said.words());
        QVERIFY2(!said.output.contains("HMMA"), said.words());
    }

    void showsAnEarlierTextAndWhatHasChanged() {
        const QString folder = rows();
        QDir(folder + "/.warpwright").removeRecursively();
        const auto workspace = Workspace::open(folder, {});
        QVERIFY(workspace.hasValue());
        const auto texts = readCandidateTexts(workspace.value());
        QVERIFY(texts.hasValue());
        const auto kept =
            IterationStore(workspace.value().state).commit(texts.value(), 0, {AuthorKind::You, {}});
        QVERIFY2(kept.hasValue(), qPrintable(kept.message()));
        QByteArray text = texts.value().at("kernels/rows.cu");
        text.replace("sum += squared(v.x)", "sum += 2.f * squared(v.x)");
        m_world.write(folder + "/kernels/rows.cu", text + "__global__ void fresh(int *x) { *x = 1; }\n");

        const QStringList common{"inspect", folder, "--arch", "sm_90a"};
        const CliOutcome said = m_world.run(common + QStringList{"--against", "1"});
        QVERIFY2(said.exitCode == 0, said.words());
        for (const char *word : {"since iteration 1", "fresh", "new", "instructions the same", "    + "})
            QVERIFY2(said.output.contains(word), said.words());
        const CliOutcome json = m_world.run(common + QStringList{"--against", "1", "--json"});
        QCOMPARE(CliWorld::schemaComplaints(json.document, "inspect-1"), QString());
        for (const OrderedJson &kernel : json.document["against"]["kernels"]) {
            const QString name = stringIn(kernel, "name");
            QCOMPARE(kernel["before"].is_null(), name.startsWith("fresh"));
            QCOMPARE(kernel["rows"].empty(), !name.contains("sumSquares"));
        }
        // The older text itself: without the kernel that is new.
        const CliOutcome older = m_world.run(common + QStringList{"--iteration", "1"});
        QVERIFY2(older.exitCode == 0 && !older.output.contains("fresh"), older.words());
        const CliOutcome none = m_world.run(common + QStringList{"--against", "7"});
        QVERIFY2(none.exitCode == 2 && none.errors.contains("7"), none.words());
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no such folder") << QStringList{"no-such"} << 2 << QStringList{"no-such\""};
        QTest::newRow("no such kernel") << QStringList{"rows", "--kernel", "nope"} << 2
                                        << QStringList{"\"nope\"", "tile", "Name one of them"};
        QTest::newRow("no such architecture")
            << QStringList{"rows", "--arch", "sm_55"} << 2 << QStringList{"sm_55", "knows only"};
        QTest::newRow("no architecture at all") << QStringList{"rows", "--arch", "hopper"} << 2
                                                << QStringList{"\"hopper\"", "wright inspect --help"};
        QTest::newRow("too many threads")
            << QStringList{"rows", "--threads", "2000"} << 2 << QStringList{"wright inspect --help"};
        QTest::newRow("without a .cu file") << QStringList{"plain"} << 2 << QStringList{"no .cu files"};
        QTest::newRow("what does not compile")
            << QStringList{"broken"} << 3 << QStringList{"do not compile", "kernels/rows.cu:1"};
    }

    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QStringList, words);
        QString &folder = arguments.first();
        if (folder == "rows") {
            folder = rows();
        } else if (folder != "no-such") {
            const bool isBroken = folder == "broken";
            folder = m_world.workspace("base", "inspected");
            for (const QString &name : QDir(folder + "/kernels").entryList({"*.cu"}))
                QFile::remove(folder + "/kernels/" + name);
            if (isBroken)
                m_world.write(folder + "/kernels/rows.cu", "__global__ void k(int *x) { x[0] = ; }\n");
        }
        const CliOutcome said = m_world.run(QStringList{"inspect"} + arguments);
        QVERIFY2(said.exitCode == exitCode, said.words());
        for (const QString &word : words)
            QVERIFY2(said.errors.contains(word), said.words() + "\nlacks: " + word.toUtf8());
    }
};

QObject *makeTestInspect() {
    return new TestInspect;
}

#include "tst_inspect.moc"
