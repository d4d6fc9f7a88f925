// SPDX-License-Identifier: GPL-3.0-or-later
// The overview: its lines as text, and the page that leads on.
#include "app/ide/kit/actions.h"
#include "app/ide/measured/overview_page.h"
#include "tests/ide/pages/page_world.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "widgets/frame/pane.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

QString textOf(const std::vector<OverviewRow> &rows) {
    QStringList lines;
    for (const OverviewRow &row : rows)
        lines << QStringList({row.page, row.title, row.words, row.value, row.wanted.join(QLatin1Char(' '))})
                     .join(QStringLiteral(" | "));
    return lines.join(QLatin1Char('\n')).replace(QChar(0xa0), QLatin1Char(' '));
}

OverviewInput checked() {
    OverviewInput input;
    input.evaluation = recordedEvaluation(QStringLiteral("h200-softmax-rows.json"));
    input.figures = measuredFigures(*input.evaluation);
    Findings findings;
    for (const double gain : {4.0, 3.0, 2.0, 1.0}) {
        Finding finding;
        finding.title = QStringLiteral("Finding %1").arg(gain);
        finding.message = QStringLiteral("Its numbers.");
        finding.gainMicroseconds = gain;
        findings.list.push_back(finding);
    }
    findings.looked = QStringList{QStringLiteral("source"), QStringLiteral("clock")};
    input.findings = findings;
    input.facts = {{QStringLiteral("timeline"),
                    QStringLiteral("timeline"),
                    QStringLiteral("Timeline"),
                    QStringLiteral("what runs when"),
                    false,
                    {QStringLiteral("traceTimeline")}}};
    return input;
}

} // namespace

class TestOverview : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void anUncheckedTextSaysWhatWouldTell() {
        OverviewInput input;
        QCOMPARE(
            textOf(overviewRows(input)),
            QStringLiteral(
                "speedup | Not checked yet | whether it is right, and how fast, a check tells |  | check"));
        input.isPast = true; // nothing can be asked of a recording
        QVERIFY(overviewRows(input)[0].wanted.isEmpty());
        input.isRunning = true;
        QCOMPARE(overviewRows(input)[0].title, QStringLiteral("The check is running"));
        input.wait = QStringLiteral("0:43 · process 2761 certifies softmax · next in line");
        QCOMPARE(overviewRows(input)[0].title, QStringLiteral("The check waits for the device"));
        QCOMPARE(overviewRows(input)[0].words, input.wait);
        input.wait.clear();
    }

    void theVerdictLeadsAndTheLargestGainsFollow() {
        const QStringList lines = textOf(overviewRows(checked())).split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5); // of four findings three
        QVERIFY2(lines[0].startsWith(QLatin1String("speedup | Pass | ")) &&
                     lines[0].contains(QStringLiteral(" µs · ")) &&
                     lines[0].contains(QLatin1String("against eager")),
                 qPrintable(lines[0]));
        QCOMPARE(lines[1], QStringLiteral("findings | Finding 4 | Its numbers. | up to 4.000 µs | "));
        QCOMPARE(lines[4], QStringLiteral("timeline | Timeline | what runs when |  | traceTimeline"));
    }

    // On a busy machine the ceilings are measured too low, and a percentage above them tells nothing.
    void aCeilingThatWasMeasuredTooLowIsSaid() {
        OverviewInput input = checked();
        QVERIFY(textOf(overviewRows(input)).contains(QLatin1String("% of the speed of light")));
        const double high = input.figures.candidate()->highMicroseconds;
        input.figures.speedOfLightMicroseconds = high * 1.04; // as two checks differ
        QVERIFY(textOf(overviewRows(input)).contains(QLatin1String("% of the speed of light")));
        input.figures.speedOfLightMicroseconds = high * 1.16;
        const QString said = overviewRows(input)[0].words;
        QVERIFY2(said.contains(QLatin1String("measured too low in this check")) &&
                     !said.contains(QLatin1String("of the speed of light")),
                 qPrintable(said));
        QCOMPARE(lightShareText(input.figures), QStringLiteral("ceiling too low"));
    }

    void aStoredBaselineThatTheMachineOutranIsNoHeadline() {
        OverviewInput input = checked();
        const auto setDrift = [&input](double drift) {
            for (ArmFigures &arm : input.figures.arms)
                if (arm.name == QLatin1String("eager")) {
                    arm.isLive = false;
                    arm.drift = drift;
                }
        };
        setDrift(1.4);
        QVERIFY(overviewRows(input)[0].value.contains(QLatin1String("against eager")));
        setDrift(15.681);
        const OverviewRow row = overviewRows(input)[0];
        QCOMPARE(row.value, QString());
        QVERIFY2(
            row.words.contains(QStringLiteral("eager: stored baseline not comparable today, drift × 15.7")),
            qPrintable(row.words));
        setDrift(0.17);
        QVERIFY(overviewRows(input)[0].words.contains(QStringLiteral("drift × 0.17")));
    }

    void whatAGraphWouldSaveStandsInTheHeadline() {
        OverviewInput input = checked();
        QVERIFY(!overviewRows(input)[0].words.contains(QLatin1String("CUDA graph")));
        input.figures.compile = {2.48, 2.01, 3.23, QStringLiteral("compile")};
        input.figures.graph.status = StageStatus::Passed;
        input.figures.graph.compile = {1.486, 1.474, 1.498, QStringLiteral("compile")};
        QVERIFY2(overviewRows(input)[0].words.contains(
                     QStringLiteral("As one CUDA graph 1.49× over compile (1.47–1.50)")),
                 qPrintable(overviewRows(input)[0].words));
    }

    void anEditMakesItThatOfTheTextBefore() {
        OverviewInput input = checked();
        input.edits = 3;
        const std::vector<OverviewRow> rows = overviewRows(input);
        QVERIFY2(rows[0].words.startsWith(QLatin1String("was Pass, 3 edits ago")), qPrintable(rows[0].words));
        QVERIFY(rows[0].isQuiet && rows[0].wanted == QStringList(QStringLiteral("check")));
    }

    void nothingFoundIsNoAllClear() {
        OverviewInput input = checked();
        input.findings->list.clear();
        const std::vector<OverviewRow> rows = overviewRows(input);
        QCOMPARE(rows[1].title, QStringLiteral("Nothing was found yet"));
        QCOMPARE(rows[1].words,
                 QStringLiteral("looked at source, times of a check; not at compile report, SASS, "
                                "counters, timeline"));
    }

    // The part is there from the start, so that nothing moves; it does not say that there is nothing.
    void whatIsStillReadIsNotMissing() {
        OverviewInput input = checked();
        input.findings.reset();
        QCOMPARE(overviewRows(input).size(), std::size_t(2)); // nobody looks: no part
        input.isFinding = true;
        const std::vector<OverviewRow> rows = overviewRows(input);
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows[1].part, OverviewRow::Part::Why);
        QCOMPARE(rows[1].title, QStringLiteral("Reading what was kept"));
        QVERIFY(rows[1].isQuiet && rows[1].wanted.isEmpty());
        input.isPast = true; // nothing is looked for in a recording
        QCOMPARE(overviewRows(input).size(), std::size_t(2));
    }

    void aWrongTextLeadsWithItsPattern() {
        OverviewInput input = checked();
        input.findings->list.clear();
        input.failures = {{QStringLiteral("Every 32nd column"), QStringLiteral("output: its numbers.")}};
        const std::vector<OverviewRow> rows = overviewRows(input);
        QCOMPARE(rows.size(), std::size_t(3)); // not that nothing was found, too
        QCOMPARE(textOf({rows[1]}),
                 QStringLiteral("verify | Every 32nd column | output: its numbers. |  | "));
        QCOMPARE(rows[1].part, OverviewRow::Part::Why);
        QCOMPARE(QByteArray(rows[1].token), QByteArray("verdict.wrong"));
        input = checked();
        input.failures = {{QStringLiteral("All zero"), QString()}};
        QCOMPARE(overviewRows(input)[1].page, QStringLiteral("verify"));
        QCOMPARE(overviewRows(input)[2].page, QStringLiteral("findings"));
    }

    void tellsThePatternOfTheFirstWrongRound() {
        QVERIFY(failureWords(OrderedJson::object()).empty());
        const OrderedJson axis{{"dimensions", {0}},
                               {"size", 64},
                               {"block", 1},
                               {"wrong", OrderedJson::array({QByteArray("1 ").repeated(64).toStdString()})},
                               {"range", {0, 63}}};
        const OrderedJson output{
            {"name", "output"}, {"sizes", {64}}, {"elements", 64},     {"wrong", 64},
            {"zero", 64},       {"zeros", 64},   {"zerosExpected", 0}, {"axes", OrderedJson::array({axis})}};
        OrderedJson round{{"index", 1}};
        round["failureMap"]["outputs"] = OrderedJson::array({output});
        OrderedJson verify;
        verify["rounds"] = OrderedJson::array({round, round});
        const std::vector<FailureWords> words = failureWords(verify);
        QCOMPARE(words.size(), std::size_t(1));
        QCOMPARE(words[0].title, QStringLiteral("All zero"));
        QCOMPARE(words[0].words,
                 QStringLiteral("output: All 64 elements are zero, and 64 of them should not be."));
    }

    // Times of a CPU and counters of a GPU stand in one list: what is not of the check's device says so.
    void namesTheDeviceThatIsNotTheChecks() {
        const auto cpu = std::optional(recordedEvaluation(QStringLiteral("cpu-softmax-rows.json")));
        const auto h200 = std::optional(recordedEvaluation(QStringLiteral("h200-softmax-rows.json")));
        const QString device = QStringLiteral("NVIDIA H200");
        const QString words = QStringLiteral("its numbers");
        QCOMPARE(ofDevice(device, cpu, words), QStringLiteral("NVIDIA H200: its numbers"));
        QCOMPARE(ofDevice(device, h200, words), words);
        QCOMPARE(ofDevice(device, std::nullopt, words), words);
        QCOMPARE(ofDevice(QString(), cpu, words), words);
        QCOMPARE(ofDevice(QStringLiteral("CPU"), cpu, words), words); // a timeline does not say which
        QCOMPARE(ofDevice(QStringLiteral("CPU"), h200, words), QStringLiteral("CPU: its numbers"));
        OverviewInput input = checked();
        input.otherDevice = device;
        QCOMPARE(overviewRows(input)[1].words, QStringLiteral("Its numbers.")); // of the text alone
        input.findings->list[0].isMeasured = true;
        QCOMPARE(overviewRows(input)[1].words, QStringLiteral("NVIDIA H200: Its numbers."));
    }

    void onlyHintsAreCalledHints() {
        Actions actions;
        OverviewPage page(houseLook(), actions);
        OverviewInput input = checked();
        page.show(overviewRows(input));
        const auto hasHead = [&page](const char *remark) {
            const QList<SectionHead *> heads = page.findChildren<SectionHead *>();
            return std::any_of(heads.begin(), heads.end(), [remark](const SectionHead *head) {
                return head->accessibleName() == QLatin1String("Why, ") + QLatin1String(remark);
            });
        };
        QVERIFY(hasHead("the largest gain first; hints, no part of the verdict"));
        input.failures = {{QStringLiteral("All zero"), QString()}};
        page.show(overviewRows(input));
        QVERIFY(hasHead("where the result is wrong; then hints, no part of the verdict"));
        input.findings->list.clear();
        page.show(overviewRows(input));
        QVERIFY(hasHead("where the result is wrong"));
    }

    void aNoteDoesNotHideWhatWasNotLookedAt() {
        OverviewInput input = checked();
        input.findings->list.resize(1);
        const std::size_t count = overviewRows(input).size();
        input.findings->list[0].isNote = true;
        const std::vector<OverviewRow> rows = overviewRows(input);
        QCOMPARE(rows.size(), count + 1);
        QCOMPARE(rows[1].value, QStringLiteral("a note"));
        QCOMPARE(rows[2].title, QStringLiteral("Nothing to fix was found yet"));
        QVERIFY2(rows[2].words.contains("not at") && rows[2].words.contains("counters"),
                 qPrintable(rows[2].words));
        QVERIFY(rows[2].value.isEmpty() && rows[2].isQuiet);
    }

    void aLineLeadsToItsPage() {
        Actions actions;
        OverviewPage page(houseLook(), actions);
        page.show(overviewRows(checked()));
        showAt(page, 610, 330);
        QSignalSpy asked(&page, &OverviewPage::pageAsked);
        auto *line = child<OverviewLine>(page, "overview-timeline");
        QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(100, 10));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[0][0].toString(), QStringLiteral("timeline"));
        QSignalSpy traced(actions.traceTimeline, &QAction::triggered);
        auto *button = line->findChild<QAbstractButton *>();
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(traced.size(), 1);
        QCOMPARE(asked.size(), 2); // the button is not the line
        takePictures(page, QStringLiteral("overview"));
        // What is known now needs no button, and the lines that are left are the same.
        OverviewInput input = checked();
        input.facts[0].wanted.clear();
        page.show(overviewRows(input));
        QCOMPARE(child<OverviewLine>(page, "overview-timeline"), line);
        QVERIFY(line->row().wanted.isEmpty());
    }
};

QObject *makeTestOverview() {
    return new TestOverview;
}

#include "tst_overview.moc"
