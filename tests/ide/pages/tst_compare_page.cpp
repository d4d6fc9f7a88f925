// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/iteration_comparison.h"
#include "app/ide/compare/compare_head.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/compare/compare_view.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/comparison/recorded_states.h"
#include "tests/toolchain/places.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/tab_strip.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

QByteArray numbered(int lines, int changedLine = 0, const QByteArray &changedTo = {}) {
    QByteArray text;
    for (int line = 1; line <= lines; ++line)
        text += line == changedLine ? changedTo + '\n'
                                    : "    const float v" + QByteArray::number(line) + " = row[" +
                                          QByteArray::number(line) + "];\n";
    return text;
}

ComparedSide side(const QString &title, const CandidateTexts &texts, const QString &document = {}) {
    ComparedSide made{title, QStringLiteral("3 lines in kernels/softmax.cu"), texts, std::nullopt, false};
    if (!document.isEmpty())
        made.evaluation = recordedEvaluation(document);
    return made;
}

ComparedState state(const ComparedSide &side, int number) {
    ComparedState made;
    made.choice = ComparisonChoice::ofIteration(number);
    made.side = side;
    made.textHash = QString::number(number);
    return made;
}

SharedPair pairOf(const ComparedSide &left, const ComparedSide &right) {
    return comparedPair(state(left, 1), state(right, 2));
}

} // namespace

class TestComparePage : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void foldsWhatIsAlikeAndUnfoldsIt() {
        const ComparedFile file = compareFile(QStringLiteral("k.cu"), numbered(40), numbered(40, 20, "x"));
        using Shown = CompareView::Shown;
        const std::vector<Shown> shown = foldedRows(file);
        QCOMPARE(shown.front(), (Shown{0, 16}));
        QCOMPARE(shown[1], (Shown{16, 0}));
        QCOMPARE(shown.back().hidden, 40 - 23);
        CompareView view(houseLook());
        view.setFile(file);
        showAt(view, 900, 500);
        QVERIFY(view.shown() == shown);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(200, 5));
        QCOMPARE(view.shown().size(), shown.size() + 15);
        QCOMPARE(view.shown().front(), (Shown{0, 0}));
    }

    void hidesNoStretchShorterThanFour() {
        QByteArray right = numbered(17, 5, "x");
        right.replace("    const float v15 = row[15];", "y");
        const ComparedFile file = compareFile(QStringLiteral("k.cu"), numbered(17), right);
        for (const auto &shown : foldedRows(file))
            QCOMPARE(shown.hidden, 0);
    }

    void goesThroughTheChangesOfAllFiles() {
        ComparePage page(houseLook());
        QByteArray two = numbered(300, 10, "    first");
        two.replace("    const float v250 = row[250];", "    second");
        page.show(pairOf(side(QStringLiteral("Iteration 3"), {{QStringLiteral("kernels/a.cu"), numbered(300)},
                                                              {QStringLiteral("model_new.py"), "a\n"}}),
                         side(QStringLiteral("My text"), {{QStringLiteral("kernels/a.cu"), two},
                                                          {QStringLiteral("model_new.py"), "b\n"}})));
        showAt(page, 1280, 720);
        page.setForm(ComparePage::Source);
        auto *tabs = child<TabStrip>(page, "compareTabs");
        QCOMPARE(tabs->count(), 2);
        auto *place = child<QLabel>(page, "comparePlace");
        QCOMPARE(place->text(), QStringLiteral("change 1 of 2"));
        auto *view = child<CompareView>(page, "compareView");
        view->setFolded(false);
        QVERIFY(view->verticalScrollBar()->value() < 20);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(place->text(), QStringLiteral("change 2 of 2"));
        QVERIFY(view->verticalScrollBar()->value() > 200);
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(tabs->currentIndex(), 1);
        QCOMPARE(place->text(), QStringLiteral("change 1 of 1"));
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier); // past the last: stays
        QCOMPARE(tabs->currentIndex(), 1);
        QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(tabs->currentIndex(), 0);
        QCOMPARE(place->text(), QStringLiteral("change 2 of 2"));
        const QSignalSpy closed(&page, &ComparePage::closed);
        QTest::keyClick(view, Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
        QTest::mouseClick(child<QAbstractButton>(page, "compareClose"), Qt::LeftButton);
        QCOMPARE(closed.size(), 2);
    }

    void showsTheSourceWhereNothingElseDiffers() {
        const QString kernel = QStringLiteral("kernels/a.cu");
        const SharedPair pair = pairOf(side(QStringLiteral("1"), {{kernel, numbered(20)}}),
                                       side(QStringLiteral("2"), {{kernel, numbered(20, 7, "    x")}}));
        const auto text =
            std::find_if(pair->comparison.rows.begin(), pair->comparison.rows.end(),
                         [](const ComparisonRow &row) { return row.name == QLatin1String("Text"); });
        QVERIFY(text != pair->comparison.rows.end());
        QVERIFY2(text->differenceWords().contains(QStringLiteral("kernels/a.cu")), // not two hashes alone
                 qPrintable(text->differenceWords()));
        ComparePage page(houseLook());
        page.show(pair);
        QCOMPARE(page.form(), ComparePage::Source);
        page.setForm(ComparePage::Differences);
        page.show(pair); // as when the SASS comes: a person's choice stays
        QCOMPARE(page.form(), ComparePage::Differences);
        ComparedSide left =
            side(QStringLiteral("3"), {{kernel, numbered(20)}}, QStringLiteral("h200-arg-reduction.json"));
        ComparedSide right = side(QStringLiteral("4"), {{kernel, numbered(20, 7, "    x")}},
                                  QStringLiteral("h200-arg-reduction.json"));
        right.evaluation->compile.kernels.front().registers += 24;
        page.show(pairOf(left, right));
        QCOMPARE(page.form(), ComparePage::Differences);
    }

    void saysSoWhereThereIsNothingToShow() {
        ComparePage page(houseLook());
        const CandidateTexts texts{{QStringLiteral("model_new.py"), "a\n"}};
        page.show(
            pairOf(side(QStringLiteral("Iteration 1"), texts), side(QStringLiteral("Iteration 2"), texts)));
        auto *empty = child<EmptyState>(page, "compareEmpty");
        QVERIFY(empty->accessibleName().contains(QStringLiteral("The texts are the same")));
        page.show(pairOf(side(QStringLiteral("1"), {{QStringLiteral("data.bin"), QByteArray("\0\1", 2)}}),
                         side(QStringLiteral("2"), {{QStringLiteral("data.bin"), QByteArray("\0\2", 2)}})));
        QVERIFY(empty->accessibleName().contains(QStringLiteral("data.bin differs")));
        page.show(pairOf(side(QStringLiteral("1"), {{QStringLiteral("a.cu"), "a\r\nb\r\n"}}),
                         side(QStringLiteral("2"), {{QStringLiteral("a.cu"), "a\nb\n"}})));
        QVERIFY(empty->accessibleName().contains(QStringLiteral("Only the ends of lines differ")));
    }

    void copiesTheLinesOfOneSide() {
        CompareView view(houseLook());
        view.setFile(compareFile(QStringLiteral("k.cu"), "a\nb\nc\n", "a\nB\nc\n"));
        showAt(view, 800, 300);
        const int line = view.viewport()->fontMetrics().height();
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, QPoint(600, 2));
        QTest::mouseMove(view.viewport(), QPoint(600, line + 12));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, QPoint(600, line + 12));
        QMouseEvent drag(QEvent::MouseMove, QPointF(600, line + 12), QPointF(600, line + 12), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &drag);
        QCOMPARE(view.chosenText(), QStringLiteral("a\nB"));
    }

    void setsTheNumbersBesideEachOther() {
        Evaluation before = recordedEvaluation(QStringLiteral("h200-arg-reduction.json"));
        Evaluation after = before;
        ComparedSide left{QStringLiteral("Iteration 3"), {}, {}, before, false};
        ComparedSide right{QStringLiteral("Iteration 4"), {}, {}, after, false};
        auto metrics = comparedMetrics(left, right);
        QCOMPARE(metrics.size(), 5U);
        QVERIFY(metrics[0].isNoise); // the same interval overlaps itself
        QVERIFY2(metrics[0].delta.startsWith(QStringLiteral("≈")), qPrintable(metrics[0].delta));
        QCOMPARE(metrics[2].delta, QStringLiteral("0"));
        right.evaluation->compile.kernels.front().registers += 100;
        right.evaluation->compile.kernels.front().spillLoadBytes = 16;
        metrics = comparedMetrics(left, right);
        QCOMPARE(metrics[2].delta, QStringLiteral("+100"));
        right.evaluation = before; // a small kernel's change does not hide behind the largest
        auto &kernels = right.evaluation->compile.kernels;
        const auto smallest =
            std::min_element(kernels.begin(), kernels.end(),
                             [](const auto &a, const auto &b) { return a.registers < b.registers; });
        smallest->registers += 3;
        QCOMPARE(comparedMetrics(left, right)[2].delta, QStringLiteral("+3"));
        QVERIFY(comparedMetrics(left, right)[2].remark.startsWith(QStringLiteral("argReduction<")));
        right.evaluation = after;
        right.evaluation->compile.kernels.front().spillLoadBytes = 16;
        metrics = comparedMetrics(left, right);
        QCOMPARE(metrics[3].delta, QStringLiteral("+16 B"));
        right.isStale = true; // numbers of another text: no difference is said
        for (const ComparedMetric &metric : comparedMetrics(left, right))
            QVERIFY(metric.delta.isEmpty() && !metric.remark.isEmpty());
        right.isStale = false;
        right.evaluation.reset();
        metrics = comparedMetrics(left, right);
        QCOMPARE(metrics[0].right, QStringLiteral("—"));
        QVERIFY(metrics[0].delta.isEmpty());
        QVERIFY(!metrics[0].remark.isEmpty());
    }

    // Times, speed-ups and their ratio come about in different ways, and need not agree.
    void saysByWhichWayTheRatioCameAbout() {
        const ComparedSide left = side(QStringLiteral("1"), {}, QStringLiteral("h200-arg-reduction.json"));
        const ComparedSide right = side(QStringLiteral("2"), {}, QStringLiteral("h200-arg-reduction.json"));
        ComparePage page(houseLook());
        showAt(page);
        page.show(pairOf(left, right));
        const QString said = child<QWidget>(page, "compareMetrics")->accessibleName();
        QVERIFY2(said.contains(QStringLiteral("no difference measured, ≈ 100.0")) &&
                     said.contains(QStringLiteral("% of left's time, by the speed-ups over eager")),
                 qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("each in a check of its own")), qPrintable(said));
        ComparedSide stale = right;
        stale.isStale = true;
        QVERIFY(!ratioMetric(left, stale));
        QVERIFY(!ratioMetric(left, side(QStringLiteral("3"), {}, QStringLiteral("cpu-softmax-rows.json"))));
    }

    void saysAboveTheTableThatTheMachineMoved() {
        const ComparedSide left = side(QStringLiteral("1"), {}, QStringLiteral("h200-arg-reduction.json"));
        ComparedSide right = side(QStringLiteral("2"), {}, QStringLiteral("h200-arg-reduction.json"));
        for (const char *name : {"candidate", "eager"})
            for (const char *key : {"medianMicroseconds", "lowMicroseconds", "highMicroseconds"}) {
                OrderedJson &value = right.evaluation->profile["arms"][name][key];
                value = 3 * value.get<double>();
            }
        ComparePage page(houseLook());
        showAt(page);
        const auto *notices = child<QLabel>(page, "comparisonNotices");
        page.show(pairOf(left, left));
        QVERIFY2(!notices->isVisible(), qPrintable(notices->text()));
        page.show(pairOf(left, right));
        QVERIFY(notices->isVisible());
        QVERIFY2(notices->text().contains("eager itself took 3.0 times as long in one of the two checks") &&
                     notices->text().contains("Check both again."),
                 qPrintable(notices->text()));
        const QString strip = child<QWidget>(page, "compareMetrics")->accessibleName();
        QVERIFY2(strip.contains("eager itself took 3.0 times as long"), qPrintable(strip));
        takePictures(page, QStringLiteral("compare-moved"));
    }

    void doesNotCompareTimesOfDifferentDevices() {
        const ComparedSide left = side(QStringLiteral("1"), {}, QStringLiteral("h200-arg-reduction.json"));
        const ComparedSide right = side(QStringLiteral("2"), {}, QStringLiteral("cpu-softmax-rows.json"));
        const auto metrics = comparedMetrics(left, right);
        QVERIFY(metrics[0].delta.isEmpty());
        QVERIFY2(metrics[0].remark.contains(QStringLiteral("devices")), qPrintable(metrics[0].remark));
    }

    void isQuickWithFiveThousandLines() {
        ComparePage page(houseLook());
        showAt(page);
        page.show(pairOf(side(QStringLiteral("1"), {{QStringLiteral("k.cu"), numbered(5000)}}),
                         side(QStringLiteral("2"), {{QStringLiteral("k.cu"), numbered(5000, 2500, "x")}})));
        page.setForm(ComparePage::Source);
        auto *view = child<CompareView>(page, "compareView");
        view->setFolded(false);
        QCOMPARE(view->shown().size(), 5000U);
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 20; ++i) {
            view->verticalScrollBar()->setValue(i * 200);
            view->viewport()->repaint();
        }
        QVERIFY2(clock.elapsed() / 20 < 50, qPrintable(QString::number(clock.elapsed() / 20)));
    }

    void looksAsItShould() {
        ComparePage page(houseLook());
        const auto text = [](const QString &sample, const QString &name) {
            QFile file(sourceFolder("/resources/samples/") + sample + name);
            if (!file.open(QIODevice::ReadOnly))
                qFatal("no %s", qPrintable(file.fileName()));
            return file.readAll();
        };
        const QByteArray now =
            text(QStringLiteral("softmax-rows"), QStringLiteral("/kernels/softmax_rows.cu"));
        QByteArray then = now;
        then.replace("__restrict__ ", "").replace("float4", "float2");
        ComparedSide left =
            side(QStringLiteral("Iteration 3"), {{QStringLiteral("kernels/softmax.cu"), then}},
                 QStringLiteral("h200-arg-reduction.json"));
        ComparedSide right = side(
            QStringLiteral("Iteration 7"),
            {{QStringLiteral("kernels/softmax.cu"), now}, {QStringLiteral("kernels/row.cu"), "// new\n"}},
            QStringLiteral("h200-arg-reduction.json"));
        right.evaluation->compile.kernels.front().registers += 24;
        page.show(pairOf(left, right));
        showAt(page);
        takePictures(page, QStringLiteral("compare-differences"));
        page.setForm(ComparePage::Source);
        page.nextChange();
        takePictures(page, QStringLiteral("compare"));
    }

    void setsABaselineBesideTheText() {
        ComparePage page(houseLook());
        ComparedState text = iterationState(3);
        const ComparedState eager = armState(QStringLiteral("eager"), text);
        page.show(comparedPair(eager, text));
        showAt(page);
        const QString head = child<QWidget>(page, "compareLeft")->accessibleName();
        QVERIFY2(head.contains(QStringLiteral("Eager, baseline, 93.99")), qPrintable(head));
        QCOMPARE(child<TabStrip>(page, "compareForms")->count(), 3);
        QVERIFY(child<EmptyState>(page, "compareEmpty")->accessibleName().contains("no text of ours"));
        takePictures(page, QStringLiteral("compare-eager"));
        page.setForm(ComparePage::Sass);
        QVERIFY(child<TabStrip>(page, "sassTabs")->count() == 1);
        QVERIFY(!child<CompareView>(page, "sassView")->file().hunks.empty());
        takePictures(page, QStringLiteral("compare-sass"));
    }

    // The list's word for it, not one of its own.
    void aSideWithoutACheckIsNotChecked() {
        CompareHead head(houseLook(), nullptr);
        ComparedSide side;
        side.title = QStringLiteral("Iteration 4");
        head.show(side, {}, {});
        QCOMPARE(head.accessibleName(), QStringLiteral("Iteration 4, Not checked"));
        side.evaluation = Evaluation();
        side.evaluation->verdict = Verdict::NotRun;
        head.show(side, {}, {});
        QCOMPARE(head.accessibleName(), QStringLiteral("Iteration 4, Not run"));
    }

    void letsAPersonChooseTheSides() {
        std::vector<IterationRecord> records(3);
        for (int i = 0; i < 3; ++i)
            records[static_cast<std::size_t>(i)].iteration.number = i + 1;
        ComparePage page(houseLook());
        page.setTree(makeIterationTree(records));
        page.begin(ComparisonChoice::ofIteration(1), {});
        const auto *left = child<QComboBox>(page, "compareLeftBox");
        auto *right = child<QComboBox>(page, "compareRightBox");
        QVERIFY2(left->currentText().startsWith("Iteration 1"), qPrintable(left->currentText()));
        QCOMPARE(right->currentText(), QStringLiteral("My text"));
        QCOMPARE(child<QWidget>(page, "compareLeft")->accessibleName(),
                 QStringLiteral("Iteration 1, being read")); // and not that it was not run
        QCOMPARE(child<QLabel>(page, "comparisonCounts")->text(),
                 QStringLiteral("Both sides are being read"));
        QCOMPARE(right->count(), 1 + static_cast<int>(comparableArms().size()) + 3);
        QList<ComparisonChoice> chosen;
        connect(&page, &ComparePage::sidesChosen, this,
                [&chosen](const ComparisonChoice &one, const ComparisonChoice &other) {
                    chosen = {one, other};
                });
        right->setCurrentIndex(1);
        emit right->activated(1);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[0].word(), QStringLiteral("1"));
        QCOMPARE(chosen[1].word(), QStringLiteral("eager"));
        QTest::mouseClick(child<QAbstractButton>(page, "compareExchange"), Qt::LeftButton);
        QCOMPARE(chosen[0].word(), QStringLiteral("eager"));
        QAbstractItemModel *choices = right->model();
        const QAbstractItemModelTester tester(choices,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        page.setTree(makeIterationTree({}));
        QCOMPARE(choices->rowCount(), 1 + static_cast<int>(comparableArms().size()));
    }

    void takesTheTwoThatAreSelectedInTheTree() {
        std::vector<IterationRecord> records(4);
        for (int i = 0; i < 4; ++i) {
            records[static_cast<std::size_t>(i)].iteration.number = i + 1;
            records[static_cast<std::size_t>(i)].iteration.parent = i;
        }
        const Actions actions;
        IterationsPanel panel(houseLook(), actions);
        panel.setTree(makeIterationTree(records));
        showAt(panel, 300, 700);
        auto *list = child<QListView>(panel, "iterationsList");
        const auto click = [list](int row, Qt::KeyboardModifiers keys) {
            const QPoint place = list->visualRect(list->model()->index(row, 0)).center();
            QTest::mouseClick(list->viewport(), Qt::LeftButton, keys, place);
        };
        int picked = 0;
        connect(&panel, &IterationsPanel::picked, this, [&picked](int number) { picked = number; });
        click(0, {});
        const int first = picked;
        QVERIFY(!panel.selectedPair());
        click(2, Qt::ControlModifier);
        QVERIFY(picked != first);
        const auto pair = panel.selectedPair();
        QVERIFY(pair && *pair == std::minmax({first, picked}));
        panel.setShown(picked); // as the window answers
        QVERIFY(panel.selectedPair() == pair);
        click(1, {});
        QVERIFY(!panel.selectedPair());
    }

    void saysWhyNothingIsCompared() {
        ComparePage page(houseLook());
        page.fail(QStringLiteral("There is no iteration 9"));
        QVERIFY(
            child<EmptyState>(page, "compareEmpty")->accessibleName().contains("There is no iteration 9"));
    }
};

QObject *makeTestComparePage() {
    return new TestComparePage;
}

#include "tst_compare_page.moc"
