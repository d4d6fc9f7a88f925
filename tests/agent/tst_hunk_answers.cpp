// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/event_summary.h"
#include "agent/review/hunk_answers.h"

#include <QTest>

using namespace warpwright;

namespace {

Json proposal() {
    return {{"proposal", "p1"},
            {"hunks", Json::array({{{"id", "1"}}, {{"id", "2"}}})},
            {"renames", Json::array({{{"id", "3"}}})}};
}

Json decision(const char *hunk, const char *answer) {
    Json body{{"proposal", "p1"}, {"answer", answer}, {"by", "person"}, {"reason", "because"}};
    if (*hunk != '\0')
        body["hunk"] = hunk;
    return body;
}

/// «1 accept, 2 reject»
QString told(const HunkAnswers &answers) {
    QStringList parts;
    for (const auto &[hunk, given] : answers.given())
        parts << hunk + ' ' + given.answer;
    return parts.join(", ");
}

} // namespace

class TestHunkAnswers : public QObject {
    Q_OBJECT
private slots:
    void anAnswerForAllIsOneForThoseThatWereOpen() {
        HunkAnswers answers(proposal());
        answers.take("decision", decision("2", "accept"));
        answers.take("decision", decision("", "reject"));
        QCOMPARE(told(answers), QString("1 reject, 2 accept, 3 reject"));
        QVERIFY(!answers.areAllRejected());
    }

    void whatIsNoAnswerAnswersNothing() {
        HunkAnswers answers(proposal());
        answers.take("decision", decision("1", "maybe"));
        answers.take("decision", {{"proposal", "p1"}, {"hunk", 2}, {"answer", "accept"}});
        answers.take("decision", {{"proposal", "p1"}, {"hunk", ""}, {"answer", "accept"}});
        answers.take("decision", {{"proposal", "p1"}, {"hunk", "1"}});
        QCOMPARE(told(answers), QString());
    }

    void aRejectionThatIsGivenAgainIsARejection() {
        HunkAnswers answers(proposal());
        answers.take("decision", decision("", "reject"));
        QVERIFY(answers.areAllRejected());
        answers.take("decision-undone", {{"proposal", "p1"}, {"hunk", "2"}});
        QCOMPARE(told(answers), QString("1 reject, 3 reject"));
        answers.take("decision-redone", {{"proposal", "p1"}, {"hunk", "2"}});
        QCOMPARE(told(answers), QString("1 reject, 2 reject, 3 reject"));
        QVERIFY(answers.areAllRejected());
        QCOMPARE(answers.given().at("2").reason, QString("because"));
    }

    void aConflictWantsAnAnswerOfItsOwn() {
        HunkAnswers answers(proposal());
        answers.take("conflict", {{"proposal", "p1"}, {"hunk", "1"}});
        answers.take("decision", decision("", "accept"));
        QCOMPARE(told(answers), QString("2 accept, 3 accept"));
        answers.take("conflict-resolved",
                     {{"proposal", "p1"}, {"hunk", "1"}, {"resolution", "mine"}, {"newLines", {"a\n"}}});
        QCOMPARE(told(answers), QString("1 reject, 2 accept, 3 accept"));
        QVERIFY(answers.given().at("1").isOfConflict);
    }

    void anEditHasItsLines() {
        HunkAnswers answers(proposal());
        Json edited = decision("1", "edit");
        edited["newLines"] = {"mine\n", "too\n"};
        answers.take("decision", edited);
        QCOMPARE(answers.given().at("1").newLines, (TextLines{"mine\n", "too\n"}));
    }

    void anEventIsToldAtLength_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("prose");
        QTest::newRow("an iteration, its author once")
            << "iteration"
            << QByteArray(R"({"number": 2, "parent": 1, "author": {"kind": "script", "name": "script"},
                              "note": "step 2"})")
            << "iteration 2 from 1: step 2";
        QTest::newRow("a message as it is")
            << "message" << QByteArray(R"({"role": "person", "text": "one\ntwo"})") << "one\ntwo";
        QTest::newRow("a proposal and its reason")
            << "proposal"
            << QByteArray(R"({"proposal": "p2", "title": "step 2", "reason": "rows are short", "hunks": []})")
            << "p2: step 2 (0 hunks)\nrows are short";
        QTest::newRow("what a tool said")
            << "tool-call" << QByteArray(R"({"name": "compile", "outcome": "ok", "seconds": 2,
                                                            "result": "no spills"})")
            << "compile ok, 2.00 s\nno spills";
        QTest::newRow("what a tool could not, once")
            << "tool-call" << QByteArray(R"({"name": "edit", "outcome": "failed", "seconds": 2,
                                             "result": "Cannot edit.\nThe nearest lines are: a"})")
            << "edit failed, 2.00 s\nCannot edit.\nThe nearest lines are: a";
    }

    // A list of failures says why, and what an agent keeps for itself is named.
    void aRowSaysWhatItIsAbout_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("line");
        QTest::newRow("a tool that could not")
            << "tool-call" << QByteArray(R"({"name": "edit", "outcome": "failed", "seconds": 2,
                                             "result": "Cannot edit.\nThe nearest lines are: a"})")
            << "edit failed, 2.00 s: Cannot edit.";
        QTest::newRow("a tool that could")
            << "tool-call"
            << QByteArray(R"({"name": "edit", "outcome": "ok", "seconds": 2, "result": "1 edit"})")
            << "edit ok, 2.00 s";
        const auto memory = [](const char *row, const QByteArray &body, const char *line) {
            QTest::newRow(row) << "agent-memory" << QByteArray("{\"memory\": " + body + "}") << line;
        };
        memory("its copy", R"({"hand": {"turns": 1}})", "the agent keeps its copy of the text");
        memory("what it was told", R"({"said": {"message": {"role": "person"}}})",
               "the agent keeps what it was told");
        memory("its turn", R"({"hand": {"turns": 1}, "said": {"message": {"role": "model"}}})",
               "the agent keeps its own turn");
        memory("tools", R"({"said": {"message": {"results": []}}})",
               "the agent keeps what the tools answered");
        memory("another's", R"({"session": "s1"})", "the agent keeps its session");
    }
    void aRowSaysWhatItIsAbout() {
        QFETCH(QString, kind);
        QFETCH(QByteArray, body);
        TrajectoryEvent event;
        event.kind = kind;
        event.body = parseJson(body).value();
        QTEST(eventSummary(event), "line");
    }

    void aMessageInOneLineHasNoSignsOfMarkdown_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line");
        QTest::newRow("strong") << "**Step 2 of 7.** Rows are short"
                                << "agent: Step 2 of 7. Rows are short";
        QTest::newRow("code") << "call `__ldcs(x)` once"
                              << "agent: call __ldcs(x) once";
        QTest::newRow("a heading") << "## What it was"
                                   << "agent: What it was";
        QTest::newRow("pointers") << "float **x, int **y"
                                  << "agent: float **x, int **y";
        QTest::newRow("powers") << "2 ** 3 ** 2"
                                << "agent: 2 ** 3 ** 2";
    }
    void aMessageInOneLineHasNoSignsOfMarkdown() {
        QFETCH(QString, text);
        TrajectoryEvent event;
        event.kind = QStringLiteral("message");
        event.body = Json{{"role", "agent"}, {"text", text.toStdString()}};
        QTEST(eventSummary(event), "line");
    }

    void anEventIsToldAtLength() {
        QFETCH(QString, kind);
        QFETCH(QByteArray, body);
        QFETCH(QString, prose);
        TrajectoryEvent event;
        event.kind = kind;
        event.body = parseJson(body).value();
        QCOMPARE(eventProse(event), prose);
    }
};

QObject *makeTestHunkAnswers() {
    return new TestHunkAnswers;
}

#include "tst_hunk_answers.moc"
