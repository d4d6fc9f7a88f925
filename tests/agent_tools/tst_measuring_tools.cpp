// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/evaluation_answer.h"
#include "tests/agent_tools/tools_world.h"
#include "tests/toolchain/places.h"

#include "toolchain/evaluation/evaluation_json.h"

#include <QTest>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

class TestMeasuringTools : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->open();
    }

    void asksForTheStagesThatItNeeds_data() {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<LastStage>("last");
        QTest::newRow("compile") << "compile" << LastStage::Compile;
        QTest::newRow("verify") << "verify" << LastStage::Verify;
        QTest::newRow("profile") << "profile" << LastStage::Profile;
    }
    void asksForTheStagesThatItNeeds() {
        QFETCH(QString, tool);
        QFETCH(LastStage, last);
        write("line one // time 30\n");
        const ToolAnswer answer = m_world->call(tool);
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(1));
        const Measurement &asked = m_world->measurer.asked[0];
        QCOMPARE(asked.lastStage, last);
        QVERIFY(!asked.isForPerson);
        QCOMPARE(asked.texts.at("kernels/a.cu"), QByteArray("line one // time 30\n"));
        QCOMPARE(asked.before.empty(), last != LastStage::Profile);
        if (last == LastStage::Profile)
            QCOMPARE(asked.before, m_world->request.texts);
    }
    void timesNothingBesideItself() {
        QCOMPARE(m_world->call("profile").outcome, Outcome::Ok);
        QVERIFY(m_world->measurer.asked[0].before.empty());
    }
    void tellsHowFarItIs() {
        QStringList told;
        connect(m_world->box.get(), &Toolbox::progress, this,
                [&told](const QString &, const QString &text, int, int) { told << text; });
        (void)m_world->call("profile");
        QCOMPARE(told, QStringList({"profile: waits for its turn", "compile: a step", "verify: a step",
                                    "profile: a step"}));
    }
    void tellsTimes() {
        const ToolAnswer answer = m_world->call("profile");
        QVERIFY2(answer.text.contains("110.0") && answer.text.contains("95 % interval") &&
                     answer.text.contains("pass, reward 2"),
                 qPrintable(answer.text));
        QCOMPARE(stringIn(answer.structured, "verdict"), QString("pass"));
    }
    void tellsWhatDoesNotCompile() {
        write("// broken\n");
        for (const char *tool : {"compile", "verify", "profile"}) {
            const ToolAnswer answer = m_world->call(tool);
            QCOMPARE(answer.outcome, Outcome::Failed);
            QVERIFY2(answer.text.contains("Cannot compile"), qPrintable(answer.text));
        }
    }
    void tellsWhatIsWrong() {
        write("// wrong\n");
        QCOMPARE(m_world->call("compile").outcome, Outcome::Ok);
        const ToolAnswer answer = m_world->call("verify");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("wrong: Wrong result."), qPrintable(answer.text));
    }
    void saysWhatIsMissingOnACpu_data() {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("said");
        QTest::newRow("sanitize") << "sanitize"
                                  << "an NVIDIA GPU";
        QTest::newRow("sweep") << "sweep"
                               << "choices are tried on a GPU";
    }
    void saysWhatIsMissingOnACpu() {
        QFETCH(QString, tool);
        QFETCH(QString, said);
        const ToolAnswer answer = m_world->call(tool);
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains(said), qPrintable(answer.text));
        QVERIFY(m_world->measurer.asked.empty());
    }

    void saysWhatARealEvaluationSays_data() {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("build failed") << "cpu-build-failed"
                                      << "compile" << QStringList{"kernels/", ": error: "};
        QTest::newRow("pass") << "h200-softmax-rows"
                              << "profile" << QStringList{"95 % interval", "pass, reward", "precision: "};
        QTest::newRow("run failed") << "cpu-run-failed"
                                    << "verify" << QStringList{"run-failed"};
    }
    void saysWhatARealEvaluationSays() {
        QFETCH(QString, document);
        QFETCH(QString, tool);
        QFETCH(QStringList, said);
        const Result<Evaluation> evaluation =
            evaluationFromJson(textOf(testData("/evaluations/") + document + ".json"));
        QVERIFY2(evaluation.hasValue(), qPrintable(evaluation.message()));
        const QString folder = stringIn(evaluation.value().workspace, "folder");
        const ToolAnswer answer = evaluationAnswer(tool, evaluation.value(), {}, folder);
        for (const QString &words : said)
            QVERIFY2(answer.text.contains(words), qPrintable(answer.text));
        QVERIFY2(!answer.text.contains(folder + '/'), qPrintable(answer.text));
        QVERIFY(answer.text.toUtf8().size() <= 16 * 1024);
    }

private:
    void write(const QByteArray &text) const {
        m_world->scratch.write(m_world->inWork("kernels/a.cu").mid(m_world->scratch.path().size() + 1), text);
    }
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestMeasuringTools() {
    return new TestMeasuringTools;
}

#include "tst_measuring_tools.moc"
