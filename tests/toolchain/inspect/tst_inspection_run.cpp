// SPDX-License-Identifier: GPL-3.0-or-later
// A whole inspection with the real tools, and with some of them missing.
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/inspect/inspection_run.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

class TestInspectionRun : public QObject {
    Q_OBJECT

private:
    struct Ended {
        std::optional<Inspection> inspection;
        QString message;
        int answers = 0;
    };

    static Ended inspect(const SmallWorkspace &small, const Toolchain &tools, bool needsSass,
                         int cancelAfterMs = -1, bool wantsPtx = false) {
        InspectionRequest request;
        request.path = small.scratch.path();
        request.folders = small.scratch.folders();
        request.folders.cache = small.cache();
        request.architecture = "sm_90a";
        request.toolchain = tools;
        request.needsSass = needsSass;
        request.wantsPtx = wantsPtx;
        InspectionRun run(request);
        Ended ended;
        QEventLoop loop;
        connect(&run, &InspectionRun::finished, &loop, [&](const Inspection &inspection) {
            ended.inspection = inspection;
            ++ended.answers;
            loop.quit();
        });
        connect(&run, &InspectionRun::failed, &loop, [&](const QString &message) {
            ended.message = message;
            ++ended.answers;
            loop.quit();
        });
        run.start();
        if (cancelAfterMs >= 0)
            QTimer::singleShot(cancelAfterMs, &run, &InspectionRun::cancel);
        QTimer::singleShot(120000, &loop, &QEventLoop::quit);
        loop.exec();
        QTest::qWait(50);
        return ended;
    }

private slots:
    void initTestCase() {
        const QString missing = missingTools(false);
        NEED_TOOL(missing.isEmpty(), missing);
        NEED_TOOL(realToolchain().cuda.has_value(), "nvcc");
        const QString whyNot = whyNoDisassembly(*realToolchain().cuda);
        NEED_TOOL(whyNot.isEmpty(), whyNot);
    }

    void readsWhatACheckHasCompiled() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "__global__ void twice(float *x) { x[threadIdx.x] *= 2.f; }\n");
        const Ended first = inspect(small, realToolchain(), true);
        QVERIFY2(first.inspection.has_value(), qPrintable(first.message));
        QCOMPARE(first.answers, 1);
        QCOMPARE(first.inspection->kernels.size(), std::size_t(1));
        const InspectedKernel &kernel = first.inspection->kernels[0];
        QCOMPARE(kernel.resources.name, QStringLiteral("twice(float*)"));
        QVERIFY(kernel.sass && kernel.mix && !kernel.occupancies.empty());
        QVERIFY(!linesFrom(*kernel.sass, "kernels/answer.cu", 1).empty());
        QCOMPARE(first.inspection->compiled, 1);
        QCOMPARE(inspect(small, realToolchain(), true).inspection->compiled, 0);
    }

    void findsThePtxThatTheCompilerMadeOnItsWay() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "__global__ void twice(float *x) { x[threadIdx.x] *= 5.f; }\n");
        const Ended ended = inspect(small, realToolchain(), true, -1, true);
        QVERIFY2(ended.inspection.has_value(), qPrintable(ended.message));
        QVERIFY(ended.inspection->kernels[0].ptx && ended.inspection->kernels[0].sass);
        QCOMPARE(ended.inspection->compiled, 1);
        QVERIFY(ended.inspection->log.contains("-keep-dir"));
    }

    void listsNothingTwice() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "__global__ void twice(float *x) { x[threadIdx.x] *= 6.f; }\n");
        const Ended first = inspect(small, realToolchain(), true);
        QVERIFY2(first.inspection.has_value(), qPrintable(first.message));
        const QStringList kept = QDir(small.cache() + "/objects").entryList({"*.sass"});
        QCOMPARE(kept.size(), 1);
        Toolchain tools = realToolchain();
        const QString listing = small.cache() + "/objects/" + kept[0];
        QFile file(listing);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray text = file.readAll();
        // What is read is what is kept: a listing without that kernel shows none.
        QVERIFY(file.resize(0));
        file.seek(0);
        file.write(QByteArray(text).replace("twice", "other"));
        file.close();
        const Ended again = inspect(small, tools, true);
        QVERIFY(again.inspection.has_value() && !again.inspection->kernels[0].sass);
        QVERIFY(QFile::remove(listing));
        QVERIFY(inspect(small, tools, true).inspection->kernels[0].sass.has_value());
    }

    void withoutTheDisassemblerItShowsWhatIsLeft() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "__global__ void twice(float *x) { x[threadIdx.x] *= 2.f; }\n");
        Toolchain tools = realToolchain();
        tools.cuda->cuobjdump.clear();
        const Ended left = inspect(small, tools, false);
        QVERIFY2(left.inspection.has_value(), qPrintable(left.message));
        QVERIFY2(left.inspection->note.contains("no cuobjdump"), qPrintable(left.inspection->note));
        QCOMPARE(left.inspection->kernels.size(), std::size_t(1));
        QVERIFY(!left.inspection->kernels[0].sass && !left.inspection->kernels[0].occupancies.empty());
        const Ended none = inspect(small, tools, true);
        QVERIFY2(none.message.contains("Cannot show SASS"), qPrintable(none.message));
        tools.cuda.reset();
        tools.cudaMessage = "Cannot find nvcc: it is nowhere.";
        QCOMPARE(inspect(small, tools, false).message, tools.cudaMessage);
    }

    void aCancelEndsOnce() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "__global__ void twice(float *x) { x[threadIdx.x] *= 3.f; }\n");
        for (const int after : {0, 20, 200}) {
            const Ended ended = inspect(small, realToolchain(), true, after);
            QCOMPARE(ended.answers, 1);
            QVERIFY(ended.inspection.has_value());
        }
    }
};

QObject *makeTestInspectionRun() {
    return new TestInspectionRun;
}

#include "tst_inspection_run.moc"
