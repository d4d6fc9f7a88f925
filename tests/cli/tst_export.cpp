// SPDX-License-Identifier: GPL-3.0-or-later
// The judge's `export`, and the script that runs a candidate on what it wrote: on the CPU, without a
// sanitizer.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/check/sanitizer_plan.h"
#include "toolchain/judge/judge_setup.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QEventLoop>
#include <QProcess>
#include <QTest>
#include <QTimer>

using namespace warpwright;

namespace {

QString runFolderBelow(const QString &folder) {
    QDirIterator files(folder, {QStringLiteral("cuda_extension.so")}, QDir::Files | QDir::Hidden,
                       QDirIterator::Subdirectories);
    return files.hasNext() ? QFileInfo(files.next()).path() : QString();
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// Opens the task and asks for one `export` after the other.
    std::vector<Json> exported(const QString &workspace, const QString &runFolder,
                               const QStringList &folders) {
        const DataFolders places =
            DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        const Toolchain toolchain = m_world.toolchain();
        const Result<Workspace> opened = Workspace::open(workspace, places);
        std::vector<Json> answers;
        if (!opened.hasValue() || !toolchain.python)
            return answers;
        const DeviceChoice device;
        Result<JudgeSession::Setup> setup = makeJudgeSetup(JudgeNeeds{
            opened.value(), toolchain, device, places, Tier::Certify, {}, m_world.path("scratch")});
        if (!setup.hasValue())
            qFatal("%s", qPrintable(setup.message()));
        JudgeSession judge(std::move(setup).value());
        QEventLoop loop;
        const auto next = [&] {
            if (answers.size() == static_cast<std::size_t>(folders.size()))
                return judge.stop();
            const QString folder = folders[static_cast<qsizetype>(answers.size())];
            QDir().mkpath(folder);
            judge.exportInputs({{"folder", toJson(folder)}, {"runFolder", toJson(runFolder)}});
        };
        QObject::connect(&judge, &JudgeSession::opened, &loop, next);
        QObject::connect(&judge, &JudgeSession::answered, &loop, [&](const QString &, const Json &reply) {
            answers.push_back(reply);
            next();
        });
        QObject::connect(&judge, &JudgeSession::refused, &loop, [&](const JudgeError &error) {
            qWarning("%s", qPrintable(plainText(error.message)));
            judge.stop();
        });
        QObject::connect(&judge, &JudgeSession::stopped, &loop, &QEventLoop::quit);
        judge.start();
        loop.exec();
        return answers;
    }

    static QProcessEnvironment plain() {
        QProcessEnvironment environment;
        environment.insert("PATH", "/usr/bin:/bin");
        return environment;
    }

private slots:
    void aCandidateRunsOnWhatTheJudgeWrote() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        const QString workspace = m_world.workspace("base");
        const CliOutcome checked =
            m_world.run({"check", workspace, "--device", "cpu", "--stages", "compile,verify"}, 600000);
        QVERIFY2(checked.exitCode == 0, checked.words());
        const QString runFolder = runFolderBelow(workspace);
        QVERIFY2(!runFolder.isEmpty(), "no run folder");
        const QString first = m_world.path("first");
        const QString second = m_world.path("second");
        const std::vector<Json> answers = exported(workspace, runFolder, {first, second});
        QCOMPARE(answers.size(), std::size_t(2));

        // The sandbox's words name what a candidate must reach, and not the reference.
        const QStringList words = stringsIn(answers[0]["wall"]);
        QVERIFY2(words.contains(runFolder) && words.contains("/usr"), qPrintable(words.join(' ')));
        QVERIFY2(!words.contains(workspace), qPrintable(words.join(' ')));

        // Fresh seeds each time, for inputs and parameters.
        for (const char *name : {"/inputs.bin", "/state.bin"}) {
            const QByteArray one = readTextFile(first + QLatin1String(name)).value();
            const QByteArray other = readTextFile(second + QLatin1String(name)).value();
            QVERIFY2(!one.isEmpty() && one.size() == other.size() && one != other, name);
        }

        QProcess script;
        script.setProcessEnvironment(plain());
        script.start(CliWorld::python(),
                     {"-I", sourceFolder("/toolchain/referee/worker/sanitize.py"), first, runFolder, "cpu"});
        QVERIFY(script.waitForFinished(120000));
        const QByteArray said = script.readAllStandardError();
        QVERIFY2(script.exitCode() == 0 && said.contains(sanitizedMark), said.constData());
        QVERIFY2(script.readAllStandardOutput().isEmpty(), "standard output is the sanitizer's");
    }

    void withoutACudaDeviceNothingIsSanitized() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("FAKE_JUDGE", "");
        const QStringList command{"check", m_world.workspace("base"), "--device", "cpu", "--json", "--tier"};
        CliOutcome outcome = m_world.run(command + QStringList{"certify"});
        QCOMPARE(stringIn(outcome.document["sanitizers"], "reason"), QString("not a CUDA device"));
        QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        outcome = m_world.run(command + QStringList{"quick"});
        QCOMPARE(stringIn(outcome.document["sanitizers"], "status"), QString("not-run"));
        QCOMPARE(stringIn(outcome.document["sanitizers"], "reason"), QString("certify only"));
        complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        m_world.environment.remove("WARPWRIGHT_JUDGE");
    }
};

QObject *makeTestExport() {
    return new TestExport;
}

#include "tst_export.moc"
