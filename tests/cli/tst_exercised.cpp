// SPDX-License-Identifier: GPL-3.0-or-later
// On a machine without a GPU the CPU twin is measured and the kernel is compiled and no more: a pass says so,
// and a change of which nothing ran is no gain and no loss. The fake judge reads its times in the text of
// kernels/, so that also a text that never runs has times of its own.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"

#include <QFile>
#include <QTest>

#include <functional>

using namespace warpwright;

namespace {

constexpr auto notExercised = "not exercised: kernels/gate.cu was compiled, not run";

QByteArray bytesOf(const QString &file) {
    const Result<QByteArray> read = readTextFile(file);
    return read.hasValue() ? read.value() : QByteArray();
}

OrderedJson unexercisedIn(const CliOutcome &outcome) {
    return outcome.document.value("unexercised", OrderedJson());
}

QStringList filesIn(const OrderedJson &unexercised) {
    QStringList files;
    if (unexercised.is_object())
        for (const OrderedJson &file : unexercised["files"])
            files << stringIn(file, "file");
    return files;
}

} // namespace

class TestExercised : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;

    void change(const QString &file, const QByteArray &text) const {
        m_world.write(m_workspace + '/' + file, bytesOf(m_workspace + '/' + file) + text);
    }
    CliOutcome check(bool asksJson = true) const {
        QStringList arguments{"check", m_workspace, "--device", "cpu"};
        if (asksJson)
            arguments << "--json";
        return m_world.run(arguments);
    }
    CliOutcome log() const { return m_world.run({"log", m_workspace, "--json"}); }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        NEED_TOOL(m_world.toolchain().cuda.has_value(), "nvcc");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
    }
    void init() {
        m_world.environment.insert("FAKE_JUDGE", "intext times=100,220,150");
        m_workspace = m_world.workspace("base");
    }

    void aPassSaysWhatWasMeasured() {
        const CliOutcome outcome = check(false);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(outcome.output.contains("pass, reward 3: right"), outcome.words());
        QVERIFY2(outcome.output.contains("CPU twin ran; kernels/gate.cu compiled, not run\n"),
                 outcome.words());
        QVERIFY2(!outcome.output.contains("not exercised"), outcome.words());
    }

    void theDocumentSaysWhichFilesRan() {
        m_world.write(m_workspace + "/kernels/only.cuh", "#pragma once\n");
        m_world.write(m_workspace + "/kernels/both.h", "#pragma once\n");
        for (const char *file : {"kernels/gate.cu", "kernels/gate.cpp"})
            m_world.write(m_workspace + '/' + file,
                          "#include \"both.h\"\n" + bytesOf(m_workspace + '/' + file));
        m_world.write(m_workspace + "/kernels/gate.cu",
                      "#include \"only.cuh\"\n" + bytesOf(m_workspace + "/kernels/gate.cu"));
        const CliOutcome outcome = check();
        QVERIFY2(outcome.verdict() == "pass", outcome.words());
        QStringList said;
        for (const OrderedJson &file : outcome.document["exercised"])
            said << QStringLiteral("%1 %2 %3%4")
                        .arg(stringIn(file, "file"), stringIn(file, "as"),
                             file["compiled"].get<bool>() ? QStringLiteral("compiled") : QString(),
                             file["run"].get<bool>() ? QStringLiteral(" run") : QString());
        QCOMPARE(said,
                 (QStringList{"binding.cpp cpp compiled run", "binding_registry.h cpp compiled run",
                              "kernels/both.h twin compiled run", "kernels/gate.cpp twin compiled run",
                              "kernels/gate.cu cuda compiled", "kernels/gate_binding.cpp cpp compiled run",
                              "kernels/only.cuh cuda compiled"}));
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void aChangeOfWhichNothingRanIsMarked_data() {
        QTest::addColumn<std::function<void()>>("act");
        QTest::addColumn<QStringList>("files"); // none: it is an ordinary check
        const auto row = [](const char *name, std::function<void()> act, const QStringList &files) {
            QTest::newRow(name) << std::move(act) << files;
        };
        const auto at = [this](const char *file) {
            return m_workspace + '/' + file;
        };
        const QByteArray line = "static __device__ int changed;\n";
        row("the kernel", [=, this] { change("kernels/gate.cu", line); }, {"kernels/gate.cu"});
        row("a comment in the kernel", [this] { change("kernels/gate.cu", "// a word\n"); },
            {"kernels/gate.cu"});
        row("kernel and twin",
            [=, this] {
                change("kernels/gate.cu", line);
                change("kernels/gate.cpp", "static int changed;\n");
            },
            {});
        row("the twin", [this] { change("kernels/gate.cpp", "static int changed;\n"); }, {});
        row("kernel and Python",
            [=, this] {
                change("kernels/gate.cu", line);
                change("model_new.py", "# a word\n");
            },
            {});
        row("the kernel goes", [=] { QFile::remove(at("kernels/gate.cu")); }, {"kernels/gate.cu"});
        row("a header of the kernel alone",
            [=, this] {
                m_world.write(at("kernels/only.cuh"), "#pragma once\n");
                m_world.write(at("kernels/gate.cu"),
                              "#include \"only.cuh\"\n" + bytesOf(at("kernels/gate.cu")));
            },
            {"kernels/gate.cu", "kernels/only.cuh"});
        row("a header of both",
            [=, this] {
                m_world.write(at("kernels/both.h"), "#pragma once\n");
                for (const char *file : {"kernels/gate.cu", "kernels/gate.cpp"})
                    m_world.write(at(file), "#include \"both.h\"\n" + bytesOf(at(file)));
            },
            {});
        row("a header that nobody includes",
            [=, this] { m_world.write(at("kernels/spare.h"), "#pragma once\n"); }, {});
    }
    void aChangeOfWhichNothingRanIsMarked() {
        QFETCH(const std::function<void()>, act);
        QFETCH(const QStringList, files);
        const CliOutcome before = check();
        QVERIFY2(before.verdict() == "pass", before.words());
        QVERIFY2(unexercisedIn(before).is_null(), before.words());
        act();
        const CliOutcome after = check();
        QVERIFY2(after.verdict() == "pass" && after.exitCode == 0, after.words());
        QCOMPARE(filesIn(unexercisedIn(after)), files);
        const QString complaints = CliWorld::schemaComplaints(after.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void aKernelWithoutTwinIsNotRunAtAll_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("one more") << "more.cu"
                                  << "not-run";
        // The twin is a file like any other then, and launches the same kernel.
        QTest::newRow("the kernel, renamed") << ""
                                             << "build-failed";
    }
    void aKernelWithoutTwinIsNotRunAtAll() {
        QFETCH(const QString, name);
        QFETCH(const QString, verdict);
        QVERIFY(check().verdict() == "pass");
        const QString kernels = m_workspace + "/kernels/";
        if (name.isEmpty())
            QVERIFY(QFile::rename(kernels + "gate.cu", kernels + "renamed.cu"));
        else
            m_world.write(kernels + name, "__global__ void more() {}\n");
        const CliOutcome outcome = check();
        QVERIFY2(outcome.verdict() == verdict, outcome.words());
        for (const OrderedJson &file : outcome.document["exercised"])
            QVERIFY2(!file["run"].get<bool>(), outcome.words());
        QVERIFY2(unexercisedIn(outcome).is_null(), outcome.words());
    }

    void verdictAndRewardAreTheParents() {
        QVERIFY(check().document["reward"] == 3);
        change("kernels/gate.cu", "// fake judge: times=400,220,150\n");
        const CliOutcome slower = check();
        QVERIFY2(slower.exitCode == 0 && slower.document["reward"] == 3, slower.words());
        QVERIFY2(unexercisedIn(slower)["measured"]["reward"] == 1, slower.words());
        QVERIFY2(unexercisedIn(slower)["iteration"] == 1 && unexercisedIn(slower)["kept"] == true,
                 slower.words());
        // Twice over, and again of the same text: still the first one's.
        change("kernels/gate.cu", "// fake judge: times=10,220,150\n");
        for (int i = 0; i < 2; ++i) {
            const CliOutcome faster = check(false);
            QVERIFY2(faster.output.contains("pass, reward 3 (kept from iteration 2): right"), faster.words());
            QVERIFY2(faster.output.contains(notExercised), faster.words());
        }
        const CliOutcome listed = log();
        QVERIFY2(listed.document["best"] == 1, listed.words());
        QVERIFY2(listed.document["iterations"][2]["evaluation"]["reward"] == 3, listed.words());
        const CliOutcome drawn = m_world.run({"log", m_workspace});
        for (const char *words :
             {"pass, not exercised", "3, kept", "repeat of 2", "nothing of the change ran"})
            QVERIFY2(drawn.output.contains(words), drawn.words());
        const CliOutcome shown = m_world.run({"show", m_workspace, "3"});
        QVERIFY2(shown.output.contains(notExercised), shown.words());
        // A change of what runs is measured against the repeat as against any.
        change("kernels/gate.cpp", "// fake judge: times=50,220,150\n");
        const CliOutcome run = check();
        QVERIFY2(run.document["reward"] == 3 && unexercisedIn(run).is_null(), run.words());
        QVERIFY2(log().document["best"] == 4, log().words());
    }

    void aParentThatFailedStaysFailed() {
        m_world.environment.insert("FAKE_JUDGE", "verdict=wrong");
        QVERIFY(check().verdict() == "wrong");
        m_world.environment.insert("FAKE_JUDGE", "");
        change("kernels/gate.cu", "// a word\n");
        const CliOutcome kept = check();
        QVERIFY2(kept.verdict() == "wrong" && kept.exitCode == 1 && kept.document["reward"] == -1,
                 kept.words());
        QVERIFY2(stringIn(unexercisedIn(kept)["measured"], "verdict") == "pass", kept.words());
        QVERIFY2(stringIn(kept.document["message"], "thing") == "iteration 1", kept.words());
        const QString complaints = CliWorld::schemaComplaints(kept.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void whatIsFoundWrongHereStands() {
        QVERIFY(check().verdict() == "pass");
        m_world.environment.insert("FAKE_JUDGE", "verdict=wrong");
        change("kernels/gate.cu", "// a word\n");
        const CliOutcome outcome = check();
        QVERIFY2(outcome.verdict() == "wrong" && outcome.exitCode == 1, outcome.words());
        QVERIFY2(unexercisedIn(outcome)["kept"] == false, outcome.words());
        QVERIFY2(check(false).output.contains(notExercised), outcome.words());
    }

    void noiseDoesNotTakeAPassAway() {
        QVERIFY(check().verdict() == "pass");
        m_world.environment.insert("FAKE_JUDGE", "verdict=inconclusive");
        change("kernels/gate.cu", "// a word\n");
        const CliOutcome outcome = check();
        QVERIFY2(outcome.verdict() == "pass" && outcome.document["reward"] == 3, outcome.words());
        QVERIFY2(stringIn(unexercisedIn(outcome)["measured"], "verdict") == "inconclusive", outcome.words());
        // Nothing failed: beside a pass that is kept stands what its own times are.
        QVERIFY2(stringIn(outcome.document["profile"], "status") == "undecided", outcome.words());
        const CliOutcome shown = check(false);
        QVERIFY2(shown.output.contains("the times scatter too much; the code that ran is the one before") &&
                     !shown.output.contains("failed"),
                 shown.words());
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    // It was compiled and no more: what it repeats is the one before.
    void aParentThatDoesNotBuildIsPassedOver() {
        QVERIFY(check().document["reward"] == 3);
        const QByteArray good = bytesOf(m_workspace + "/kernels/gate.cu");
        change("kernels/gate.cu", "nonsense\n");
        QCOMPARE(check().verdict(), QString("build-failed"));
        m_world.write(m_workspace + "/kernels/gate.cu", good + "// fake judge: times=400,220,150\n");
        const CliOutcome mended = check();
        QVERIFY2(mended.document["reward"] == 3 && unexercisedIn(mended)["iteration"] == 1, mended.words());
    }

    void aCertifyRunSaysMoreThanAQuickParent() {
        QVERIFY(check().verdict() == "pass");
        change("kernels/gate.cu", "// fake judge: times=400,220,150\n");
        const CliOutcome outcome =
            m_world.run({"check", m_workspace, "--device", "cpu", "--tier", "certify", "--json"});
        QVERIFY2(outcome.document["reward"] == 1 && unexercisedIn(outcome)["kept"] == false, outcome.words());
        QVERIFY2(filesIn(unexercisedIn(outcome)) == QStringList{"kernels/gate.cu"}, outcome.words());
    }

    void aComparisonSaysThatTheSameCodeRan() {
        QVERIFY(check().verdict() == "pass");
        change("kernels/gate.cu", "// fake judge: times=50,220,150\n");
        QVERIFY(check().verdict() == "pass");
        const CliOutcome text = m_world.run({"compare", m_workspace, "1", "2"});
        QVERIFY2(text.exitCode == 0, text.words());
        for (const char *words : {notExercised, "pass, not exercised", "the same code ran"})
            QVERIFY2(text.output.contains(words), text.words());
        QVERIFY2(!text.output.contains("of the time of"), text.words());
        const CliOutcome json = m_world.run({"compare", m_workspace, "1", "2", "--json"});
        QVERIFY2(json.document["measured"].is_null(), json.words());
        QVERIFY2(stringIn(json.document["unexercised"][0], "file") == "kernels/gate.cu", json.words());
    }

    void autoDecidesThatItIsNotExercised() {
        const QByteArray kernel = bytesOf(m_workspace + "/kernels/gate.cu");
        const QString script = m_world.path("script");
        m_world.write(script + "/01-kernel/kernels/gate.cu", kernel + "// fake judge: times=50,220,150\n");
        m_world.write(script + "/01-kernel.json", "{\"title\": \"only the kernel\"}");
        const CliOutcome run = m_world.run({"tune", m_workspace, "--agent", "script", "--script", script,
                                            "--mode", "auto", "--device", "cpu"});
        QVERIFY2(run.exitCode == 0, run.words());
        QVERIFY2(run.output.contains("not exercised on this device"), run.words());
        const CliOutcome listed = log();
        QVERIFY2(listed.document["current"] == 1 && listed.document["best"] == 1, listed.words());
        const CliOutcome replayed = m_world.run({"replay", m_workspace});
        QVERIFY2((run.output + replayed.output)
                     .contains("It is not exercised on this device: kernels/gate.cu was "
                               "compiled, not run."),
                 replayed.words());
    }
};

QObject *makeTestExercised() {
    return new TestExercised;
}

#include "tst_exercised.moc"
