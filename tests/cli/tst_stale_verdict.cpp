// SPDX-License-Identifier: GPL-3.0-or-later
// No cache between a text and its verdict may answer for another text, flag, torch or device. The judge is
// the real one and stays warm from check to check, as in a window.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/check/evaluation_run.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace warpwright;

class TestStaleVerdict : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;
    std::unique_ptr<JudgeKeeper> m_keeper;

    [[nodiscard]] EvaluationRequest request() const {
        EvaluationRequest request;
        request.path = m_workspace;
        request.device = "cpu";
        request.lastStage = LastStage::Verify;
        request.folders = DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        request.python = CliWorld::python();
        request.environment = m_world.environment;
        return request;
    }

    [[nodiscard]] Evaluation check(const EvaluationRequest &request) const {
        EvaluationRun run(request);
        run.setKeeper(m_keeper.get());
        const QSignalSpy finished(&run, &EvaluationRun::finished);
        run.start();
        if (!QTest::qWaitFor([&finished] { return finished.size() > 0; }, 600000))
            return {};
        return finished[0][0].value<Evaluation>();
    }

    void edit(const QString &name, const QByteArray &from, const QByteArray &to) const {
        const QString path = m_workspace + '/' + name;
        QByteArray text = readTextFile(path).value();
        QVERIFY2(text.contains(from), text);
        m_world.write(path, text.replace(from, to));
    }

    static QByteArray words(const Evaluation &evaluation) {
        return (verdictName(evaluation.verdict) + ": " + plainText(evaluation.message)).toUtf8();
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_keeper = std::make_unique<JudgeKeeper>();
        m_workspace = m_world.workspace("base", "stale");
        // What each row changes lies in a place of its own; all of it together computes what is asked.
        edit("kernels/gate.cpp", "#include <cmath>\n",
             "#include <cmath>\n\n#include \"sign.h\"\n#ifndef EXTRA\n#define EXTRA 0.0f\n#endif\n");
        edit("kernels/gate.cpp", "std::exp(-x[", "EXTRA + std::exp(SIGN x[");
        m_world.write(m_workspace + "/kernels/sign.h", "#pragma once\n#define SIGN -\n");
        const Evaluation good = check(request());
        QVERIFY2(good.verdict == Verdict::Pass, words(good));
    }
    void cleanupTestCase() { m_keeper.reset(); }

    void isNeverGivenFor_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const auto row = [](const char *name, const char *file, const QByteArray &from,
                            const QByteArray &to) {
            QTest::newRow(name) << file << from << to;
        };
        row("another source", "kernels/gate.cpp", "= scale[c] /", "= 2 * scale[c] /");
        row("another header", "kernels/sign.h", "SIGN -", "SIGN +");
        row("another flag", ".warpwright/task.json", "{}", R"({"flags": {"cxx": ["-DEXTRA=1.0f"]}})");
        row("another module", "model_new.py", "return ", "return 2 * ");
        row("another reference", "model.py", "return torch.", "return 2 * torch.");
    }

    void isNeverGivenFor() {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        if (from == "{}")
            m_world.write(m_workspace + '/' + file, from);
        edit(file, from, to);
        const Evaluation changed = check(request());
        edit(file, to, from);
        // A module that multiplies has torch multiply.
        QVERIFY2(changed.verdict == Verdict::Wrong || changed.verdict == Verdict::Rejected, words(changed));
        const Evaluation back = check(request());
        QVERIFY2(back.verdict == Verdict::Pass, words(back));
    }

    // A warm judge lays the candidate in a folder of its own; people know the workspace's.
    void namesTheFileThatPeopleKnow() {
        edit("kernels/gate.cpp", "= scale[c] /", "= 1.0f * scale[c] /"); // it is compiled meanwhile
        edit("model_new.py", "return ", "raise ValueError('not today')\n        return ");
        const Evaluation raised = check(request());
        edit("model_new.py", "raise ValueError('not today')\n        return ", "return ");
        edit("kernels/gate.cpp", "= 1.0f * scale[c] /", "= scale[c] /");
        QVERIFY2(raised.verdict == Verdict::RunFailed, words(raised));
        const QString told = raised.message.why + raised.message.detail;
        QVERIFY2(told.contains("not today") && told.contains(m_workspace + "/model_new.py"),
                 qPrintable(told));
        QVERIFY2(!told.contains("expected-"), qPrintable(told));
    }

    // A torch that cannot compile and a device that is not there can only be told from the old verdict.
    void isNeverGivenForAnotherTorch() {
        EvaluationRequest other = request();
        other.python = m_world.pythonWithTorch("9.9.0", "13.0");
        const Evaluation changed = check(other);
        QVERIFY2(changed.verdict != Verdict::Pass && changed.verdict != Verdict::NotRun, words(changed));
        const Evaluation back = check(request());
        QVERIFY2(back.verdict == Verdict::Pass, words(back));
    }

    void isNeverGivenForAnotherDevice() {
        EvaluationRequest other = request();
        other.device = "cuda:7";
        const Evaluation changed = check(other);
        QVERIFY2(changed.verdict == Verdict::Environment, words(changed));
        const Evaluation back = check(request());
        QVERIFY2(back.verdict == Verdict::Pass, words(back));
    }
};

QObject *makeTestStaleVerdict() {
    return new TestStaleVerdict;
}

#include "tst_stale_verdict.moc"
