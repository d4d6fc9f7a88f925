// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/actions.h"
#include "app/ide/figure_table.h"
#include "app/ide/verify_page.h"
#include "tests/ide/pages/page_world.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

Shown shownOf(const Evaluation &evaluation) {
    Shown shown;
    shown.iteration = 1;
    shown.evaluation = evaluation;
    shown.figures = measuredFigures(evaluation);
    return shown;
}

SanitizerOutcome passed(const char *tool, double seconds) {
    return {QString::fromLatin1(tool), StageStatus::Passed, seconds, 0, 0, {}, {}};
}

} // namespace

class TestVerifyPage : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void listsWhatTheSanitizersFound() {
        Actions actions;
        VerifyPage page(houseLook(), actions);
        Evaluation evaluation = recordedEvaluation(QStringLiteral("h200-depthwise-certified.json"));
        page.show(shownOf(evaluation), false, false);
        showAt(page, 700, 520);
        auto *table = child<FigureTable>(page, "sanitizersTable");
        QVERIFY(!table->isVisible()); // a document from before there were any

        evaluation.id += QLatin1Char('1');
        SanitizerOutcome race{QStringLiteral("racecheck"), StageStatus::Failed, 5.2, 3, 0, {}, {}};
        race.first = {{QStringLiteral("race between write and read of line 48 (124 hazards)"),
                       QStringLiteral("depthwise<7>"),
                       QStringLiteral("kernels/depthwise.cu"),
                       44,
                       {},
                       {}}};
        SanitizerOutcome init{QStringLiteral("initcheck"),
                              StageStatus::NotRun,
                              120.0,
                              0,
                              0,
                              QStringLiteral("it did not finish in 120 s"),
                              {}};
        evaluation.sanitizers.tools = {passed("memcheck", 4.1), race, init};
        evaluation.sanitizers.wall = QStringLiteral("namespaces");
        evaluation.sanitizers.sumUp();
        page.show(shownOf(evaluation), false, false);
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 3);
        // Doubts first, what passed last.
        QVERIFY(table->model()->index(0, 0).data().toString().startsWith(QStringLiteral("racecheck: race")) ||
                table->model()->index(1, 0).data().toString().startsWith(QStringLiteral("racecheck: race")));
        QCOMPARE(table->model()->index(2, 0).data().toString(), QStringLiteral("Passed in 4.10 s"));
        takePictures(page, QStringLiteral("verify-sanitizers"));
    }

    void aFindingLeadsToItsLine() {
        Actions actions;
        VerifyPage page(houseLook(), actions);
        Evaluation evaluation = recordedEvaluation(QStringLiteral("cpu-wrong.json"));
        evaluation.verdict = Verdict::Rejected;
        evaluation.message = {QStringLiteral("Rejected"),
                              QStringLiteral("model_new.py"),
                              QStringLiteral("torch's operators did the work"),
                              QStringLiteral("Compute it in your own kernels."),
                              {}};
        evaluation.integrity = OrderedJson::parse(
            R"({"status": "failed", "findings": [{"kind": "torch-operators", "rule": "torch-operators",
                "evidence": "aten::softmax (1) ran under forward", "place": {"file": "model_new.py", "line": 12}}]})");
        page.show(shownOf(evaluation), false, false);
        showAt(page, 700, 520);
        auto *table = child<FigureTable>(page, "findingsTable");
        QVERIFY(table->isVisible());
        QSignalSpy places(&page, &VerifyPage::placeActivated);
        const QRect row = table->visualRect(table->model()->index(0, 1));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(places.size(), 1);
        QCOMPARE(places[0][0].toString(), QStringLiteral("model_new.py"));
        QCOMPARE(places[0][1].toInt(), 12);
        takePictures(page, QStringLiteral("verify-findings"));
    }
};

QObject *makeTestVerifyPage() {
    return new TestVerifyPage;
}

#include "tst_verify_page.moc"
