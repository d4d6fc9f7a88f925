// SPDX-License-Identifier: GPL-3.0-or-later
// The schema of a trajectory's line: what we write obeys it, what would not replay does not.
#include "tests/agent/recorded_run.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

namespace {

const QString schemaName = QStringLiteral("trajectory-1");

/// A line of each kind that TRAJECTORY.md tells of and accept() does not write.
const char *const otherKinds = R"([
    {"kind":"run-continued","program":"0.1.0","iteration":2,"mode":"auto","baseHash":"HASH","answered":"p2"},
    {"kind":"mode-changed","from":"review","to":"auto"},
    {"kind":"plan","items":[{"text":"vectorize","state":"done"}]},
    {"kind":"tool-call","id":"t1","name":"compile","arguments":{"file":"a.cu"},"seconds":1.5,"outcome":"ok","result":"fine"},
    {"kind":"prompt","id":"q1","epoch":3,"question":"May I?","options":["yes","no"]},
    {"kind":"prompt-answered","id":"q1","epoch":3,"answer":"yes","by":"person"},
    {"kind":"prompt-removed","id":"q2","epoch":3,"why":"stopped"},
    {"kind":"bet","proposal":"p1","by":"person","prediction":{"timeRatio":0.8,"low":0.7,"high":0.9,"words":"less"}},
    {"kind":"messages-waiting","texts":["try shared memory"]},
    {"kind":"result-hidden","proposal":"p1"},
    {"kind":"result-shown","proposal":"p1","why":"the bet is placed"},
    {"kind":"budgets-changed","from":{},"to":{"iterations":5}},
    {"kind":"decision","proposal":"p1","hunk":"h1","answer":"edit","by":"person","reason":"","newLines":["a\n",{"base64":"/wo="}]},
    {"kind":"decision-undone","proposal":"p1","hunk":"h1"},
    {"kind":"decision-redone","proposal":"p1","hunk":"h1"},
    {"kind":"conflict","proposal":"p1","hunk":"h1","mine":["a\n"],"theirs":["b\n"]},
    {"kind":"conflict-resolved","proposal":"p1","hunk":"h1","resolution":"mine"},
    {"kind":"policy","proposal":"p1","answer":"keep-as-branch","why":"slower"},
    {"kind":"step","answer":"keep"},
    {"kind":"usage","tokensIn":1200,"tokensOut":300,"tokensCached":0,"cost":0.02,"currency":"USD","isEstimated":true},
    {"kind":"budget-reached","budget":"iterations","limit":10,"used":10},
    {"kind":"run-paused","why":""},
    {"kind":"run-ended","why":"done"},
    {"kind":"of-the-future","anything":[1,2]}
])";

} // namespace

class TestTrajectorySchema : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with jsonschema"); }

    void acceptsWhatIsWritten() {
        const CliWorld world;
        RecordedRun run(world.path("state"));
        run.begin(textSaying("0 \xff"));
        run.accept(textSaying("1"), 1.1);
        run.editByHand({{"kernels/b.cu", "int b;\n"}});
        run.restore(1, textSaying("1"));
        QByteArray kinds(otherKinds);
        kinds.replace("HASH", QByteArray(64, 'a'));
        const auto others = parseJson(kinds);
        QVERIFY2(others.hasValue(), qPrintable(others.message()));
        for (const Json &event : others.value())
            run.append(event["kind"].get<std::string>().c_str(), event);
        QFile file(run.writer().file());
        QVERIFY(file.open(QIODevice::ReadOnly));
        OrderedJson lines = OrderedJson::array();
        while (!file.atEnd())
            lines.push_back(parseJson<OrderedJson>(file.readLine()).value());
        QCOMPARE(lines.size(), 33U);
        QCOMPARE(CliWorld::schemaComplaints(lines, schemaName), QString());
    }

    void refusesWhatWouldNotReplay_data() {
        QTest::addColumn<QByteArray>("fields");
        const auto row = [](const char *name, const char *fields) {
            QTest::newRow(name) << QByteArray(fields);
        };
        row("no number", R"({"at":"2026-11-21T20:00:00.000Z","kind":"plan","items":[]})");
        row("number 0", R"({"n":0,"at":"2026-11-21T20:00:00.000Z","kind":"plan","items":[]})");
        row("a local time", R"({"n":1,"at":"2026-11-21T20:00:00+01:00","kind":"plan","items":[]})");
        row("another schema",
            R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"run-began","schema":"warpwright.trajectory/2","run":"r","agent":{"kind":"script"},"mode":"auto","baseHash":"HASH"})");
        row("a text without its hash",
            R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"applied","hunks":[]})");
        row("no hash", R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"restored","resultHash":"x"})");
        row("a hunk without its place",
            R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"hand-edit","hunks":[{"file":"a","oldLines":[],"newLines":[]}],"baseHash":"HASH","resultHash":"HASH"})");
        row("an answer that is none",
            R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"decision","proposal":"p1","answer":"maybe","by":"person"})");
        row("a ratio of 0",
            R"({"n":1,"at":"2026-11-21T20:00:00.000Z","kind":"bet","proposal":"p1","by":"person","prediction":{"timeRatio":0}})");
    }
    void refusesWhatWouldNotReplay() {
        QFETCH(QByteArray, fields);
        fields.replace("HASH", QByteArray(64, 'a'));
        const auto line = parseJson<OrderedJson>(fields);
        QVERIFY2(line.hasValue(), qPrintable(line.message()));
        QVERIFY(!CliWorld::schemaComplaints(OrderedJson::array({line.value()}), schemaName).isEmpty());
    }
};

QObject *makeTestTrajectorySchema() {
    return new TestTrajectorySchema;
}

#include "tst_trajectory_schema.moc"
