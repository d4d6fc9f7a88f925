// SPDX-License-Identifier: GPL-3.0-or-later
// One truth: the window, `wright check` and the stored document show the same numbers.
#include "app/ide/results/verdict_banner.h"
#include "profiler_views/speedup_view.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/measured_figures.h"

#include <QAbstractItemModel>
#include <QTest>

using namespace warpwright;

class TestSameNumbers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void inWindowTerminalAndDocument() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("times=103.4,217.9,151.2"));
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        const Evaluation &shown = *world.window->bench().shown().evaluation;

        // The document, as it lies on disk.
        const Result<Evaluation> stored =
            EvaluationStore(world.window->bench().workspace()->state).load(shown.id);
        QVERIFY(stored.hasValue());
        QCOMPARE(stored.value(), shown);
        const MeasuredFigures figures = measuredFigures(stored.value());
        QCOMPARE(figures.candidate()->medianMicroseconds, 103.4);

        // The banner says what the document says.
        const auto cells = world.banner()->cells();
        QVERIFY(cells.size() >= 4);
        QCOMPARE(cells[0].value, figures.times.number(103.4));
        const FactorText eager = factorText(figures.eager->value, figures.eager->low, figures.eager->high);
        QCOMPARE(cells[1].value, QString("CPU twin ran")); // the kernel has a .cu that did not run
        QCOMPARE(cells[2].value, eager.value);
        QCOMPARE(cells[2].spread, eager.interval);

        // The terminal, asked for the same judgement, prints the same words.
        qunsetenv("QT_QPA_PLATFORM");
        world.cli.environment.insert("WARPWRIGHT_JUDGE", qEnvironmentVariable("WARPWRIGHT_JUDGE"));
        world.cli.environment.insert("FAKE_JUDGE", qEnvironmentVariable("FAKE_JUDGE"));
        const CliOutcome said = world.cli.run({"check", world.folder, "--device", "cpu"});
        qputenv("QT_QPA_PLATFORM", "offscreen");
        QVERIFY2(said.exitCode == 0, said.words());
        for (const QString &number :
             {figures.times.number(103.4), figures.times.number(217.9), eager.value, eager.interval})
            QVERIFY2(said.output.contains(number), said.words() + "\nlacks: " + number.toUtf8());

        // And so does the chart.
        auto *chart = world.find<SpeedupView>("speedupView");
        QStringList cellsOfChart;
        for (int row = 0; row < chart->model().rowCount(); ++row)
            for (int column = 0; column < chart->model().columnCount(); ++column)
                cellsOfChart << chart->model().index(row, column).data().toString();
        for (const QString &number : {figures.times.number(103.4), figures.times.number(217.9), eager.value})
            QVERIFY2(cellsOfChart.contains(number), qPrintable(number + " not in " + cellsOfChart.join('|')));
    }
};

QObject *makeTestSameNumbers() {
    return new TestSameNumbers;
}

#include "tst_same_numbers.moc"
