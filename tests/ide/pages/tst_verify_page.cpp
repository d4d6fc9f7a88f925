// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/actions.h"
#include "app/ide/kit/figure_table.h"
#include "app/ide/results/verify_page.h"
#include "profiler_views/failure_map/failure_map_view.h"
#include "tests/ide/pages/page_world.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
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

std::string repeated(const std::string &word, int times) {
    std::string text = word;
    for (int i = 1; i < times; ++i)
        text += ' ' + word;
    return text;
}

/// What the judge says of a result of 64 by 64 whose row 3 is wrong.
OrderedJson mapOfOneRow() {
    std::string rows = repeated("0", 3) + " 64 " + repeated("0", 60);
    std::string cells;
    for (int i = 192; i < 256; ++i)
        cells += (cells.empty() ? "" : " ") + std::to_string(i);
    const auto of64 = [](const char *word) {
        return OrderedJson::array({repeated(word, 64)});
    };
    const auto axis = [](int dimension, const std::string &wrong) {
        return OrderedJson{{"dimensions", OrderedJson::array({dimension})},
                           {"size", 64},
                           {"block", 1},
                           {"wrong", OrderedJson::array({wrong})}};
    };
    const OrderedJson grid{{"axes", OrderedJson::array({0, 1})},
                           {"blocks", OrderedJson::array({1, 1})},
                           {"counts", OrderedJson::array({64, 64})},
                           {"cells", OrderedJson::array({cells})},
                           {"wrong", of64("1")},
                           {"nan", of64("0")},
                           {"ratio", of64("40")},
                           {"place", OrderedJson::array({cells})},
                           {"expected", of64("-0.5")},
                           {"got", of64("1.5")}};
    const OrderedJson worst{
        {"index", OrderedJson::array({3, 7})}, {"expected", -0.5}, {"actual", 1.5}, {"ratio", 40.0}};
    const OrderedJson output{{"name", "output"},
                             {"dtype", "float32"},
                             {"sizes", OrderedJson::array({64, 64})},
                             {"elements", 4096},
                             {"wrong", 64},
                             {"nan", 0},
                             {"zero", 0},
                             {"untouched", 0},
                             {"zeros", 0},
                             {"zerosExpected", 0},
                             {"bound", "largest"},
                             {"allowed", 1e-6},
                             {"levels", OrderedJson::array({0, 64, 0, 0})},
                             {"axes", OrderedJson::array({axis(0, rows), axis(1, repeated("1", 64))})},
                             {"grids", OrderedJson::array({grid})},
                             {"worst", OrderedJson::array({worst})},
                             {"moved", OrderedJson::array()}};
    return OrderedJson{{"outputs", OrderedJson::array({output})}};
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
        evaluation.sanitizers.sandbox = QStringLiteral("namespaces");
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

    void showsWhereTheResultIsWrong() {
        Actions actions;
        VerifyPage page(houseLook(), actions);
        Evaluation evaluation = recordedEvaluation(QStringLiteral("cpu-wrong.json"));
        page.show(shownOf(evaluation), false, false);
        showAt(page, 700, 900);
        auto *map = child<FailureMapView>(page, "failureMap");
        QVERIFY(!map->isVisible()); // a document from before there were any

        evaluation.id += QLatin1Char('1');
        OrderedJson &round = evaluation.verify["rounds"].back();
        round["failureMap"] = mapOfOneRow();
        page.show(shownOf(evaluation), false, false);
        QTRY_VERIFY(!map->isEmpty());
        QVERIFY(map->isVisible());
        QVERIFY2(map->summary().contains(QStringLiteral("One row")), qPrintable(map->summary()));
        QTRY_VERIFY(map->height() >= map->minimumSizeHint().height());
        // The worst elements lead to their tiles, and back.
        auto *table = child<FigureTable>(page, "worstTable");
        const int last = table->model()->rowCount() - 1;
        QCOMPARE(table->model()->index(last, 0).data().toString(), QStringLiteral("[3, 7]"));
        table->selectRow(last);
        QCOMPARE(map->selectedTile(), 3 * 64 + 7);
        takePictures(page, QStringLiteral("verify-failure-map"));

        // Another evaluation without one, while the first may still be read.
        evaluation.id += QLatin1Char('2');
        round.erase("failureMap");
        page.show(shownOf(evaluation), false, false);
        QVERIFY(!map->isVisible());
    }

    void saysWhichElementAndWhatToDoWithIt() {
        Actions actions;
        VerifyPage page(houseLook(), actions);
        Evaluation evaluation = recordedEvaluation(QStringLiteral("cpu-wrong.json"));
        evaluation.verify["rounds"].back()["failureMap"] = mapOfOneRow();
        page.show(shownOf(evaluation), false, false);
        showAt(page, 700, 1000);
        auto *map = child<FailureMapView>(page, "failureMap");
        QTRY_VERIFY(!map->isEmpty());
        auto *where = child<QLabel>(page, "wrongElement");
        auto *stores = child<QLabel>(page, "wrongElementStores");
        auto *copy = child<QAbstractButton>(page, "copyProgram");
        auto *go = child<QAbstractButton>(page, "goToStore");
        QTRY_VERIFY2(where->text().startsWith(QStringLiteral("output[3, ")), qPrintable(where->text()));
        QVERIFY2(where->text().endsWith(QStringLiteral("round 1: expected −0.5, got 1.5")),
                 qPrintable(where->text()));
        // The table's element is told, though its tile may have a worse one.
        auto *table = child<FigureTable>(page, "worstTable");
        table->selectRow(table->model()->rowCount() - 1);
        QVERIFY2(where->text().startsWith(QStringLiteral("output[3, 7], round 1")),
                 qPrintable(where->text()));
        QVERIFY2(stores->text().contains(QStringLiteral("on the CPU the twin ran")),
                 qPrintable(stores->text()));
        QVERIFY(!go->isVisible());
        QVERIFY(!copy->isEnabled());
        QVERIFY2(copy->toolTip().contains(QStringLiteral("no workspace")), qPrintable(copy->toolTip()));

        QSignalSpy asked(&page, &VerifyPage::agentAsked);
        child<QAbstractButton>(page, "askAboutFailure")->click();
        QTRY_COMPARE(asked.size(), 1);
        const QString question = asked[0][0].toString();
        QVERIFY2(question.contains(QStringLiteral("output[3, 7], round 1")) &&
                     question.contains(QStringLiteral("pattern: one row. Row 3")) &&
                     question.contains(QStringLiteral("Failure map of output, float32 [64, 64]")),
                 qPrintable(question));

        Workspace workspace;
        workspace.folder = QStringLiteral("/somewhere/work");
        workspace.state = workspace.folder + QStringLiteral("/.warpwright");
        page.setWorkspace(workspace);
        QVERIFY(copy->isEnabled());
        copy->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("INDEX = (3, 7)\n")));
        page.show(shownOf(evaluation), true, false);
        QVERIFY2(!copy->isEnabled() && copy->toolTip().contains(QStringLiteral("has changed")),
                 qPrintable(copy->toolTip()));
        takePictures(page, QStringLiteral("verify-element"));
    }

    void goesToTheLineThatStores() {
        Actions actions;
        VerifyPage page(houseLook(), actions);
        Evaluation evaluation = recordedEvaluation(QStringLiteral("cpu-wrong.json"));
        evaluation.device["kind"] = "cuda"; // where the listing is of what ran
        page.show(shownOf(evaluation), false, false);
        showAt(page, 700, 600);
        auto *stores = child<QLabel>(page, "wrongElementStores");
        auto *go = child<QAbstractButton>(page, "goToStore");
        QVERIFY2(stores->text().contains(QStringLiteral("no listing of the kernels")),
                 qPrintable(stores->text()));
        QVERIFY(!go->isVisible());
        Inspection inspection;
        InspectedKernel kernel;
        kernel.source = QStringLiteral("kernels/rms_norm.cu");
        kernel.resources.name = QStringLiteral("rmsNorm");
        kernel.sass = KernelCode();
        kernel.sass->chains = {{{kernel.source, 41}}};
        CodeLine line;
        line.opcode = QStringLiteral("STG.E");
        line.chain = 0;
        kernel.sass->lines = {line};
        inspection.kernels = {kernel};
        page.setInspection(std::make_shared<const Inspection>(inspection));
        QTRY_VERIFY(go->isVisible());
        QVERIFY2(stores->text().startsWith(
                     QStringLiteral("The store for it is at kernels/rms_norm.cu:41 (rmsNorm)")),
                 qPrintable(stores->text()));
        QSignalSpy places(&page, &VerifyPage::placeActivated);
        go->click();
        QCOMPARE(places.size(), 1);
        QCOMPARE(places[0][0].toString(), QStringLiteral("kernels/rms_norm.cu"));
        QCOMPARE(places[0][1].toInt(), 41);
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
