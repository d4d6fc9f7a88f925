// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_scene.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/scratch.h"

#include <QRandomGenerator>
#include <QTest>

using namespace warpwright;

namespace {

/// What is compared of a scene.
struct Seen {
    CandidateTexts texts;
    int iteration = 0;
    std::size_t plan = 0;
    std::optional<ScenedProposal> proposal;
    std::vector<LedgerRow> ledger;

    bool operator==(const Seen &) const = default;
};

Seen seenOf(const RunScenes &scenes) {
    const RunScene &now = scenes.now();
    return {scenes.texts(), now.iteration, now.plan.size(), now.proposal, now.ledger.rows()};
}

RunScenes opened(const QString &folder) {
    Result<RunScenes> scenes = RunScenes::open(trajectoryFile(folder));
    if (!scenes.hasValue())
        qFatal("%s", qPrintable(scenes.message()));
    return std::move(scenes).value();
}

} // namespace

class TestRunScene : public QObject {
    Q_OBJECT

private slots:
    // Wherever one comes from, an event looks the same: landmarks hold all that is known.
    void looksTheSameFromBothSides() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        for (int i = 1; i <= 120; ++i) {
            if (i % 11 == 0)
                run.editByHand(textSaying("by hand " + QByteArray::number(i)));
            if (i % 5 == 0)
                run.append("plan", {{"items", {{{"text", "a"}, {"state", "done"}}}}});
            run.accept(textSaying(QByteArray::number(i)), 1 + 0.01 * i);
        }
        run.end();
        RunScenes scenes = opened(run.folder());
        std::vector<Seen> seen{seenOf(scenes)};
        while (scenes.next().value())
            seen.push_back(seenOf(scenes));
        QVERIFY(seen.size() > 700); // so that there are landmarks
        QCOMPARE(seen.back().ledger.size(), std::size_t(120));
        QCOMPARE(seen.back().iteration, 120);
        QVERIFY(seen.back().proposal->outcome == ScenedProposal::Outcome::Applied);
        for (int i = 0; i < 200; ++i) {
            const auto number = QRandomGenerator::global()->bounded(static_cast<int>(seen.size()));
            QVERIFY(scenes.seek(number).hasValue());
            QVERIFY2(seenOf(scenes) == seen[static_cast<std::size_t>(number)],
                     qPrintable(QString::number(number)));
        }
        const auto beyond = scenes.seek(static_cast<qint64>(seen.size()) + 5);
        QVERIFY(!beyond.hasValue() && beyond.message().contains("its last one is"));
    }

    void endsEarlyWhenItIsTold() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        for (int i = 1; i <= 60; ++i)
            run.accept(textSaying(QByteArray::number(i)), 1.5);
        run.end();
        RunScenes scenes = opened(run.folder());
        int asked = 0;
        QVERIFY(scenes.seek(300, [&asked] { return ++asked < 3; }).hasValue());
        QVERIFY(scenes.now().number < 300);
        QVERIFY(scenes.seek(300).hasValue());
        QCOMPARE(scenes.now().number, 300);
    }

    void knowsWhatWasAnsweredUntilThen() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        run.append("proposal", {{"proposal", "p1"},
                                {"iteration", 0},
                                {"title", "one"},
                                {"hunks", {{{"id", "1"}}, {{"id", "2"}}}},
                                {"resultHash", "x"}});
        run.append("decision", {{"proposal", "p1"}, {"hunk", "1"}, {"answer", "reject"}});
        run.append("decision-undone", {{"proposal", "p1"}, {"hunk", "1"}});
        run.append("decision", {{"proposal", "p1"}, {"answer", "accept"}});
        run.append("policy", {{"proposal", "p1"}, {"answer", "keep-as-branch"}});
        run.end();
        RunScenes scenes = opened(run.folder());
        const auto answersAt = [&scenes](qint64 number) {
            return scenes.seek(number).hasValue() && scenes.now().proposal
                       ? static_cast<int>(scenes.now().proposal->answers.given().size())
                       : -1;
        };
        QCOMPARE(answersAt(1), -1);
        QCOMPARE(answersAt(2), 0);
        QCOMPARE(answersAt(3), 1);
        QCOMPARE(answersAt(4), 0);
        QCOMPARE(answersAt(5), 2);
        QVERIFY(scenes.now().proposal->outcome == ScenedProposal::Outcome::Open);
        QCOMPARE(answersAt(6), 2);
        QVERIFY(scenes.now().proposal->outcome == ScenedProposal::Outcome::KeptAsBranch);
        QCOMPARE(answersAt(3), 1);
    }

    void aStepThatIsTakenBackIsNoAcceptedOne() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        run.accept(textSaying("1"), 1.1);
        run.append("step", {{"answer", "keep"}});
        run.accept(textSaying("2"), 1.2);
        run.append("step", {{"answer", "undo"}});
        run.end();
        RunScenes scenes = opened(run.folder());
        std::map<QString, ScenedProposal::Outcome> outcomes;
        while (scenes.next().value())
            if (scenes.now().event.kind == "step")
                outcomes[scenes.now().proposal->id] = scenes.now().proposal->outcome;
        QCOMPARE(outcomes.size(), std::size_t(2));
        QVERIFY(outcomes.begin()->second == ScenedProposal::Outcome::Applied);
        QVERIFY(outcomes.rbegin()->second == ScenedProposal::Outcome::Discarded);
    }

    // Not every agent tells its plan again: what it has proposed under an item's words is no longer ahead.
    void knowsWhatOfThePlanWasDone() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        const auto item = [](const char *text, const char *state) {
            return Json{{"text", text}, {"state", state}};
        };
        run.append("plan", {{"items",
                             {item("One", "waiting"), item("two", "waiting"), item("three", "waiting"),
                              item("four", "dropped")}}});
        run.accept(textSaying("1"), 1.1, "one");
        run.append("proposal", {{"proposal", "p7"},
                                {"iteration", 1},
                                {"title", "two"},
                                {"hunks", {{{"id", "1"}}, {{"id", "2"}}}},
                                {"resultHash", "x"}});
        run.append("decision", {{"proposal", "p7"}, {"answer", "reject"}});
        run.end();
        RunScenes scenes = opened(run.folder());
        std::map<QString, QStringList> seen; // after the last event of each kind
        while (scenes.next().value()) {
            QStringList states;
            for (const PlanItem &one : scenes.now().plan)
                states << one.state;
            seen[scenes.now().event.kind] = states;
        }
        QCOMPARE(seen["plan"], QStringList({"waiting", "waiting", "waiting", "dropped"}));
        QCOMPARE(seen["applied"], QStringList({"done", "waiting", "waiting", "dropped"}));
        QCOMPARE(seen["proposal"], QStringList({"done", "working", "waiting", "dropped"}));
        QCOMPARE(seen["decision"], QStringList({"done", "dropped", "waiting", "dropped"}));
    }

    // Accepted in part it is another text, and that is what was measured of it.
    void tellsTheWholeFromWhatWasWritten() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        const CandidateTexts part = textSaying("part");
        const auto measure = [&run](Json body, const char *id, double microseconds) {
            EvaluationSummary summary;
            summary.id = QString::fromLatin1(id);
            summary.verdict = Verdict::Pass;
            summary.candidate = ArmTiming{microseconds, microseconds, microseconds, 100, true};
            body["evaluation"] = id;
            body["proposal"] = "p1";
            body["summary"] = summaryToJson(summary);
            run.append("evaluation", body);
        };
        run.append("proposal", {{"proposal", "p1"},
                                {"iteration", 0},
                                {"title", "one"},
                                {"hunks", {{{"id", "1"}}, {{"id", "2"}}}},
                                {"resultHash", "x"}});
        measure({{"of", "proposal"}, {"iteration", 0}, {"textHash", "x"}}, "whole", 50);
        run.append("decision", {{"proposal", "p1"}, {"hunk", "1"}, {"answer", "reject"}});
        run.append("decision", {{"proposal", "p1"}, {"answer", "accept"}});
        Json applied = changeToJson(textChange(run.texts(), part));
        applied["proposal"] = "p1";
        run.append("applied", applied);
        run.append("iteration", {{"number", 1}, {"parent", 0}, {"textHash", toJson(textHashOf(part))}});
        measure({{"of", "iteration"}, {"iteration", 1}, {"textHash", toJson(textHashOf(part))}}, "part", 70);
        run.end();
        RunScenes scenes = opened(run.folder());
        QVERIFY(scenes.seek(6).hasValue());
        QVERIFY(scenes.now().proposal->after && !scenes.now().proposal->written);
        QVERIFY(scenes.seek(8).hasValue());
        QCOMPARE(scenes.now().proposal->after->id, QString("whole"));
        QVERIFY(scenes.now().proposal->written.has_value());
        QCOMPARE(scenes.now().proposal->written->id, QString("part"));
        QCOMPARE(scenes.now().proposal->writtenAs, 1);
    }
};

QObject *makeTestRunScene() {
    return new TestRunScene;
}

#include "tst_run_scene.moc"
