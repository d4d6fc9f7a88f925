// SPDX-License-Identifier: GPL-3.0-or-later
// `wright tune --agent model:NAME`: a server that plays an engineer by rules, real compilers, the fake judge.
// Killed and continued, replayed without the server; its key is found nowhere.
#include "agent/endpoints/model_profiles.h"
#include "agent/factory/reopened_run.h"
#include "agent/record/replay.h"
#include "tests/cli/cli_world.h"
#include "tests/model/engineer_server.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

const QByteArray key = "sk-marked-0815-never-written";

QByteArray readAll(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Files below `folder` that hold these bytes.
QStringList filesHolding(const QByteArray &bytes, const QString &folder) {
    QStringList found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext())
        if (const QString path = files.next(); readAll(path).contains(bytes))
            found << path;
    return found;
}

} // namespace

class TestTuneModel : public QObject {
    Q_OBJECT

    CliWorld m_world;
    QString m_workspace;
    std::unique_ptr<EngineerServer> m_server;

    [[nodiscard]] QString trajectory() const {
        const QDir runs(runsFolder(m_workspace + "/.warpwright"));
        for (const QString &name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            return trajectoryFile(runs.filePath(name));
        return {};
    }
    [[nodiscard]] std::vector<TrajectoryEvent> events(const QString &kind) const {
        std::vector<TrajectoryEvent> found;
        for (const QByteArray &line : readAll(trajectory()).split('\n'))
            if (const auto event = eventFromLine(line); event.hasValue() && event.value().kind == kind)
                found.push_back(event.value());
        return found;
    }
    [[nodiscard]] QByteArray gate() const { return readAll(m_workspace + "/kernels/gate.cpp"); }
    void addIdea(int number, const QByteArray &title, const QByteArray &patch) const {
        const QString name = QStringLiteral("lesson/steps/%1").arg(number);
        m_world.write(name + ".patch", "--- a/kernels/gate.cpp\n+++ b/kernels/gate.cpp\n" + patch);
        m_world.write(name + ".json", "{\"title\": \"" + title + "\", \"reason\": \"Fewer divisions.\"}");
    }
    void setUp(Dialect dialect) {
        m_workspace = m_world.workspace("base", "tuned");
        m_world.write(m_workspace + "/kernels/gate.cpp", gate() + "// fake judge: times=200,220,150\n");
        QDir(m_world.path("lesson")).removeRecursively();
        addIdea(1, "Divide once",
                "@@ -5,1 +5,2 @@\n-#pragma omp parallel for schedule(static)\n+    float one = 1.0f;\n"
                "+#pragma omp parallel for schedule(static)\n"
                "@@ -10,1 +11,1 @@\n-// fake judge: times=200,220,150\n+// fake judge: times=120,220,150\n");
        addIdea(2, "Halve it",
                "@@ -11,1 +11,1 @@\n-// fake judge: times=120,220,150\n+// fake judge: times=80,220,150\n");
        serve(dialect);
    }
    void serve(Dialect dialect) {
        m_server = std::make_unique<EngineerServer>(m_world.path("lesson"),
                                                    QStringList{"--key", QString::fromUtf8(key)});
        QVERIFY(m_server->isListening());
        ModelProfile profile = m_server->profile(dialect);
        profile.key = {KeySource::Kind::Environment, "ENGINEERS_KEY"};
        m_world.environment.insert("XDG_CONFIG_HOME", m_world.path("config"));
        m_world.environment.insert("ENGINEERS_KEY", QString::fromUtf8(key));
        ModelProfiles profiles;
        profiles.put(profile);
        QDir().mkpath(m_world.path("config/warpwright"));
        QVERIFY(profiles.store(m_world.path("config/warpwright/models.json")).hasValue());
    }
    /// The exit code; −9: it was killed as soon as so many of these events were there.
    int run(const QStringList &arguments, const QString &kind, std::size_t count, QByteArray &said) {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(), arguments);
        process.closeWriteChannel();
        const bool isThere = QTest::qWaitFor(
            [&] {
                return process.state() == QProcess::NotRunning ||
                       (!kind.isEmpty() && events(kind).size() >= count);
            },
            300'000);
        if (process.state() != QProcess::NotRunning && (!isThere || !kind.isEmpty()))
            process.kill();
        process.waitForFinished(60'000);
        said = process.readAll();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -9;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("FAKE_JUDGE", "intext");
    }

    void tunesIsKilledAndGoesOn_data() {
        QTest::addColumn<int>("dialect");
        QTest::newRow("chat completions") << static_cast<int>(Dialect::OpenAiChat);
        QTest::newRow("responses") << static_cast<int>(Dialect::OpenAiResponses);
        QTest::newRow("messages") << static_cast<int>(Dialect::Anthropic);
    }
    void tunesIsKilledAndGoesOn() {
        QFETCH(int, dialect);
        setUp(static_cast<Dialect>(dialect));
        const QStringList arguments{"tune",   m_workspace, "--agent",  "model:engineer",
                                    "--mode", "auto",      "--device", "cpu"};
        QByteArray said;
        QByteArray all;
        int code = run(arguments, "tool-call", 9, said);
        all += said;
        QVERIFY2(code == -9, said);
        for (const auto &[kind, count] : std::vector<std::pair<QString, std::size_t>>{
                 {"proposal", 1}, {"applied", 1}, {"tool-call", 24}}) {
            code = run({"tune", m_workspace, "--continue"}, kind, count, said);
            all += said;
            QVERIFY2(code == -9 || code == 0, said);
            if (!events("run-ended").empty()) // it was over before the signal reached it
                code = 0;
            if (code == 0)
                break;
        }
        if (code != 0) {
            code = run({"tune", m_workspace, "--continue"}, {}, 0, said);
            all += said;
        }
        QVERIFY2(code == 0, said.right(1500));
        QVERIFY2(gate().contains("// fake judge: times=80"), gate() + all);
        QVERIFY2(gate().contains("    float one = 1.0f;"), gate());
        QVERIFY2(!gate().contains("flaot"), gate()); // it read the compiler's words, and mended it
        QVERIFY(events("tool-call").size() >= 20);
        QVERIFY2(!m_server->told().contains("refused"), m_server->told().toUtf8());
        QVERIFY2(all.contains("DONE"), said.right(1500));

        // Told again without the server, byte for byte.
        m_server->kill();
        const CliOutcome replayed = m_world.run({"replay", trajectory()});
        QVERIFY2(replayed.exitCode == 0, replayed.words());
        QVERIFY(!replayed.output.contains("agent-memory") && !replayed.output.contains("kept by the agent"));

        // The key is nowhere but in the environment.
        QVERIFY2(!all.contains(key), all);
        QVERIFY(!replayed.words().contains(key));
        const QString everywhere = m_world.path("");
        QCOMPARE(filesHolding(key, everywhere), QStringList());
        const QString planted = m_world.write("data/planted.log", "key: " + key);
        QCOMPARE(filesHolding(key, everywhere), QStringList{planted}); // the search finds one
        QFile::remove(planted);
    }

    void goesOnFromTheExpert() {
        setUp(Dialect::OpenAiChat);
        m_server->kill();
        // Slower than the expert's kernels are expected to be: else it would propose nothing.
        m_world.environment.insert("FAKE_JUDGE", "intext times=5000,9000,8000");
        QByteArray said;
        QCOMPARE(run({"tune", m_workspace, "--agent", "model:engineer", "--expert-first", "--mode", "auto",
                      "--device", "cpu"},
                     {}, 0, said),
                 2);
        said = said.simplified(); // it is wrapped
        QVERIFY2(said.contains("playbook has nothing more") && said.contains("engineer goes on."), said);
        QVERIFY2(said.contains("nothing listens"), said);
        const std::size_t byExpert = events("proposal").size();
        QVERIFY2(byExpert > 0, said);
        serve(Dialect::OpenAiChat);
        QCOMPARE(run({"tune", m_workspace, "--continue"}, {}, 0, said), 0);
        QVERIFY2(said.contains("DONE"), said);
        QVERIFY2(!events("tool-call").empty(), said);
        QVERIFY2(!said.simplified().contains("playbook has nothing more"), said);
    }

    void endsABenchThatNoTaskCanPass_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("wrong key") << "wrong key"
                                   << "invalid key";
        QTest::newRow("no key") << "no key"
                                << "ENGINEERS_KEY";
        QTest::newRow("no server") << "no server"
                                   << "nothing listens";
    }
    void endsABenchThatNoTaskCanPass() {
        QFETCH(QString, what);
        QFETCH(QString, words);
        setUp(Dialect::OpenAiChat);
        QDir(m_world.path("bench")).removeRecursively();
        if (what == "wrong key")
            m_world.environment.insert("ENGINEERS_KEY", "sk-of-somebody-else");
        else if (what == "no key")
            m_world.environment.remove("ENGINEERS_KEY");
        else
            m_server->kill();
        const QStringList bench{"bench",   "tasks",          "adamw_update", "dice_by_class",
                                "--agent", "model:engineer", "--device",     "cpu",
                                "--json",  "--small",        "--out",        m_world.path("bench")};
        const CliOutcome ended = m_world.run(bench, 240'000);
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.errors.contains("no further task would get past this: ") &&
                     ended.errors.contains(words) && ended.errors.contains("go on with --resume."),
                 ended.words());
        QCOMPARE(ended.document["tasks"].size(), std::size_t(1));
        QCOMPARE(stringIn(ended.document["tasks"][0], "verdict"), QString("not-run"));
        if (what != "no server")
            return;
        serve(Dialect::OpenAiChat);
        const CliOutcome more = m_world.run(bench + QStringList{"--resume"}, 240'000);
        QCOMPARE(more.exitCode, 0);
        QCOMPARE(more.document["tasks"].size(), std::size_t(2));
        // Every row that called a model has what it used, and so has the summary.
        const OrderedJson &used = more.document["summary"]["used"];
        QVERIFY2(used.is_object() && used["tasks"] == 2 && used["tokensIn"].get<qint64>() > 100,
                 more.words());
        const CliOutcome joined =
            m_world.run({"bench", "tasks", "--join", m_world.path("bench/results.jsonl")});
        QVERIFY2(joined.output.contains("used by 2 tasks: "), joined.words());
    }

    /// The model's profile was renamed since: the run says so, and goes on with another.
    void goesOnWithAnotherModel() {
        setUp(Dialect::OpenAiChat);
        QByteArray said;
        QCOMPARE(run({"tune", m_workspace, "--agent", "model:engineer", "--mode", "auto", "--device", "cpu"},
                     "proposal", 1, said),
                 -9);
        const QString file = m_world.path("config/warpwright/models.json");
        ModelProfiles profiles = ModelProfiles::load(file).value();
        ModelProfile renamed = *profiles.find("engineer");
        profiles.remove("engineer");
        renamed.name = "renamed";
        profiles.put(renamed);
        QVERIFY(profiles.store(file).hasValue());

        QCOMPARE(run({"tune", m_workspace, "--continue"}, {}, 0, said), 2);
        QVERIFY2(
            said.contains("it was by model:engineer, and there is no profile of this name any more; choose "
                          "one with --agent: model:renamed"),
            said);
        QCOMPARE(run({"tune", m_workspace, "--continue", "--agent", "acp:codex"}, {}, 0, said), 2);
        QVERIFY2(said.contains("acp:codex is of another kind"), said);
        QCOMPARE(run({"tune", m_workspace, "--continue", "--agent", "model:renamed"}, {}, 0, said), 0);
        QVERIFY2(gate().contains("// fake judge: times=80"), gate());
        // The record says who went on, and knows it when it is read again.
        const std::vector<TrajectoryEvent> continued = events("run-continued");
        QCOMPARE(continued.size(), std::size_t(1));
        QCOMPARE(stringIn(continued.front().body["agent"], "name"), QString("renamed"));
        QCOMPARE(agentOfRun(m_workspace + "/.warpwright", QFileInfo(trajectory()).dir().dirName()).text(),
                 QString("model:renamed"));
        const CliOutcome replayed = m_world.run({"replay", trajectory()});
        QVERIFY2(replayed.exitCode == 0 && replayed.output.contains("with renamed in the place of"),
                 replayed.words());
    }

    void saysWhatIsMissing_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no such model") << "name" << QByteArray("There is no model \"nobody\"");
        QTest::newRow("wrong key") << "wrong key" << QByteArray("invalid key");
        QTest::newRow("no key") << "no key" << QByteArray("ENGINEERS_KEY");
        QTest::newRow("no server") << "no server" << QByteArray("nothing listens");
    }
    void saysWhatIsMissing() {
        QFETCH(QString, what);
        QFETCH(QByteArray, words);
        setUp(Dialect::OpenAiChat);
        if (what == "wrong key")
            m_world.environment.insert("ENGINEERS_KEY", "sk-of-somebody-else");
        else if (what == "no key")
            m_world.environment.remove("ENGINEERS_KEY");
        else if (what == "no server")
            m_server->kill();
        QByteArray said;
        const QString name = what == "name" ? "model:nobody" : "model:engineer";
        QCOMPARE(
            run({"tune", m_workspace, "--agent", name, "--mode", "auto", "--device", "cpu"}, {}, 0, said), 2);
        QVERIFY2(said.contains(words), said);
        QVERIFY2(!said.contains(key) && !said.contains("sk-of-somebody-else"), said);
    }
};

QObject *makeTestTuneModel() {
    return new TestTuneModel;
}
#include "tst_tune_model.moc"
