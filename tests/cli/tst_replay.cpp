// SPDX-License-Identifier: GPL-3.0-or-later
// `wright replay`: tells a run, and says whether its texts come out byte for byte.
#include "tests/agent/recorded_run.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"

#include <QFile>
#include <QProcess>
#include <QTest>

using namespace warpwright;

class TestReplay : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_folder; ///< of the run
    QByteArray m_lines;

private slots:
    void initTestCase() {
        RecordedRun run(m_world.path("state"));
        run.begin(textSaying("0"));
        run.accept(textSaying("1"), 1.1, "read four floats");
        run.editByHand(textSaying("mine \xff"));
        run.accept(textSaying("2"), 1.2, "unroll");
        run.append("run-ended", {{"why", "nothing left to try"}});
        m_folder = run.folder();
        QFile file(trajectoryFile(m_folder));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_lines = file.readAll();
    }

    void tellsTheStory_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("its file") << "/trajectory.jsonl";
        QTest::newRow("its folder") << "";
    }
    void tellsTheStory() {
        QFETCH(const QString, name);
        const CliOutcome outcome = m_world.run({"replay", m_folder + name});
        QVERIFY2(outcome.exitCode == 0 && outcome.errors.isEmpty(), outcome.words());
        for (const char *words :
             {"run of series began", "p1: read four floats", "edited by hand: 1 hunk in kernels/a.cu",
              "p2 applied: 1 hunk", "ended: nothing left to try",
              "15 events, 4 steps, 4 texts: every text comes out byte for byte"})
            QVERIFY2(outcome.output.contains(words), outcome.words());
    }

    void tellsItAsADocument() {
        const CliOutcome outcome = m_world.run({"replay", m_folder, "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(stringIn(outcome.document, "schema"), QString("warpwright.replay/1"));
        QVERIFY(outcome.document["isExact"].get<bool>() && outcome.document["isWhole"].get<bool>());
        QCOMPARE(outcome.document["steps"].size(), 4U);
        QCOMPARE(stringIn(outcome.document["steps"][1], "title"), QString("read four floats"));
        QCOMPARE(outcome.document["steps"][1]["iteration"].get<int>(), 1);
        QCOMPARE(stringIn(outcome.document, "textHash"), textHashOf(textSaying("2")));
    }

    // A class accepts 56 hunks; how many it were is a word, not 56 lines.
    void tellsHunksThatWereAnsweredAlikeInOneLine() {
        RecordedRun run(m_world.path("alike"));
        const CandidateTexts base{{"kernels/a.cu", "one\n"}};
        run.begin(base);
        CandidateTexts proposed;
        for (int i = 0; i < 4; ++i)
            proposed[QStringLiteral("kernels/new%1.cu").arg(i)] = "new\n";
        proposed.insert(*base.begin());
        Json body = changeToJson(textChange(base, proposed));
        for (std::size_t i = 0; i < body["hunks"].size(); ++i)
            body["hunks"][i]["id"] = std::to_string(i + 1);
        QCOMPARE(body["hunks"].size(), 4U);
        body.update(Json{{"proposal", "p1"}, {"iteration", 0}, {"title", "add"}, {"reason", ""}});
        run.append("proposal", body);
        for (const char *hunk : {"1", "2", "4"})
            run.append("decision",
                       {{"proposal", "p1"}, {"hunk", hunk}, {"answer", "accept"}, {"by", "person"}});
        run.append("decision", {{"proposal", "p1"},
                                {"hunk", "3"},
                                {"answer", "reject"},
                                {"by", "person"},
                                {"reason", "too much"}});
        run.end();
        const CliOutcome outcome = m_world.run({"replay", run.folder()});
        QVERIFY2(outcome.output.contains("p1, hunks 1–2, 4 by person: accept\n"), outcome.words());
        QVERIFY2(outcome.output.contains("p1, hunk 3 by person: reject: too much\n"), outcome.words());
    }

    // Recorded twice, at the key and with its words, it is one answer.
    void anAnswerWhoseReasonCameLaterIsToldOnce() {
        RecordedRun run(m_world.path("reasoned"));
        const CandidateTexts base{{"kernels/a.cu", "one\n"}};
        run.begin(base);
        CandidateTexts proposed = base;
        for (const char *file : {"kernels/b.cu", "kernels/c.cu", "kernels/d.cu"})
            proposed[file] = "new\n";
        Json body = changeToJson(textChange(base, proposed));
        for (std::size_t i = 0; i < body["hunks"].size(); ++i)
            body["hunks"][i]["id"] = std::to_string(i + 1);
        QCOMPARE(body["hunks"].size(), 3U);
        body.update(Json{{"proposal", "p1"}, {"iteration", 0}, {"title", "add"}, {"reason", ""}});
        run.append("proposal", body);
        const auto reject = [&run](const char *hunk, const char *reason) {
            run.append("decision", {{"proposal", "p1"},
                                    {"hunk", hunk},
                                    {"answer", "reject"},
                                    {"by", "person"},
                                    {"reason", reason}});
        };
        for (const char *hunk : {"1", "2", "3"})
            reject(hunk, "");
        for (const char *hunk : {"2", "3"})
            reject(hunk, "off by one");
        run.end();
        const CliOutcome outcome = m_world.run({"replay", run.folder()});
        QCOMPARE(outcome.output.count("by person: reject"), 2);
        QVERIFY2(outcome.output.contains("p1, hunk 1 by person: reject\n"), outcome.words());
        QVERIFY2(outcome.output.contains("p1, hunks 2–3 by person: reject: off by one\n"), outcome.words());
    }

    // Unified, and over each hunk its name, file, answer, by whom and why.
    void tellsWhatWasProposed() {
        RecordedRun run(m_world.path("reviewed"));
        CandidateTexts base = textSaying("0");
        base["kernels/b.cu"] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
        run.begin(base);
        CandidateTexts proposed = base;
        proposed["kernels/b.cu"] = "one\nTWO\nthree\nfour\nfive\nsix\nseven\nEIGHT\nnine\n";
        proposed["kernels/new.cu"] = "new\n";
        Json body = changeToJson(textChange(base, proposed));
        for (std::size_t i = 0; i < body["hunks"].size(); ++i)
            body["hunks"][i]["id"] = std::to_string(i + 1);
        QCOMPARE(body["hunks"].size(), 3U);
        body.update(
            Json{{"proposal", "p1"}, {"iteration", 0}, {"title", "shout"}, {"reason", "to be heard"}});
        run.append("proposal", body);
        run.append("decision", {{"proposal", "p1"},
                                {"hunk", "1"},
                                {"answer", "reject"},
                                {"by", "person"},
                                {"reason", "too loud"}});
        run.append("decision", {{"proposal", "p1"},
                                {"hunk", "2"},
                                {"answer", "edit"},
                                {"by", "person"},
                                {"newLines", {"Eight\n"}}});
        run.append("decision", {{"proposal", "p1"}, {"answer", "accept"}, {"by", "policy"}});
        CandidateTexts written = base;
        written["kernels/b.cu"].replace("eight", "Eight");
        written["kernels/new.cu"] = "new\n";
        Json applied = changeToJson(textChange(base, written));
        applied["proposal"] = "p1";
        run.append("applied", applied);
        run.end();
        const CliOutcome outcome = m_world.run({"replay", run.folder(), "--diff"});
        QVERIFY2(outcome.exitCode == 0 && outcome.errors.isEmpty(), outcome.words());
        QVERIFY2(
            outcome.output.contains("p1: shout, applied\nto be heard\n"
                                    "--- a/kernels/b.cu\n+++ b/kernels/b.cu\n"
                                    "@@ -1,4 +1,4 @@ hunk 1, kernels/b.cu: rejected by person: too loud\n"
                                    " one\n-two\n+TWO\n three\n four\n"
                                    "@@ -6,4 +6,4 @@ hunk 2, kernels/b.cu: edited by person\n"
                                    " six\n seven\n-eight\n+EIGHT\n nine\n"
                                    "in place of hunk 2 was written:\n>Eight\n"
                                    "--- /dev/null\n+++ b/kernels/new.cu\n"
                                    "@@ -0,0 +1,1 @@ hunk 3, kernels/new.cu: accepted by policy\n"
                                    "+new\n"),
            outcome.words());
        QVERIFY2(!outcome.output.contains("p1 applied"), outcome.words()); // not the story as well
        // As far as it had come.
        const CliOutcome before = m_world.run({"replay", run.folder(), "--diff", "--to", "2"});
        QVERIFY2(before.output.contains("p1: shout, not decided") &&
                     before.output.contains("hunk 1, kernels/b.cu: not answered"),
                 before.words());
        const CliOutcome document = m_world.run({"replay", run.folder(), "--diff", "--json"});
        const auto &told = document.document["proposals"][0];
        QCOMPARE(stringIn(told, "outcome"), QString("applied"));
        QCOMPARE(stringIn(told["hunks"][0], "answer"), QString("rejected by person"));
        QCOMPARE(stringIn(told["hunks"][0], "reason"), QString("too loud"));
        QCOMPARE(m_world.run({"replay", run.folder(), "--diff", "--step"}).exitCode, 2);
    }

    void stopsAfterAnEvent() {
        const CliOutcome outcome = m_world.run({"replay", m_folder, "--to", "8", "--json"});
        QCOMPARE(stringIn(outcome.document, "textHash"), textHashOf(textSaying("mine \xff")));
        QVERIFY(!outcome.document["isWhole"].get<bool>());
        const CliOutcome last = m_world.run({"replay", m_folder, "--to", "15", "--json"});
        QVERIFY2(last.exitCode == 0 && last.document["isWhole"].get<bool>(), last.words());
        const CliOutcome beyond = m_world.run({"replay", m_folder, "--to", "99"});
        QVERIFY2(beyond.exitCode == 2 && beyond.errors.contains("There is no event 99") &&
                     beyond.errors.contains("its last one is 15"),
                 beyond.words());
    }

    void saysWhereItIsNotExact() {
        QByteArray changed = m_lines;
        changed.replace("\"newLines\":[\"2\\n\"]", "\"newLines\":[\"3\\n\"]");
        m_world.write("changed/trajectory.jsonl", changed);
        const CliOutcome outcome = m_world.run({"replay", "changed"});
        QVERIFY2(outcome.exitCode == 1, outcome.words());
        QVERIFY2(
            outcome.output.contains("the texts do NOT come out byte for byte") &&
                outcome.output.contains("(applied) does not fit: The changed text is not the recorded one"),
            outcome.words());
        const CliOutcome document = m_world.run({"replay", "changed", "--json"});
        QCOMPARE(document.exitCode, 1);
        QVERIFY(!document.document["isExact"].get<bool>() && document.document["problems"].size() >= 1);
    }

    // As a recording that ships: documents beside the trajectory.
    void holdsTimesAgainstTheStoredEvaluations() {
        const QString recording = sourceFolder("/resources/recordings/gemm");
        copyFolder(recording, m_world.path("gemm"));
        const CliOutcome whole = m_world.run({"replay", "gemm"});
        QVERIFY2(whole.exitCode == 0 && whole.output.contains("times: as stored, ") &&
                     !whole.output.contains("no end"),
                 whole.words());
        // The factor of its page, not another one.
        QVERIFY2(whole.output.simplified().contains(
                     QStringLiteral("became iteration 7, 35.60 µs (16.7× as fast); best: iteration 7")),
                 whole.words());
        QFile file(m_world.path("gemm/trajectory.jsonl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray lines = file.readAll();
        file.close();
        QByteArray changed = lines;
        const qsizetype at = changed.lastIndexOf("\"median\":35.");
        QVERIFY(at > 0);
        changed.replace(at, 12, "\"median\":25.");
        m_world.write("gemm/trajectory.jsonl", changed);
        const CliOutcome told = m_world.run({"replay", "gemm"});
        QVERIFY2(told.exitCode == 1 && told.output.contains("every text comes out byte for byte") &&
                     told.output.contains("times: NOT as stored, 1 of "),
                 told.words());
        const QString words = told.output.simplified();
        QVERIFY2(
            words.contains(QStringLiteral("time: the record says 25.60 µs, the stored evaluation 35.60 µs")),
            told.words());
        const CliOutcome document = m_world.run({"replay", "gemm", "--json"});
        QVERIFY2(document.exitCode == 1, document.words());
        QCOMPARE(document.document["times"]["mismatches"].size(), 1U);
        QVERIFY(document.document["times"]["mismatches"][0]["event"].get<int>() > 1);
        // A verdict is held as well.
        QByteArray verdict = lines;
        const qsizetype wrong = verdict.indexOf("\"verdict\":\"wrong\"");
        QVERIFY(wrong > 0);
        verdict.replace(wrong, 17, "\"verdict\":\"pass\"");
        m_world.write("gemm/trajectory.jsonl", verdict);
        const CliOutcome right = m_world.run({"replay", "gemm"});
        QVERIFY2(right.exitCode == 1 && right.output.simplified().contains(
                                            "verdict: the record says pass, the stored evaluation wrong"),
                 right.words());
    }

    void saysWhereNoTimeCouldBeChecked() {
        const CliOutcome outcome = m_world.run({"replay", m_folder});
        QVERIFY2(outcome.exitCode == 0 && outcome.output.contains("times: not checked, no evaluation stored"),
                 outcome.words());
    }

    void saysThatARecordHasNoEndAndWhatWasOpen() {
        QByteArray cut = m_lines;
        cut.truncate(cut.indexOf("\"kind\":\"applied\""));
        cut.truncate(cut.lastIndexOf('\n') + 1);
        m_world.write("cut/trajectory.jsonl", cut);
        const CliOutcome outcome = m_world.run({"replay", "cut"});
        const QString words = outcome.output.simplified();
        QVERIFY2(outcome.exitCode == 0 &&
                     words.contains("The record has no end: it breaks off after event 4; p1 "
                                    "was accepted and never written."),
                 outcome.words());
        QVERIFY(!m_world.run({"replay", "cut", "--to", "2"}).output.contains("has no end"));
        const CliOutcome document = m_world.run({"replay", "cut", "--json"});
        QVERIFY(!document.document["hasEnded"].get<bool>());
        QCOMPARE(stringIn(document.document, "open"), QString("p1 was accepted and never written"));
    }

    void waitsForThePerson() {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), {"replay", m_folder, "--step"});
        process.write("\nq\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(20000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(said.contains("p1: read four floats") && !said.contains("p2: unroll"), said);
        QVERIFY2(said.contains("9 events") || said.contains("8 events"), said);
        QCOMPARE(process.exitCode(), 0);
    }

    void goesAsFastAsItIsTold() {
        const QByteArray first = R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"plan"})";
        const QByteArray second = R"({"n":2,"at":"2026-11-21T20:00:02.000Z","kind":"plan"})";
        m_world.write("slow/trajectory.jsonl", first + '\n' + second + '\n');
        QVERIFY(m_world.run({"replay", "slow", "--speed", "2"}).seconds >= 1);
        QCOMPARE(m_world.run({"replay", "slow", "--speed", "0"}).exitCode, 2);
    }

    void passesOverAHalfLine() {
        m_world.write("torn/trajectory.jsonl", m_lines + "{\"n\":16,\"at");
        const CliOutcome outcome = m_world.run({"replay", "torn"});
        QVERIFY2(outcome.exitCode == 0 && outcome.output.contains("15 events"), outcome.words());
    }

    void refusesWhatIsNoRun() {
        m_world.write("some/text.txt", "no run\n");
        for (const char *name : {"some", "none"}) {
            const CliOutcome outcome = m_world.run({"replay", name});
            QVERIFY2(outcome.exitCode == 2 && outcome.errors.contains("Cannot find a run at \""),
                     outcome.words());
        }
        const CliOutcome file = m_world.run({"replay", "some/text.txt"});
        QVERIFY2(file.exitCode == 2 && file.errors.contains("it holds no event"), file.words());
        const QString workspace = m_world.workspace("base", "replay");
        const CliOutcome unworked = m_world.run({"replay", workspace});
        QVERIFY2(unworked.exitCode == 2 && unworked.errors.contains("no agent has worked there yet"),
                 unworked.words());
        m_world.write(workspace + "/.warpwright/runs/20260101T000000.000Z-000000/trajectory.jsonl", m_lines);
        QCOMPARE(m_world.run({"replay", workspace}).exitCode, 0);
    }
};

QObject *makeTestReplay() {
    return new TestReplay;
}

#include "tst_replay.moc"
