// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of measurements in a workspace's shadow. The judge is the fake one, which reads the text;
// compilers are real.
#include "agent/session/evaluation_measurer.h"
#include "agent/session/shadow_folder.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/process/processes_below.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <memory>

using namespace warpwright;

class TestMeasurer : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    Workspace m_workspace;
    CandidateTexts m_texts;
    std::unique_ptr<EvaluationMeasurer> m_measurer;
    std::vector<std::pair<int, Evaluation>> m_measured;

    [[nodiscard]] DataFolders folders() const {
        return DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
    }
    [[nodiscard]] CandidateTexts with(const QByteArray &words) const {
        CandidateTexts texts = m_texts;
        texts["kernels/gate.cpp"] += "// fake judge: " + words + '\n';
        return texts;
    }
    [[nodiscard]] bool waitFor(std::size_t count) const {
        return QTest::qWaitFor([this, count] { return m_measured.size() >= count; }, 120000);
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void init() {
        qputenv("FAKE_JUDGE", "intext");
        auto opened = Workspace::open(m_world.workspace("base", "measured"), folders());
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        m_workspace = opened.value();
        m_texts = readCandidateTexts(m_workspace).value();
        EvaluationRequest request;
        request.device = "cpu";
        request.folders = folders();
        request.python = CliWorld::python();
        request.judgeProgram = sourceFolder("/tests/tools/fake_judge/fake_judge.py");
        request.environment = m_world.environment;
        m_measured.clear();
        m_measurer = std::make_unique<EvaluationMeasurer>(m_workspace, request);
        connect(m_measurer.get(), &Measurer::measured, m_measurer.get(),
                [this](int number, const Evaluation &evaluation) {
                    m_measured.emplace_back(number, evaluation);
                });
    }

    void cleanup() {
        m_measurer.reset();
        EvaluationThread::waitForRetired();
    }

    void thePersonsGoesFirst() {
        const int first = m_measurer->measure({with("times=90,220,150"), false, {}});
        const int second = m_measurer->measure({with("verdict=wrong"), false, {}});
        const int persons = m_measurer->measure({with("times=80,220,150"), true, {}});
        QVERIFY(m_measured.empty() && !m_measurer->isIdle());
        QVERIFY(waitFor(3));
        QCOMPARE(m_measured[0].first, persons);
        QCOMPARE(m_measured[1].first, first);
        QCOMPARE(m_measured[2].first, second);
        QCOMPARE(summaryOf(m_measured[0].second).candidate->medianMicroseconds, 80.0);
        QCOMPARE(m_measured[2].second.verdict, Verdict::Wrong);
        QTRY_VERIFY(m_measurer->isIdle());
        // The document is the workspace's, whose text stays as it was.
        QCOMPARE(stringIn(m_measured[0].second.workspace, "folder"), m_workspace.folder);
        QCOMPARE(m_measured[2].second.message.thing, m_workspace.folder + "/model_new.py");
        QCOMPARE(stringIn(m_measured[0].second.workspace, "textHash"), textHashOf(with("times=80,220,150")));
        QVERIFY(readCandidateTexts(m_workspace).value() == m_texts);
        QVERIFY(!QFileInfo::exists(m_workspace.state + "/evaluations"));
    }

    void aCancelEndsEachOnce() {
        qputenv("FAKE_JUDGE", "intext slow=verify:60");
        const int running = m_measurer->measure({m_texts, false, {}});
        const int waiting = m_measurer->measure({with("times=90,220,150"), false, {}});
        connect(m_measurer.get(), &Measurer::progress, m_measurer.get(),
                [this, running](int, const StageProgress &now) {
                    if (now.stage == "verify" && now.step == "step 1")
                        m_measurer->cancel(running);
                });
        m_measurer->cancel(waiting);
        QVERIFY(waitFor(2));
        QCOMPARE(m_measured[0].first, waiting);
        QCOMPARE(m_measured[0].second.verdict, Verdict::Cancelled);
        QCOMPARE(m_measured[1].second.verdict, Verdict::Cancelled);
        m_measurer->cancel(running);
        QTest::qWait(50);
        QCOMPARE(m_measured.size(), 2U);
    }

    void goesAtAnyMomentAndLeavesNothing() {
        // Just when a run has ended is the moment that a cancel can miss.
        for (int i = 0; i < 6; ++i) {
            init();
            (void)m_measurer->measure({with("times=90,220,150"), false, {}});
            if (i % 3 == 0) {
                QVERIFY(waitFor(1));
            } else if (i % 3 == 1) {
                bool isOpening = false;
                connect(m_measurer.get(), &Measurer::progress, m_measurer.get(),
                        [&isOpening](int, const StageProgress &now) { isOpening |= now.stage != "compile"; });
                QTRY_VERIFY_WITH_TIMEOUT(isOpening, 60000);
            }
            cleanup();
            for (const ProcessFact &fact : processesBelow(QCoreApplication::applicationPid()))
                QVERIFY2(!fact.name.startsWith("python"), qPrintable(fact.name));
        }
    }

    void theShadowHoldsExactlyTheTexts() {
        CandidateTexts texts = m_texts;
        texts["kernels/more.h"] = "more\n";
        const auto folder = layOutShadow(m_workspace, texts, folders(), ShadowOf::Text);
        QVERIFY2(folder.hasValue(), qPrintable(folder.message()));
        QVERIFY(QFileInfo::exists(folder.value() + "/kernels/more.h"));
        QCOMPARE(QFileInfo(folder.value()).fileName(), m_workspace.name);
        QCOMPARE(layOutShadow(m_workspace, m_texts, folders(), ShadowOf::Text).value(), folder.value());
        const auto shadow = Workspace::open(folder.value(), folders());
        QVERIFY(readCandidateTexts(shadow.value()).value() == m_texts);
    }
};

QObject *makeTestMeasurer() {
    return new TestMeasurer;
}

#include "tst_measurer.moc"
