// SPDX-License-Identifier: GPL-3.0-or-later
// `wright tune` with the script agent: thirty iterations in each mode, with rejections, edits, edits by hand
// between and a conflict; Ctrl-C and SIGTERM in each stage. The judge is the fake one, which reads its times
// in the text; everything else is real.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <vector>

using namespace warpwright;

class TestTune : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;
    QString m_script;

    [[nodiscard]] QString kernel() const { return m_workspace + "/kernels/gate.cpp"; }
    static QByteArray read(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Whole files: each step adds a remark at the top and its time at the end.
    void writeSteps(int count) const {
        QDir(m_script).removeRecursively();
        const QByteArray text = read(kernel());
        const qsizetype top = text.indexOf('\n') + 1;
        QByteArray remarks, times;
        for (int step = 1; step <= count; ++step) {
            const bool isWrong = step % 10 == 4;
            const int microseconds = step % 10 == 7 ? 100 : 100 - 3 * step;
            times += isWrong ? QByteArray("// fake judge: verdict=wrong\n")
                             : "// fake judge: times=" + QByteArray::number(microseconds) + ",220,150\n";
            remarks.prepend("// remark " + QByteArray::number(step) + '\n');
            const QString name =
                QStringLiteral("%1/%2-step").arg(m_script).arg(step, 2, 10, QLatin1Char('0'));
            m_world.write(name + "/kernels/gate.cpp", text.left(top) + remarks + text.mid(top) + times);
            m_world.write(name + ".json", "{\"title\": \"step " + QByteArray::number(step) +
                                              "\", \"prediction\": {\"timeRatio\": 0.97}}");
        }
    }
    [[nodiscard]] QStringList arguments(const QString &mode) const {
        return {"tune", m_workspace, "--script", m_script, "--mode", mode, "--device", "cpu"};
    }
    /// Its standard input is all there from the start.
    CliOutcome runWith(const QStringList &arguments, const QByteArray &input) const {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), arguments);
        process.write(input);
        process.closeWriteChannel();
        CliOutcome outcome;
        if (!process.waitForFinished(240000)) {
            process.terminate();
            process.waitForFinished(15000);
        }
        outcome.exitCode = process.exitCode();
        outcome.output = QString::fromUtf8(process.readAllStandardOutput());
        outcome.errors = QString::fromUtf8(process.readAllStandardError());
        return outcome;
    }
    static int countOf(const QString &kind, const QString &lines, std::vector<Json> *found = nullptr) {
        int count = 0;
        for (const QString &line : lines.split('\n')) {
            const Result<Json> event = parseJson(line.toUtf8());
            if (!event.hasValue() || stringIn(event.value(), "kind") != kind)
                continue;
            ++count;
            if (found != nullptr)
                found->push_back(event.value());
        }
        return count;
    }
    [[nodiscard]] std::vector<IterationRecord> history() const {
        const auto list = IterationStore(m_workspace + "/.warpwright").list();
        return list.hasValue() ? list.value() : std::vector<IterationRecord>();
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
    }

    void init() {
        m_world.environment.insert("FAKE_JUDGE", "intext");
        m_world.environment.remove("EDITOR");
        m_world.environment.remove("VISUAL");
        m_workspace = m_world.workspace("base", "tuned");
        m_script = m_world.path("script");
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("said");
        QTest::newRow("no script") << QStringList{"--agent", "script"}
                                   << "--agent script needs --script FOLDER";
        QTest::newRow("no folder") << QStringList{"--script", "/nowhere"}
                                   << "Cannot use \"/nowhere\" as a script";
        QTest::newRow("mode") << QStringList{"--script", "x", "--mode", "fast"} << "fast";
        QTest::newRow("budget") << QStringList{"--script", "x", "--iterations", "0"} << "--iterations";
        QTest::newRow("device") << QStringList{"--script", "x", "--device", "gpu"}
                                << "is not auto, cpu or cuda:N";
    }
    void saysWhatIsWrong() {
        QFETCH(const QStringList, more);
        QFETCH(const QString, said);
        const CliOutcome outcome = m_world.run(QStringList{"tune", m_workspace} + more);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains(said), outcome.words());
    }

    void autoGoesByWhatIsMeasured() {
        writeSteps(30);
        const CliOutcome outcome = runWith(arguments("auto") << "--json", {});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        std::vector<Json> decisions;
        QCOMPARE(countOf("policy", outcome.output, &decisions), 30);
        std::map<std::string, int> answers;
        for (const Json &decision : decisions)
            ++answers[decision["answer"].get<std::string>()];
        QVERIFY2(answers["accept"] >= 10 && answers["discard"] >= 3 && answers["keep-as-branch"] >= 3,
                 outcome.output.right(2000).toUtf8());
        QCOMPARE(countOf("proposal", outcome.output), 30);
        QCOMPARE(countOf("applied", outcome.output), answers["accept"]);
        QCOMPARE(static_cast<int>(history().size()), 1 + answers["accept"] + answers["keep-as-branch"]);
        QCOMPARE(countOf("run-ended", outcome.output), 1);
        QVERIFY(outcome.output.startsWith("{\"n\":1,"));
    }

    // The goal, where one is, what each step taught, and all of it as a table at the end.
    void aLessonIsToldAsOne() {
        m_script = m_workspace + "/lesson";
        writeSteps(3);
        for (int step = 1; step <= 3; ++step)
            m_world.write(QStringLiteral("%1/0%2-step.json").arg(m_script).arg(step),
                          "{\"title\": \"step " + QByteArray::number(step) + "\", \"taught\": \"That it is " +
                              QByteArray::number(step) + ".\", \"prediction\": {\"timeRatio\": 0.9}}");
        m_world.write(m_script + "/lesson.json",
                      R"({"name": "three", "title": "Three steps", "goals": ["To count to three."]})");
        const CliOutcome outcome = runWith(arguments("auto"), {});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        qsizetype at = 0;
        for (const char *words : {"Three steps, a lesson of 3 steps", "- To count to three.", "Step 1 of 3",
                                  "Step 1 of 3, what it taught. That it is 1.", "Step 2 of 3", "Step 3 of 3",
                                  "That it is 3.", "predicted", "the start", "step 1", "step 3"}) {
            const qsizetype found = outcome.output.indexOf(QLatin1String(words), at);
            QVERIFY2(found >= at, outcome.words());
            at = found;
        }
        // With events on standard output the words belong to the other one.
        QDir(m_workspace + "/.warpwright").removeRecursively();
        const CliOutcome events = runWith(arguments("auto") << "--json", {});
        QVERIFY2(events.output.startsWith("{\"n\":1,") && events.errors.contains("Three steps, a lesson"),
                 events.words());
    }

    void stepKeepsUndoesAndBranches() {
        writeSteps(30);
        const QByteArray input = QByteArray("k\nu\nk\nb\nk\n").repeated(6);
        const CliOutcome outcome = runWith(arguments("step"), input);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(static_cast<int>(outcome.output.count("accepted")), 30);
        QCOMPARE(static_cast<int>(history().size()), 31);
        // What is proposed, what came of it, and below both the question.
        const qsizetype result = outcome.output.indexOf("accepted");
        QVERIFY2(outcome.output.indexOf("\np1: ") < result, outcome.words());
        QVERIFY2(result < outcome.output.indexOf("Keep this step?"), outcome.words());
        QVERIFY(!read(kernel()).contains("// remark 29\n")); // the last branch but one
        QVERIFY(read(kernel()).contains("// remark 30\n"));
    }

    void reviewAsksByHunk() {
        writeSteps(30);
        // An editor that also saves something in the workspace: edits by hand between, and in the proposal's
        // lines.
        const QString editor =
            m_world.write("editor.sh",
                          "#!/bin/sh\necho '// edited' >> \"$1\"\nsed -i 's/^#include <cmath>.*/#include "
                          "<cmath> \\/\\/ by hand/' " +
                              kernel().toUtf8() + "\nsed -i 's/^\\/\\/ remark 1$/\\/\\/ remark one/' " +
                              kernel().toUtf8() + "\n",
                          true);
        m_world.environment.insert("EDITOR", editor);
        QByteArray input;
        for (int i = 0; i < 60; ++i)
            input += i % 7 == 3     ? "n slower than I like\n"
                     : i % 7 == 5   ? "e\n"
                     : i % 11 == 10 ? "m\n"
                                    : "y\n";
        input += QByteArray("a\nm\n").repeated(100);
        const CliOutcome outcome = runWith(arguments("review") << "--json", input);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(countOf("proposal", outcome.output), 30);
        std::vector<Json> decisions;
        countOf("decision", outcome.output, &decisions);
        std::map<std::string, int> answers;
        for (const Json &decision : decisions)
            ++answers[decision["answer"].get<std::string>()];
        QVERIFY2(answers["accept"] > 10 && answers["reject"] > 3 && answers["edit"] > 3,
                 outcome.output.right(2000).toUtf8());
        QVERIFY(outcome.output.contains("slower than I like"));
        QVERIFY(countOf("hand-edit", outcome.output) >= 1);
        QVERIFY(read(kernel()).contains("// by hand")); // what was typed is still there
        QVERIFY(read(kernel()).contains("// edited\n"));
        QVERIFY2(outcome.errors.contains("Take it?"), outcome.words());
    }

    void aConflictIsAskedAbout() {
        writeSteps(1);
        const QString editor = m_world.write(
            "editor.sh", "#!/bin/sh\nsed -i '1s/.*/\\/\\/ mine/' " + kernel().toUtf8() + "\n", true);
        m_world.environment.insert("EDITOR", editor);
        // A step that changes the first line instead of putting one before it.
        QByteArray text = read(kernel());
        text.replace(0, text.indexOf('\n'), "// theirs");
        m_world.write(m_script + "/01-step/kernels/gate.cpp", text);
        const CliOutcome outcome = runWith(arguments("review"), "e\ny\nt\n");
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(outcome.output.contains("A conflict. [m]ine, [t]heirs") &&
                     outcome.output.contains("<// mine") && outcome.output.contains(">// theirs"),
                 outcome.words());
        QVERIFY(read(kernel()).startsWith("// theirs\n"));
        QCOMPARE(history().size(), 3U); // what was typed is an iteration of its own
    }

    void endOfInputStopsAReview() {
        writeSteps(2);
        const QByteArray before = read(kernel());
        const CliOutcome outcome = runWith(arguments("review"), {});
        QVERIFY2(outcome.exitCode == 130 && outcome.output.contains("so no answer can come"),
                 outcome.words());
        QCOMPARE(read(kernel()), before);
    }

    void stopsAtAnyStage_data() {
        QTest::addColumn<QString>("sign");
        QTest::addColumn<QString>("slow");
        for (const char *stage : {"verify", "profile"})
            QTest::newRow(stage) << QString("%1").arg(stage) + " 1 of" << QString(" slow=%1:60").arg(stage);
        QTest::newRow("prepare") << "prepare"
                                 << "";
    }
    void stopsAtAnyStage() {
        QFETCH(const QString, sign);
        QFETCH(const QString, slow);
        writeSteps(3);
        m_world.environment.insert("FAKE_JUDGE", "intext" + slow);
        const QByteArray before = read(kernel());
        const CliOutcome outcome = m_world.interrupt(arguments("auto"), sign, SIGTERM);
        QVERIFY2(outcome.exitCode == 130, outcome.words());
        QVERIFY(outcome.acknowledgedSeconds >= 0 && outcome.endedSeconds < 20);
        QCOMPARE(read(kernel()), before);
    }

    void firstCtrlCPausesAndTheSecondStops() {
        writeSteps(3);
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), arguments("auto"));
        process.setReadChannel(QProcess::StandardError);
        QByteArray errors, output;
        const auto waitFor = [&](const QByteArray &words, const QByteArray &where) {
            QElapsedTimer patience;
            patience.start();
            while (!(where == "out" ? output : errors).contains(words) && patience.elapsed() < 120000 &&
                   process.state() != QProcess::NotRunning) {
                process.waitForReadyRead(20);
                errors += process.readAllStandardError();
                output += process.readAllStandardOutput();
            }
            return (where == "out" ? output : errors).contains(words);
        };
        QVERIFY2(waitFor("verify", "err"), errors);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY2(waitFor("pausing", "err") && waitFor("Paused. Enter goes on", "out"), errors);
        process.write("\n");
        QVERIFY2(waitFor("step 1\n", "out"), errors + output);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY2(process.waitForFinished(60000), errors);
        QCOMPARE(process.exitCode(), 130);
    }
};

QObject *makeTestTune() {
    return new TestTune;
}

#include "tst_tune.moc"
