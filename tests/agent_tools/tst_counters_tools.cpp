// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/counters_answer.h"
#include "tests/agent_tools/tools_world.h"
#include "tests/toolchain/findings/counted_kernel.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/timeline/made_timeline.h"

#include "toolchain/counters/counter_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/timeline/timeline_store.h"

#include <QTest>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

namespace {

CountedKernel spilling(double microseconds = 100) {
    CountedKernel kernel("spills", microseconds);
    kernel.at("STL [R1], R8", 20)
        .at("LDL R9, [R1]", 21)
        .at("FFMA R10, R9, R9, R10", 21, {{"stall.long_scoreboard", 700}})
        .at("FFMA R11, R10, R10, R10", 22, {{"stall.math_pipe_throttle", 300}})
        .at("EXIT", 23);
    kernel.metric("sass__inst_executed_register_spilling", 2);
    return kernel;
}

Counters ofSet(Counters counters, const QString &textHash, const QString &set = "basic") {
    counters.set = set;
    counters.textHash = textHash;
    counters.id.clear();
    counters.at = QDateTime(QDate(2026, 11, 28), QTime(12, 0), Qt::UTC);
    return counters;
}

} // namespace

class TestCountersTools : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->open();
    }

    void saysWhatIsMissingWithoutAGpu() {
        const ToolAnswer answer = m_world->call("counters");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("Nothing was counted") && answer.text.contains("an NVIDIA GPU"),
                 qPrintable(answer.text));
    }
    void countsThroughTheQueue() {
        m_world->measurer.counters = makeShared(ofSet(countersOf({spilling()}), hash()));
        QStringList told;
        connect(m_world->box.get(), &Toolbox::progress, this,
                [&told](const QString &, const QString &text, int, int) { told << text; });
        const ToolAnswer answer = m_world->call("counters", {{"set", "full"}});
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("spills, launch 1") && answer.text.contains("100.0 µs") &&
                     !answer.text.contains("Counted before"),
                 qPrintable(answer.text));
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(1));
        const Measurement &asked = m_world->measurer.asked[0];
        QVERIFY(asked.collect && !asked.traces && !asked.isForPerson);
        QCOMPARE(asked.collect->set, QString("full"));
        QCOMPARE(asked.texts, m_world->request.texts);
        QCOMPARE(told.value(0), QString("counters: waits for its turn"));
        QCOMPARE(answer.structured["kernels"].size(), std::size_t(1));
    }
    void countsAgainOnlyWhatIsAskedFor_data() {
        QTest::addColumn<QString>("kept");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<bool>("isMeasured");
        QTest::newRow("kept") << "basic"
                              << "{}" << false;
        QTest::newRow("more is kept") << "full"
                                      << "{\"set\":\"basic\"}" << false;
        QTest::newRow("less is kept") << "basic"
                                      << "{\"set\":\"full\"}" << true;
        QTest::newRow("anew") << "basic"
                              << "{\"anew\":true}" << true;
        QTest::newRow("sections of a person's own") << "LaunchStats"
                                                    << "{}" << true;
    }
    void countsAgainOnlyWhatIsAskedFor() {
        QFETCH(QString, kept);
        QFETCH(QString, arguments);
        QFETCH(bool, isMeasured);
        keep(ofSet(countersOf({spilling()}), hash(), kept));
        m_world->measurer.counters = makeShared(ofSet(countersOf({spilling(50)}), hash()));
        const ToolAnswer answer = m_world->call("counters", parseJson(arguments.toUtf8()).value());
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QCOMPARE(!m_world->measurer.asked.empty(), isMeasured);
        QCOMPARE(answer.text.startsWith("Counted before, of this very text"), !isMeasured);
        QVERIFY2(answer.text.contains(isMeasured ? "50.00 µs" : "100.0 µs"), qPrintable(answer.text));
    }
    void countsNoOtherText() {
        keep(ofSet(countersOf({spilling()}), "another text's"));
        QCOMPARE(m_world->call("counters").outcome, Outcome::Failed);
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(1));
    }
    void namesTheKernelsThatThereAre() {
        keep(ofSet(countersOf({spilling()}), hash()));
        const ToolAnswer answer = m_world->call("counters", {{"kernel", "softmax"}});
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("There are spills."), qPrintable(answer.text));
        QVERIFY(m_world->measurer.asked.empty());
    }
    void countsALaterKernelByItsName() {
        Counters part = ofSet(countersOf({spilling()}), hash());
        part.isWholeCall = false;
        keep(part);
        m_world->measurer.counters = makeShared(ofSet(countersOf({CountedKernel("later")}), hash()));
        const ToolAnswer answer = m_world->call("counters", {{"kernel", "later"}});
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QCOMPARE(m_world->measurer.asked.at(0).collect->kernel, QString("later"));
    }
    void showsTheLongestOfManyLaunches() {
        std::vector<CountedKernel> kernels;
        for (int i = 0; i < 96; ++i)
            kernels.push_back(spilling(i == 90 ? 400 : 10));
        Counters counters = ofSet(countersOf(kernels), hash());
        for (std::size_t i = 0; i < counters.kernels.size(); ++i)
            counters.kernels[i].launch = static_cast<int>(i);
        const ToolAnswer answer = countersAnswer(counters, {}, m_world->request.texts);
        QVERIFY2(answer.text.contains("spills, launch 91") && answer.text.contains("96 launches") &&
                     !answer.text.contains("spills, launch 90"),
                 qPrintable(answer.text.left(2000)));
        QVERIFY(answer.text.toUtf8().size() <= 16 * 1024);
        QCOMPARE(answer.structured["launches"].get<int>(), 96);
        QCOMPARE(answer.structured["kernels"].size(), std::size_t(8));
    }
    void holdsThemAgainstAnIteration() {
        keep(ofSet(countersOf({spilling()}), hash()));
        CandidateTexts earlier = m_world->request.texts;
        earlier["kernels/a.cu"] = "earlier\n";
        const IterationStore store(m_world->place.workspace.state);
        QVERIFY(store.commit(earlier, 0, {AuthorKind::You, {}}, "Earlier").hasValue());
        ToolAnswer answer = m_world->call("counters", {{"against", 1}});
        QVERIFY2(answer.text.contains("Iteration 1 was not counted"), qPrintable(answer.text));
        keep(ofSet(countersOf({spilling(200)}), textHashOf(earlier)));
        answer = m_world->call("counters", {{"against", 1}});
        QVERIFY2(answer.text.contains("Against iteration 1:") && answer.text.contains("−50 %"),
                 qPrintable(answer.text));
        answer = m_world->call("counters", {{"against", 9}});
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("9"), qPrintable(answer.text));
    }
    void isCancelled() {
        m_world->measurer.isHeld = true;
        QStringList outcomes;
        connect(m_world->box.get(), &Toolbox::ended, this, [&](const QString &, const ToolAnswer &answer) {
            outcomes << toolOutcomeName(answer.outcome);
        });
        m_world->box->call("x", "counters", Json::object());
        QTRY_COMPARE(m_world->measurer.asked.size(), std::size_t(1));
        m_world->box->cancel();
        QTRY_COMPARE(outcomes, QStringList{"cancelled"});
        QTRY_VERIFY(m_world->measurer.isIdle());
        QCOMPARE(outcomes.size(), 1);
    }

    void tracesOnceAndKeepsIt() {
        Timeline timeline = madeTimeline();
        timeline.textHash = hash();
        timeline.id.clear(); // it would name another text
        m_world->measurer.timeline = timeline;
        ToolAnswer answer = m_world->call("timeline");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.contains("rowSums"), qPrintable(answer.text));
        QVERIFY(m_world->measurer.asked.at(0).traces && !m_world->measurer.asked[0].collect);
        QVERIFY(TimelineStore(m_world->place.workspace.state).store(timeline).hasValue());
        answer = m_world->call("timeline");
        QVERIFY2(answer.text.startsWith("Traced before, of this very text, on NVIDIA H200"),
                 qPrintable(answer.text));
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(1));
        (void)m_world->call("timeline", {{"anew", true}});
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(2));
    }

    void findsWithoutADevice() {
        const ToolAnswer answer = m_world->call("findings");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("Nothing was found in source") &&
                     answer.text.contains("no counters of this text") &&
                     answer.text.contains("no times of this text"),
                 qPrintable(answer.text));
        QVERIFY(m_world->measurer.asked.empty());
    }
    void findsWhatCountersSay() {
        keep(ofSet(countersOf({spilling()}), hash()));
        const ToolAnswer answer = m_world->call("findings");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("[spill] up to ") && answer.text.contains("measured") &&
                     answer.text.contains("counters") && !answer.text.contains("no counters of this text"),
                 qPrintable(answer.text));
        QCOMPARE(answer.structured["findings"][0]["id"].get<std::string>(), std::string("spill"));
        QVERIFY(!m_world->call("findings", {{"kernel", "other"}}).text.contains("[spill]"));
    }
    void knowsTheTimesOfThisCaller() {
        m_world->measurer.textHash = hash();
        QCOMPARE(m_world->call("profile").outcome, Outcome::Ok);
        QVERIFY(!m_world->call("findings").text.contains("no times of this text"));
        m_world->measurer.textHash = QStringLiteral("another's");
        QCOMPARE(m_world->call("profile").outcome, Outcome::Ok);
        QVERIFY(m_world->call("findings").text.contains("no times of this text"));
    }

private:
    [[nodiscard]] QString hash() const { return textHashOf(m_world->request.texts); }
    void keep(Counters counters) const {
        QVERIFY(CounterStore(m_world->place.workspace.state).store(counters, {}).hasValue());
    }
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestCountersTools() {
    return new TestCountersTools;
}

#include "tst_counters_tools.moc"
