// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the build pane.
#include "profiler_views/diagnostics_model.h"
#include "profiler_views/kernel_resources_model.h"
#include "profiler_views/value_role.h"
#include "profiler_views/worst_elements_model.h"
#include "tests/profiler_views/model_text.h"
#include "tests/profiler_views/recorded.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

using namespace warpwright;

class TestBuildModels : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void listsWhatKernelsTake() {
        KernelResourcesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setKernels(recorded("h200-arg-reduction").compile.kernels);
        QCOMPARE(modelText(model),
                 QString("kernel | regs | spill B | smem B | occupancy | threads | stack B\n"
                         "argReduction<256> | 48 | 0 | 36 | 50–63 % | ≤ 1,024 | 0\n"
                         "argReduction<1024> | 32 | 0 | 132 | 100 % | ≤ 1,024 | 0\n"
                         "argReduction<128> | 77 | 0 | 20 | 25–38 % | ≤ 768 | 0\n"
                         "argReduction<512> | 40 | 0 | 68 | 50–75 % | ≤ 1,024 | 0"));
        QVERIFY(model.headerData(0, Qt::Horizontal, Qt::ToolTipRole).toString().contains("sm_90a"));
        QVERIFY(
            model.index(0, 0).data(Qt::ToolTipRole).toString().contains("argReduction<256>(float4 const*"));
    }

    void saysWhatChanged() {
        const std::vector<KernelResources> before = recorded("h200-arg-reduction").compile.kernels;
        std::vector<KernelResources> now{before[0], before[2]};
        now[0].registers = 32;
        now[0].spillStoreBytes = 8;
        now[0].spillLoadBytes = 16;
        now[0].mangled =
            "_ZN49_GLOBAL__N__00000000_16_arg_reduction_cu_111111111argReductionILi256EEEvPK6float4Pxi";
        now[1].name = "aNewKernel(int)";
        KernelResourcesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setKernels(now, before);
        QCOMPARE(modelText(model).section('\n', 1),
                 QString("argReduction<256> | 32 (−16) | 24 (+24) | 36 | 100 % | ≤ 1,024 | 0\n"
                         "aNewKernel | 77 | 0 | 20 | 25–38 % | ≤ 768 | 0"));
        const QModelIndex spill = model.index(0, KernelResourcesModel::Spill);
        QCOMPARE(spill.data(IconNameRole).toString(), QString("warning"));
        QCOMPARE(spill.data(ColorRole).toString(), QString("verdict.buildFailed"));
        QCOMPARE(spill.data(ValueRole).toInt(), 24);
        QVERIFY(spill.data(Qt::ToolTipRole).toString().startsWith("8 B stored, 16 B loaded"));
        QVERIFY(model.index(1, KernelResourcesModel::Spill).data(IconNameRole).toString().isEmpty());
    }

    // ptxas does not say it: 1,024 threads fit by the registers of a kernel that is bound to 256.
    void saysTheLaunchBoundWhereTheCodeHasOne() {
        const std::vector<KernelResources> kernels = recorded("h200-arg-reduction").compile.kernels;
        KernelResourcesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setKernels(kernels);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setLaunchBounds({{kernels[0].name, 256}, {kernels[1].name, 0}});
        QCOMPARE(changed.size(), 1);
        const auto cell = [&model](int row) {
            return model.index(row, KernelResourcesModel::MaxThreads);
        };
        QCOMPARE(cell(0).data().toString(), QString("256"));
        QCOMPARE(cell(0).data(ValueRole).toInt(), 256);
        QCOMPARE(
            cell(0).data(Qt::ToolTipRole).toString(),
            QString("its __launch_bounds__ allow 256 threads of a block; its registers suffice for 1,024"));
        QCOMPARE(cell(1).data().toString(), QString("≤ 1,024"));
        QCOMPARE(cell(1).data(ValueRole).toInt(), 1024);
        QVERIFY(cell(1).data(Qt::ToolTipRole).toString().startsWith("no __launch_bounds__ are written"));
        QCOMPARE(cell(2).data().toString(), QString("≤ 768"));
        QVERIFY(cell(2).data(Qt::ToolTipRole).toString().contains("may allow fewer"));
        model.setLaunchBounds({});
        QCOMPARE(cell(0).data().toString(), QString("≤ 1,024"));
        std::vector<KernelResources> read = kernels;
        read[0].launchThreads = 256; // by the compile report itself
        read[1].launchThreads = 0;
        model.setKernels(read);
        QCOMPARE(cell(0).data().toString(), QString("256"));
        QVERIFY(cell(1).data(Qt::ToolTipRole).toString().startsWith("no __launch_bounds__ are written"));
    }

    void tellsOccupancyOfTheLaunchBoundOrOfUsualBlocks() {
        KernelResources kernel;
        kernel.name = "scale(float*)";
        kernel.arch = "sm_90a";
        kernel.registers = 128;
        kernel.maxThreads = 512;
        KernelResourcesModel model;
        model.setKernels({kernel});
        const QModelIndex cell = model.index(0, KernelResourcesModel::Occupied);
        QCOMPARE(cell.data().toString(), QString("25 %")); // 65,536 registers hold 512 threads of 2,048
        model.setLaunchBounds({{kernel.name, 384}});
        QCOMPARE(cell.data().toString(), QString("19 %")); // one block of 384
        QVERIFY2(cell.data(Qt::ToolTipRole).toString().contains("limited by registers"),
                 qPrintable(cell.data(Qt::ToolTipRole).toString()));
        kernel.arch = "sm_1";
        model.setKernels({kernel});
        QCOMPARE(model.index(0, KernelResourcesModel::Occupied).data().toString(), QString("\u2014"));
    }

    void sortsDiagnosticsWorstFirst() {
        std::vector<Diagnostic> diagnostics = recorded("cpu-build-failed").compile.diagnostics;
        QVERIFY(!diagnostics.empty());
        diagnostics.insert(
            diagnostics.begin(),
            {{"kernels/b.cu", 9, 1, Severity::Note, "seen here", {}, "g++", {}},
             {"kernels/b.cu", 30, 2, Severity::Warning, "unused", "-Wunused", "g++", {}},
             {"kernels/b.cu", 4, 2, Severity::Warning, "narrowing", {}, "g++", {}},
             {{}, 0, 0, Severity::Error, "undefined symbol", {}, "ld", {{"a.o", 0, 0, "wanted by"}}}});
        DiagnosticsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDiagnostics(diagnostics);
        const QStringList lines = modelText(model).split('\n');
        QCOMPARE(lines.value(0), QString("message | place"));
        QCOMPARE(lines.value(1), QString("undefined symbol | ld"));
        QVERIFY2(lines.value(2).endsWith("prelu.cpp:19") || lines.value(2).contains(" | prelu."),
                 qPrintable(lines.join('\n')));
        QCOMPARE(lines.mid(lines.size() - 3),
                 QStringList({"narrowing | b.cu:4", "unused | b.cu:30", "seen here | b.cu:9"}));
        const QModelIndex warning = model.index(model.rowCount() - 2, DiagnosticsModel::Message);
        QCOMPARE(warning.data(IconNameRole).toString(), QString("warning"));
        QCOMPARE(warning.data(FileRole).toString(), QString("kernels/b.cu"));
        QCOMPARE(warning.data(LineRole).toInt(), 30);
        QCOMPARE(warning.data(Qt::AccessibleTextRole).toString(), QString("warning: unused"));
        QVERIFY(warning.data(Qt::ToolTipRole).toString().contains("[-Wunused]"));
        QVERIFY(model.counts().endsWith("2 warnings, 1 note"));
        model.setDiagnostics({});
        QCOMPARE(model.counts(), QString("0 errors, 0 warnings"));
    }

    void showsWhereTheOutputDiffers() {
        WorstElementsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<WorstElement> elements = measuredFigures(recorded("cpu-wrong")).verify.worst;
        WorstElement poison = elements.front();
        poison.index = "[0, 3072]";
        poison.actual = std::numeric_limits<double>::quiet_NaN();
        poison.error.reset();
        elements.push_back(poison);
        WorstElement unknown;
        unknown.index = "[1]";
        unknown.actual = -std::numeric_limits<double>::infinity();
        elements.push_back(unknown);
        model.setElements(elements);
        QCOMPARE(modelText(model), QString("index | expected, FP64 | got | error / allowed\n"
                                           "[3644, 590] | −4.99923 | −6.38246 | 3.0 × 10⁴\n"
                                           "[0, 3072] | −4.99923 | NaN | not a number\n"
                                           "[1] |  | −∞ | "));
        QCOMPARE(model.index(1, WorstElementsModel::Got).data(ColorRole).toString(),
                 QString("verdict.wrong"));
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("output[3644, 590]"));
        QCOMPARE(ratioText(0.75), QString("0.75"));
        QCOMPARE(ratioText(12.4), QString("12"));
        QCOMPARE(ratioText(1.3e5), QString("1.3 × 10⁵"));
        QCOMPARE(ratioText(9.99e11), QString("10.0 × 10¹¹"));
    }
};

QObject *makeTestBuildModels() {
    return new TestBuildModels;
}

#include "tst_build_models.moc"
