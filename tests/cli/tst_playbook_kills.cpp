// SPDX-License-Identifier: GPL-3.0-or-later
// `wright tune --agent playbook`, killed or stopped at one event after the other and continued: the same
// proposals follow as in a run that nobody stopped, and none twice. The judge is the fake one, which gives
// each text of the playbook the same times.
#include "agent/record/replay.h"
#include "agent/record/run_scene.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

QByteArray readAll(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Proposed {
    QString id;
    QString title;
    QString resultHash;
    double predicted = 0;
    bool operator==(const Proposed &) const = default;
};

} // namespace

class TestPlaybookKills : public QObject {
    Q_OBJECT

    CliWorld m_world;
    QString m_workspace;

    void begin(const QString &name, bool isSlow) {
        m_workspace = m_world.workspace("base", name);
        QDir(m_world.path("data")).removeRecursively(); // and what was measured of moves
        m_world.environment.insert("WARPWRIGHT_DATA", m_world.path("data"));
        if (isSlow) // so the first text of the playbook, which has no such words, is kept
            m_world.write(m_workspace + "/kernels/gate.cpp", readAll(m_workspace + "/kernels/gate.cpp") +
                                                                 "// fake judge: times=10000,11000,7500\n");
    }
    [[nodiscard]] QString trajectory() const {
        const QDir runs(runsFolder(m_workspace + "/.warpwright"));
        for (const QString &name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            return trajectoryFile(runs.filePath(name));
        return {};
    }
    [[nodiscard]] std::vector<TrajectoryEvent> events(const QString &kind = {}) const {
        std::vector<TrajectoryEvent> found;
        for (const QByteArray &line : readAll(trajectory()).split('\n'))
            if (const auto event = eventFromLine(line);
                event.hasValue() && (kind.isEmpty() || event.value().kind == kind))
                found.push_back(event.value());
        return found;
    }
    [[nodiscard]] std::vector<Proposed> proposals() const {
        std::vector<Proposed> all;
        for (const TrajectoryEvent &event : events("proposal"))
            all.push_back({event.text("proposal"), event.text("title"), event.text("resultHash"),
                           predictionFromJson(event.body["prediction"]).timeRatio.value_or(0)});
        return all;
    }
    /// Lines of the table without their times, in any order.
    [[nodiscard]] QStringList measured() const {
        QStringList all;
        for (const QByteArray &line :
             readAll(m_world.path("data") + "/playbook-measurements.jsonl").split('\n'))
            if (const Result<Json> json = parseJson(line); json.hasValue())
                all << stringIn(json.value(), "kernels") + ' ' + stringIn(json.value(), "move") + ' ' +
                           QString::number(json.value()["ratio"].get<double>());
        all.sort();
        return all;
    }
    [[nodiscard]] CandidateTexts onDisk() const {
        return readCandidateTexts(Workspace::open(m_workspace, DataFolders::find()).value()).value();
    }
    /// The exit code; −9: it was killed as soon as so many of these events were there. `how` SIGINT: twice,
    /// as a person stops a run.
    int run(const QStringList &arguments, const QString &kind, std::size_t count, int how, QByteArray &said) {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        const std::size_t before = events().size(); // and it listens once it has written one
        process.start(wrightProgram(), arguments);
        process.write(QByteArray("y\n").repeated(200));
        process.closeWriteChannel();
        const bool isThere = QTest::qWaitFor(
            [&] {
                return process.state() == QProcess::NotRunning ||
                       (!kind.isEmpty() && events(kind).size() >= count && events().size() > before);
            },
            300000);
        if (process.state() != QProcess::NotRunning && (!isThere || how == SIGKILL))
            process.kill();
        for (int times = 0; process.state() != QProcess::NotRunning && how == SIGINT && times < 2; ++times) {
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QTest::qWait(500);
        }
        process.waitForFinished(60000);
        said = process.readAll();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -9;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        // Slower than its kernels are expected to be: else it would propose nothing.
        m_world.environment.insert("FAKE_JUDGE", "intext times=5000,9000,8000");
    }

    void comesToTheSameEnd_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<bool>("isSlow");
        QTest::addColumn<int>("how");
        QTest::newRow("auto, killed") << "auto" << true << SIGKILL;
        QTest::newRow("auto, stopped, the first text is refused") << "auto" << false << SIGINT;
        QTest::newRow("review, killed") << "review" << true << SIGKILL;
    }
    void comesToTheSameEnd() {
        QFETCH(const QString, mode);
        QFETCH(const bool, isSlow);
        QFETCH(const int, how);
        const auto arguments = [&] {
            return QStringList{"tune", m_workspace, "--agent", "playbook",     "--mode",
                               mode,   "--device",  "cpu",     "--iterations", "4"};
        };
        begin("whole", isSlow);
        QByteArray said;
        QVERIFY2(run(arguments(), {}, 0, SIGKILL, said) == 0, said);
        const std::vector<Proposed> whole = proposals();
        const CandidateTexts end = onDisk();
        const QStringList table = measured();
        QVERIFY2(!events("run-ended").empty(), said);
        const QString ending = events("run-ended").back().text("why");
        QVERIFY2(!whole.empty(), said);

        begin("whole", isSlow); // the same folder, so the same texts
        const QString decided =
            mode == QLatin1String("auto") ? QStringLiteral("policy") : QStringLiteral("applied");
        const std::vector<std::pair<QString, std::size_t>> cuts = {
            {"proposal", 1}, {decided, 1}, {"proposal", 3}, {decided, 2}, {"evaluation", 7}};
        int lives = 0;
        int code = -1;
        for (const auto &[kind, count] : cuts) {
            const bool goesOn = lives++ > 0;
            code = run(goesOn ? QStringList{"tune", m_workspace, "--continue"} : arguments(), kind, count,
                       how, said);
            QVERIFY2(!said.contains("begin anew"), said);
            if (code == 0)
                break;
            if (!events("run-ended").empty()) { // it was over before the signal reached it
                code = 0;
                break;
            }
            QCOMPARE(code, how == SIGKILL ? -9 : 130);
        }
        if (code != 0)
            code = run({"tune", m_workspace, "--continue"}, {}, 0, how, said);
        QVERIFY2(code == 0, said);
        QVERIFY2(!events("run-ended").empty(), said);
        if (lives < 2)
            QSKIP("the run came to its end before it could be broken off");
        // Of each number the last one counts; what was proposed once more was the same.
        std::map<QString, Proposed> byId;
        for (const Proposed &one : proposals()) {
            if (const auto before = byId.find(one.id); before != byId.end())
                QCOMPARE(one.resultHash, before->second.resultHash);
            byId[one.id] = one;
        }
        QCOMPARE(byId.size(), whole.size());
        for (const Proposed &one : whole) {
            QCOMPARE(byId[one.id].title, one.title);
            QCOMPARE(byId[one.id].resultHash, one.resultHash);
            QCOMPARE(byId[one.id].predicted, one.predicted);
        }
        QCOMPARE(onDisk(), end);
        QCOMPARE(events("run-ended").back().text("why"), ending); // «... iterations is used up: 4 of 4»
        QCOMPARE(events("run-began").size(), std::size_t(1));
        // None is remembered twice. What was being timed beside the text before when the program died is
        // timed alone later, which is no measurement of a move.
        QStringList left = table;
        for (const QString &one : measured())
            QVERIFY2(left.removeOne(one), qPrintable(measured().join('\n')));
        TrajectoryReplay replay = TrajectoryReplay::open(trajectory()).value();
        QVERIFY(replay.seek(static_cast<qint64>(events().size())).hasValue());
        QVERIFY(replay.problems().empty());
        QCOMPARE(replay.texts(), end);
    }

    void itsAgentIsThatOfTheRun() {
        begin("whole", true);
        QByteArray said;
        QCOMPARE(run({"tune", m_workspace, "--agent", "playbook", "--mode", "auto", "--device", "cpu"},
                     "proposal", 1, SIGKILL, said),
                 -9);
        QCOMPARE(run({"tune", m_workspace, "--continue", "--script", m_workspace}, {}, 0, SIGKILL, said), 2);
        QVERIFY2(said.contains("its agent is playbook, which takes no --script"), said);
        QCOMPARE(run({"tune", m_workspace, "--continue", "--agent", "playbook"}, {}, 0, SIGKILL, said), 2);
        QVERIFY2(said.contains("leave --agent out"), said);
        QCOMPARE(
            run({"tune", m_workspace, "--continue", "--python", "/nowhere/python"}, {}, 0, SIGKILL, said), 2);
        QVERIFY2(said.contains("/nowhere/python"), said);
        QCOMPARE(run({"tune", m_workspace, "--continue", "--iterations", "1"}, {}, 0, SIGKILL, said), 0);
        QVERIFY2(said.contains("0 proposals were answered") && said.contains("is proposed once more"), said);
        QCOMPARE(proposals().size(), std::size_t(2));
        QCOMPARE(proposals()[1].id, QString("p1"));
    }
};

QObject *makeTestPlaybookKills() {
    return new TestPlaybookKills;
}
#include "tst_playbook_kills.moc"
