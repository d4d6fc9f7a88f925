// SPDX-License-Identifier: GPL-3.0-or-later
// The overview: its lines as text, and the page that leads on.
#include "app/ide/actions.h"
#include "app/ide/measured/overview_page.h"
#include "tests/ide/pages/page_world.h"

#include <QSignalSpy>
#include <QTest>

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
