// SPDX-License-Identifier: GPL-3.0-or-later
// The whole of `wright tune` killed by kill -9 at random moments and continued until it comes to its end:
// nothing that was accepted or measured is lost, no file is half written, and the end is the one of a run
// that nobody killed. WARPWRIGHT_KILLS says how often (default 4). The judge is the fake one, which reads its
// times in the text.
#include "agent/record/replay.h"
#include "agent/record/run_scene.h"
#include "agent/session/applied_text.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <set>

using namespace warpwright;

namespace {

constexpr int steps = 5;

QByteArray readAll(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestTuneKills : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;
    QString m_script;

    [[nodiscard]] QString state() const { return m_workspace + "/.warpwright"; }
    [[nodiscard]] CandidateTexts onDisk() const {
        const auto workspace = Workspace::open(m_workspace, DataFolders::find());
        const auto texts = workspace.hasValue() ? readCandidateTexts(workspace.value())
                                                : Result<CandidateTexts>::error(workspace.message());
        return texts.hasValue() ? texts.value() : CandidateTexts();
    }
    /// A new workspace, and steps that change two files each: one is slower, one is wrong.
    void begin() {
        m_workspace = m_world.workspace("base", "killed");
        m_script = m_world.path("script");
        QDir(m_script).removeRecursively();
        QByteArray kernel = readAll(m_workspace + "/kernels/gate.cpp");
        QByteArray model = readAll(m_workspace + "/model_new.py");
        for (int step = 1; step <= steps; ++step) {
            const QByteArray number = QByteArray::number(step);
            kernel += step == 3 ? QByteArray("// fake judge: verdict=wrong\n")
                      : step == 4
                          ? QByteArray("// fake judge: times=120,220,150\n")
                          : "// fake judge: times=" + QByteArray::number(100 - 4 * step) + ",220,150\n";
            model += "# step " + number + "\n";
            const QString name =
                QStringLiteral("%1/%2-step").arg(m_script).arg(step, 2, 10, QLatin1Char('0'));
            m_world.write(name + "/kernels/gate.cpp", kernel);
            m_world.write(name + "/model_new.py", model);
            m_world.write(name + ".json", "{\"title\": \"step " + number + "\"}");
        }
    }
    [[nodiscard]] QStringList arguments(const QString &mode, bool isContinued) const {
        if (isContinued)
            return {"tune", m_workspace, "--continue"};
        return {"tune", m_workspace, "--script", m_script, "--mode", mode, "--device", "cpu"};
    }
    static QByteArray answers() { return QByteArray("y\n").repeated(100); }
    /// The exit code; −1: it was killed after so many milliseconds (0: it is left alone).
    int run(const QStringList &arguments, int killAfterMs, QByteArray &said) const {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(), arguments);
        process.write(answers());
        process.closeWriteChannel();
        const bool hasEnded = process.waitForFinished(killAfterMs > 0 ? killAfterMs : 240000);
        if (!hasEnded)
            process.kill();
        process.waitForFinished(30000);
        said = process.readAll();
        return hasEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    [[nodiscard]] QString trajectory() const {
        const QDir runs(runsFolder(state()));
        const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        // One that was killed before it wrote its first line is left behind empty.
        for (const QString &name : names)
            if (QFileInfo(trajectoryFile(runs.filePath(name))).size() > 0)
                return trajectoryFile(runs.filePath(name));
        return {};
    }
    [[nodiscard]] std::vector<IterationRecord> history() const {
        const auto list = IterationStore(state()).list();
        return list.hasValue() ? list.value() : std::vector<IterationRecord>();
    }
    /// Empty: all is as it has to be after a kill.
    [[nodiscard]] QString whatIsLost(const CandidateTexts &base) const {
        // Not for longer than a child takes from its fork to its exec.
        QString held;
        const bool isFree = QTest::qWaitFor(
            [&] {
                WorkspaceLock lock(state());
                lock.take();
                held = lock.message();
                return lock.mayWrite();
            },
            20000);
        if (!isFree)
            return "the lock is held: " + held;
        const IterationStore store(state());
        std::map<QString, std::set<QByteArray>> known;
        for (const auto &[path, text] : base)
            known[path].insert(text);
        for (const IterationRecord &record : history()) {
            const auto texts = store.texts(record.iteration.number);
            if (!texts.hasValue())
                return texts.message();
            for (const auto &[path, text] : texts.value())
                known[path].insert(text);
        }
        for (const auto &[path, text] : onDisk())
            if (known[path].count(text) == 0)
                return "half a file: " + path;
        const QString file = trajectory();
        if (file.isEmpty())
            return {};
        const auto opened = TrajectoryReplay::open(file, historyBeside(file));
        if (!opened.hasValue())
            return readAll(file).contains('\n') ? opened.message() : QString();
        TrajectoryReplay replay = opened.value();
        for (;;) {
            const auto next = replay.next();
            if (!next.hasValue())
                return next.message();
            if (!next.value())
                break;
            if (!next.value()->problem.isEmpty())
                return next.value()->problem;
            const TrajectoryEvent &event = next.value()->event;
            const bool isOfIteration =
                event.kind == QLatin1String("iteration") ||
                (event.kind == QLatin1String("evaluation") && event.text("of") == QLatin1String("iteration"));
            if (!isOfIteration)
                continue;
            const int number = static_cast<int>(
                event.integer(event.kind == QLatin1String("iteration") ? "number" : "iteration"));
            const auto texts = store.texts(number);
            if (!texts.hasValue() || textHashOf(texts.value()) != event.text("textHash"))
                return QStringLiteral("iteration %1 is not in the history: %2")
                    .arg(number)
                    .arg(texts.message());
        }
        return {};
    }
    /// Iterations by note, in order; the end of a run in short.
    [[nodiscard]] QStringList notes() const {
        QStringList all;
        for (const IterationRecord &record : history())
            all << record.iteration.note;
        return all;
    }
    [[nodiscard]] QString whatIsWrongAtTheEnd() const {
        const QString file = trajectory();
        TrajectoryReplay replay = TrajectoryReplay::open(file).value(); // by itself, without the history
        std::set<qint64> told;
        for (;;) {
            const auto next = replay.next();
            if (!next.hasValue() || !next.value())
                break;
            const TrajectoryEvent &event = next.value()->event;
            told.insert(event.kind == QLatin1String("iteration")   ? event.integer("number")
                        : event.kind == QLatin1String("run-began") ? event.integer("iteration")
                                                                   : 0);
        }
        if (!replay.problems().empty())
            return replay.problems().front().message;
        if (replay.texts() != onDisk())
            return "the replay ends with another text than the one on the disk";
        for (const IterationRecord &record : history())
            if (told.count(record.iteration.number) == 0)
                return QStringLiteral("the trajectory does not tell of iteration %1")
                    .arg(record.iteration.number);
        return {};
    }

    /// The texts that Auto may leave: the one it began with, and each that its policy has accepted.
    [[nodiscard]] std::set<QString> keptTexts(const QString &base) const {
        std::set<QString> kept{base};
        std::map<QString, QString> results;
        const TrajectoryReader reader(trajectory());
        for (qint64 offset = 0;;) {
            const auto page = reader.page(offset, 1000);
            if (!page.hasValue())
                return kept;
            for (const TrajectoryEvent &event : page.value().events) {
                if (event.kind == QLatin1String("proposal"))
                    results[event.text("proposal")] = event.text("resultHash");
                else if (event.kind == QLatin1String("policy") && event.text("answer") == "accept")
                    kept.insert(results[event.text("proposal")]);
            }
            if (page.value().isLast)
                return kept;
            offset = page.value().next;
        }
    }
    /// False: it had come to its end before.
    bool breakOff(bool isStop, int afterMs, QByteArray &said) const {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(), arguments("auto", false));
        bool hasEnded = process.waitForFinished(afterMs);
        const bool isHit = !hasEnded;
        if (isHit && isStop)
            for (int i = 0; i < 2 && !hasEnded; ++i) {                   // the first one pauses
                ::kill(static_cast<pid_t>(process.processId()), SIGINT); // of one that has ended it is 0: us
                hasEnded = process.waitForFinished(i == 0 ? 50 : 30000);
            }
        if (!hasEnded)
            process.kill();
        process.waitForFinished(30000);
        said = process.readAll();
        return isHit;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("FAKE_JUDGE", "intext");
    }

    void comesToTheSameEnd_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("auto") << "auto";
        QTest::newRow("review") << "review";
    }
    void comesToTheSameEnd() {
        QFETCH(const QString, mode);
        const int asked = std::max(1, qEnvironmentVariableIntValue("WARPWRIGHT_KILLS"));
        const int kills = qEnvironmentVariableIsSet("WARPWRIGHT_KILLS") ? (asked + 1) / 2 : 2;
        begin();
        QByteArray said;
        int code = run(arguments(mode, false), 0, said);
        QVERIFY2(code == 0, said);
        begin(); // its objects are kept: this is how long a life may last
        QElapsedTimer clock;
        clock.start();
        code = run(arguments(mode, false), 0, said);
        QVERIFY2(code == 0, said);
        const auto whole = static_cast<int>(clock.elapsed());
        const CandidateTexts end = onDisk();
        const QStringList endNotes = notes();
        QCOMPARE(whatIsWrongAtTheEnd(), QString());

        int done = 0;
        int runs = 0;
        while (done < kills) {
            begin();
            ++runs;
            const CandidateTexts base = onDisk();
            int exitCode = -1;
            for (int life = 0; exitCode != 0; ++life) {
                QVERIFY2(life < 200, said);
                const bool goesOn = !trajectory().isEmpty() && readAll(trajectory()).contains('\n');
                const int after =
                    done < kills ? 1 + static_cast<int>(QRandomGenerator::global()->bounded(whole)) : 0;
                exitCode = run(arguments(mode, goesOn), after, said);
                if (exitCode == 2 && goesOn && said.contains("Nothing to continue"))
                    exitCode = 0; // it was killed after its last line
                if (exitCode < 0)
                    ++done;
                else
                    QVERIFY2(exitCode == 0, said);
                const QString lost = whatIsLost(base);
                QVERIFY2(lost.isEmpty(),
                         qPrintable(lost + "\nafter " + QString::number(done) + " kills\n" + said));
            }
            QCOMPARE(whatIsWrongAtTheEnd(), QString());
            QCOMPARE(onDisk(), end);
            QVERIFY2(notes() == endNotes,
                     qPrintable(notes().join(QLatin1String(" | ")) + QLatin1String("\ninstead of ") +
                                endNotes.join(QLatin1String(" | ")) + QLatin1Char('\n') + said));
        }
        qInfo("%s: %d kills in %d runs, each of which came to its end", qPrintable(mode), done, runs);
    }

    // However it ends, at once after a stop and after the next start that follows a kill: never one that was
    // only being tried. Half of WARPWRIGHT_KILLS are stops.
    void leavesATextThatWasKept_data() {
        QTest::addColumn<bool>("isStop");
        QTest::newRow("kills") << false;
        QTest::newRow("stops") << true;
    }
    void leavesATextThatWasKept() {
        QFETCH(const bool, isStop);
        const int asked = qEnvironmentVariableIntValue("WARPWRIGHT_KILLS");
        const int wanted = asked > 0 ? (asked + 1) / 2 : 3;
        begin();
        QByteArray said;
        QElapsedTimer clock;
        clock.start();
        QVERIFY2(run(arguments("auto", false), 0, said) == 0, said);
        const auto whole = static_cast<int>(clock.elapsed());
        int hits = 0, tries = 0;
        for (; hits < wanted && tries < 4 * wanted; ++tries) {
            begin();
            const QString base = textHashOf(onDisk());
            const bool isHit = breakOff(isStop, 1 + QRandomGenerator::global()->bounded(whole), said);
            hits += isHit ? 1 : 0;
            if (!isStop) {
                const Workspace workspace = Workspace::open(m_workspace, DataFolders::find()).value();
                WorkspaceLock lock(state());
                QVERIFY(
                    QTest::qWaitFor([&lock] { return lock.take() == WorkspaceLock::State::Held; }, 20000));
                const Result<QString> finished = finishInterrupted(workspace, lock);
                QVERIFY2(finished.hasValue(), qPrintable(finished.message()));
            }
            const QString now = textHashOf(onDisk());
            QVERIFY2(keptTexts(base).count(now) > 0,
                     qPrintable(now + "\n" + QString::fromUtf8(readAll(trajectory()) + said)));
            // What was pending is in the tree, unless the program died with it.
            if (isStop && isHit)
                for (const IterationRecord &record : history())
                    QVERIFY2(record.mark != IterationMark::TakenBack,
                             "nothing is tried in the folder in Auto");
        }
        qInfo("%d of %d broken off while they ran; a run takes %d ms", hits, tries, whole);
        QVERIFY(hits >= wanted);
    }

    void theNextCheckTakesAStepBackThatDied() {
        begin();
        const CandidateTexts base = onDisk();
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(), arguments("step", false));
        QByteArray said;
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         said += process.readAll();
                         return said.contains("Keep this step?");
                     },
                     120000),
                 said);
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY(onDisk() != base);
        QCOMPARE(run({"check", m_workspace, "--device", "cpu"}, 0, said), 0);
        QVERIFY2(said.contains("That was finished: the text there is iteration 1."), said);
        QCOMPARE(onDisk(), base);
        QCOMPARE(run({"log", m_workspace}, 0, said), 0);
        QVERIFY2(said.contains("taken back: the run ended before it was kept"), said);
    }

    void saysWhyARunCannotGoOn() {
        begin();
        QByteArray said;
        QCOMPARE(run({"tune", m_workspace, "--continue"}, 0, said), 2);
        QVERIFY2(said.contains("Nothing to continue"), said);
        QCOMPARE(run({"tune", m_workspace, "--continue", "20200101"}, 0, said), 2);
        QVERIFY2(said.contains("there is none of this name"), said);
        QCOMPARE(run(arguments("auto", false), 0, said), 0);
        const QString id = QFileInfo(trajectory()).dir().dirName();
        QCOMPARE(run({"tune", m_workspace, "--continue", id}, 0, said), 2);
        QVERIFY2(said.contains("it came to its end"), said);
    }

    // A budget counts on; what was typed meanwhile is the person's; a folder of other steps is refused.
    void goesOnWithBudgetAndHandEdit() {
        begin();
        QByteArray said;
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), arguments("review", false) << "--iterations"
                                                                  << "3");
        process.write("y\ny\n"); // of step 1; then it waits
        QVERIFY(QTest::qWaitFor(
            [&] {
                const QString file = trajectory();
                return !file.isEmpty() && readAll(file).count("\"kind\":\"proposal\"") >= 2;
            },
            120000));
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY(readAll(m_workspace + "/model_new.py").contains("# step 1\n"));

        const QByteArray step = readAll(m_script + "/01-step.json");
        m_world.write(m_script + "/01-step.json", "{\"title\": \"another\"}");
        QCOMPARE(run({"tune", m_workspace, "--continue"}, 0, said), 2);
        QVERIFY2(said.contains("The folder of the script has changed since"), said);
        m_world.write(m_script + "/01-step.json", step);

        const QByteArray model = readAll(m_workspace + "/model_new.py");
        m_world.write(m_workspace + "/model_new.py", "# by hand\n" + model);
        const int code = run({"tune", m_workspace, "--continue", "--mode", "auto"}, 0, said);
        QVERIFY2(code == 0, said);
        QVERIFY2(said.contains("was changed by hand") && said.contains("budget of iterations"), said);
        QVERIFY(said.contains("\"step 2\" was not, and is proposed once more"));
        const QByteArray lines = readAll(trajectory());
        QCOMPARE(lines.count("\"kind\":\"run-continued\""), 1);
        QCOMPARE(lines.count("\"kind\":\"run-began\""), 1);
        QVERIFY(readAll(m_workspace + "/model_new.py").startsWith("# by hand\n"));
        QCOMPARE(whatIsWrongAtTheEnd(), QString());
        // Steps 1, 2 and 3 were dealt with: 3 of 3.
        QVERIFY(lines.contains("\"used\":3"));
    }
};

QObject *makeTestTuneKills() {
    return new TestTuneKills;
}

#include "tst_tune_kills.moc"
