// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/move_findings.h"
#include "agent/playbook/playbook_agent.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/toolchain/findings/counted_kernel.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/counters/counter_store.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

/// Four adjacent loads of one float, on which so many of a thousand samples stall.
CountedKernel narrow(const char *file, double waits = 700) {
    CountedKernel kernel("fusedRowsKernel");
    kernel.at("LDG.E R8, desc[UR4][R4.64]", 7, {{"sectors", 16}, {"sectorsIdeal", 4}})
        .at("LDG.E R9, desc[UR4][R4.64+0x4]", 8, {{"sectors", 16}, {"sectorsIdeal", 4}})
        .at("LDG.E R10, desc[UR4][R4.64+0x8]", 9, {{"sectors", 16}, {"sectorsIdeal", 4}})
        .at("LDG.E R11, desc[UR4][R4.64+0xc]", 10, {{"sectors", 16}, {"sectorsIdeal", 4}})
        .at("FADD R12, R8, R9", 11, {{"stall.long_scoreboard", waits}})
        .at("FADD R12, R12, R10", 11, {{"stall.wait", 1000 - waits}})
        .at("EXIT", 12);
    for (InstructionCounters &one : kernel.value.instructions)
        one.file = QString::fromLatin1(file);
    return kernel;
}

Finding measured(const char *id, double share, const char *file = "") {
    Finding finding;
    finding.id = QLatin1String(id);
    finding.title = QStringLiteral("A title");
    finding.file = QLatin1String(file);
    finding.line = finding.file.isEmpty() ? 0 : 7;
    finding.kernel = finding.file.isEmpty() ? QString() : QStringLiteral("aKernel");
    finding.evidence = {{QStringLiteral("samples that wait"), share * 100, QStringLiteral("%"),
                         QStringLiteral("ncu: smsp__pcsamp")}};
    finding.gainShare = share;
    finding.gainMicroseconds = share * 100;
    finding.isMeasured = true;
    return finding;
}

} // namespace

class TestMoveFindings : public QObject {
    Q_OBJECT

    static AgentRequest request(const Scratch &scratch, const CandidateTexts &texts,
                                const std::vector<Feedback> &feedback = {}) {
        AgentRequest request;
        request.workspace = scratch.path("work");
        request.device = "cuda:0";
        request.proposal = "p1";
        request.texts = texts;
        request.feedback = feedback;
        return request;
    }
    static std::optional<Proposal> ask(PlaybookAgent &agent, const AgentRequest &request) {
        QSignalSpy proposed(&agent, &Agent::proposed);
        QSignalSpy done(&agent, &Agent::done);
        QSignalSpy failed(&agent, &Agent::failed);
        agent.propose(request);
        (void)QTest::qWaitFor([&] { return proposed.count() + done.count() + failed.count() > 0; }, 10000);
        return proposed.isEmpty() ? std::nullopt : std::optional(proposed[0][0].value<Proposal>());
    }
    static PlaybookSetup setup(const Scratch &scratch) {
        scratch.write("playbook/read_reference.py",
                      "cat " + testData("/playbook/").toUtf8() + "softmax-rows-torch-2.11.json\n");
        PlaybookSetup made;
        made.interpreter = QStringLiteral("/bin/sh");
        made.resources = scratch.path();
        made.deviceRows = {withoutClusters()};
        made.hasCudaDevice = true;
        made.dataFolder = scratch.path("data");
        return made;
    }
    static void keep(const Scratch &scratch, Counters counters, const CandidateTexts &texts) {
        counters.id.clear();
        counters.textHash = textHashOf(texts);
        QVERIFY(CounterStore(scratch.path("work/.warpwright")).store(counters, {}).hasValue());
    }
    static CandidateTexts start() { return {{"model.py", "m\n"}, {"model_new.py", "n\n"}}; }
    static Feedback taken() { return {QStringLiteral("p1"), Feedback::Outcome::Applied, {}, {}, {}}; }

private slots:
    void answersWhatItChanges_data() {
        QTest::addColumn<QString>("move");
        QTest::addColumn<Finding>("finding");
        QTest::addColumn<bool>("isAnswered");
        QTest::newRow("its own") << "wide-loads" << measured("narrow-access", 0.3, "kernels/fused_rows.cu")
                                 << true;
        QTest::newRow("of a kernel that it leaves")
            << "wide-loads" << measured("narrow-access", 0.3, "kernels/other.cu") << false;
        QTest::newRow("another fault")
            << "wide-loads" << measured("spill", 0.3, "kernels/fused_rows.cu") << false;
        QTest::newRow("of the whole call") << "attention" << measured("launch-bound", 0.3) << true;
        QTest::newRow("a move that answers nothing")
            << "usual-plan" << measured("launch-bound", 0.3) << false;
        Finding read = measured("narrow-access", 0.3, "kernels/fused_rows.cu");
        read.isMeasured = false;
        QTest::newRow("read, not measured") << "wide-loads" << read << false;
        Finding note = measured("narrow-access", 0, "kernels/fused_rows.cu");
        note.isNote = true;
        QTest::newRow("a note") << "wide-loads" << note << false;
    }
    void answersWhatItChanges() {
        QFETCH(QString, move);
        QFETCH(Finding, finding);
        QFETCH(bool, isAnswered);
        const Program program = programOf(recordedGraph("softmax-rows"));
        const std::vector<Knobs> knobSets = plainKnobs(program);
        PlaybookMove made;
        made.move = move;
        made.knobSets = knobSets;
        made.knobSets[0].hasWideLoads = true;
        Findings findings;
        findings.list = {finding};
        QCOMPARE(findingAnswered(made, program, knobSets, findings).has_value(), isAnswered);
        QVERIFY(!findingAnswered(made, program, knobSets, {}));
    }
    void ranksByTheLargerExpectedGain() {
        PlaybookMove move;
        move.prediction.timeRatio = 0.8;
        QCOMPARE(rankOf(move, std::nullopt), 0.8);
        QCOMPARE(rankOf(move, measured("narrow-access", 0.5)), 0.5);
        QCOMPARE(rankOf(move, measured("narrow-access", 0.1)), 0.8);
        // The expected gain is never larger than what the measurement leaves to gain.
        holdToFinding(move, measured("narrow-access", 0.5));
        QCOMPARE(*move.prediction.timeRatio, 0.8);
        holdToFinding(move, measured("narrow-access", 0.1));
        QCOMPARE(*move.prediction.timeRatio, 0.9);
        QVERIFY2(move.prediction.words.contains("[narrow-access]"), qPrintable(move.prediction.words));
    }
    void saysWhichAndByWhichNumber() {
        QCOMPARE(
            answeredFindingText(measured("narrow-access", 0.25, "kernels/a.cu"))
                .replace(QChar(0xa0), QLatin1Char(' ')),
            QString("It answers the finding [narrow-access] «A title» of aKernel (kernels/a.cu:7): samples "
                    "that wait: 25 % (ncu: smsp__pcsamp); up to 25.00 µs of a call (25 %), measured."));
    }

    void nothingChangesWithoutCounters() {
        const Scratch scratch;
        PlaybookSetup blind = setup(scratch);
        blind.dataFolder.clear();
        PlaybookAgent without(blind);
        PlaybookAgent with(setup(scratch));
        CandidateTexts texts = start();
        std::vector<Feedback> feedback;
        for (int i = 0; i < 6; ++i) {
            const auto one = ask(without, request(scratch, texts, feedback));
            const auto other = ask(with, request(scratch, texts, feedback));
            QCOMPARE(one, other);
            if (!one)
                break;
            texts = one->proposed;
            feedback = {taken()};
        }
    }
    void goesFirstForWhatWasMeasured() {
        const Scratch scratch;
        PlaybookAgent blind(setup(scratch));
        const CandidateTexts mine = ask(blind, request(scratch, start()))->proposed;
        QVERIFY(mine.count("kernels/fused_rows.cu") > 0);
        const QString usual = ask(blind, request(scratch, mine, {taken()}))->move;
        QVERIFY2(usual != QLatin1String("wide-loads"), "nothing would show what the findings do");
        keep(scratch, countersOf({narrow("kernels/fused_rows.cu")}), mine);
        PlaybookAgent agent(setup(scratch));
        QVERIFY(ask(agent, request(scratch, start())));
        const auto second = ask(agent, request(scratch, mine, {taken()}));
        QVERIFY(second);
        QCOMPARE(second->move, QString("wide-loads"));
        QVERIFY2(second->reason.contains(
                     "It answers the finding [narrow-access] «Narrow loads of adjacent values» "
                     "of fusedRowsKernel (kernels/fused_rows.cu:7): "),
                 qPrintable(second->reason));
        // The next text was not profiled: the remaining moves go by their predictions.
        const auto third = ask(agent, request(scratch, second->proposed, {taken()}));
        QVERIFY(third);
        QCOMPARE(third->move, usual);
        QVERIFY(!third->reason.contains("It answers the finding"));
    }
    void theFirstTextAnswersWhatWasFoundBefore() {
        const Scratch scratch;
        std::vector<CountedKernel> small;
        for (int i = 0; i < 24; ++i)
            small.push_back(CountedKernel("small", 2));
        for (CountedKernel &kernel : small)
            kernel.shape(8, 128)
                .metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 4)
                .metric("lts__throughput.avg.pct_of_peak_sustained_elapsed", 4)
                .metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 2);
        keep(scratch, countersOf(small), start());
        PlaybookAgent agent(setup(scratch));
        const auto first = ask(agent, request(scratch, start()));
        QVERIFY(first);
        const Findings findings = countedFindings(request(scratch, start()), scratch.path("data"));
        QVERIFY(!findings.list.empty());
        const std::optional<Finding> answered = findingAnsweredByAll(findings);
        QCOMPARE(first->reason.contains("It answers the finding"), answered.has_value());
        QVERIFY(answered);
    }
};

QObject *makeTestMoveFindings() {
    return new TestMoveFindings;
}

#include "tst_move_findings.moc"
