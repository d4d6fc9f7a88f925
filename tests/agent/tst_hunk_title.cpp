// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_title.h"

#include <QTest>

using namespace warpwright;

class TestHunkTitle : public QObject {
    Q_OBJECT

private slots:
    void namesWhatALineDefines_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("name");
        QTest::newRow("a function") << QByteArray("Tensor softmaxRows(const Tensor &x) {")
                                    << QStringLiteral("softmaxRows");
        QTest::newRow("a kernel with bounds")
            << QByteArray("__global__ void __launch_bounds__(256) rowsKernel(const float *x,")
            << QStringLiteral("rowsKernel");
        QTest::newRow("Python") << QByteArray("    def forward(self, x):") << QStringLiteral("forward");
        QTest::newRow("a call") << QByteArray("    launchRows(x, y);") << QString();
        QTest::newRow("an assignment")
            << QByteArray("    const int rows = static_cast<int>(n) +") << QString();
        QTest::newRow("a return") << QByteArray("    return combine(a,") << QString();
        QTest::newRow("a loop") << QByteArray("    else if (i < n) {") << QString();
        QTest::newRow("a comment") << QByteArray("// void old(int x) {") << QString();
        QTest::newRow("many factors")
            << QByteArray("a * b * c * d * e * f * g * h * i * j * k * l * m * n * o * p *") << QString();
    }
    void namesWhatALineDefines() {
        QFETCH(const QByteArray, line);
        QFETCH(const QString, name);
        QCOMPARE(definedName(line), name);
    }

    void theFunctionComesFirstAndNoCommentIsATitle() {
        const TextLines above{"__global__ void rowsKernel(const float *x) {\n", "    int i = 0;\n"};
        QCOMPARE(hunkTitle(above, {"    float a = x[i];\n"},
                           {"    // four at once\n", "    float4 a = at(x, i);\n"}),
                 QStringLiteral("rowsKernel: float4 a = at(x, i);"));
        QCOMPARE(hunkTitle(above, {}, {"    // four at once\n"}), QStringLiteral("rowsKernel: comment"));
        QCOMPARE(hunkTitle(above, {"    int unused = 3;\n"}, {}),
                 QStringLiteral("rowsKernel: without int unused = 3;"));
        QCOMPARE(hunkTitle({}, {}, {"// The CPU twin of softmax.\n"}), QStringLiteral("comment"));
        QCOMPARE(hunkTitle({"void first() {\n", "}\n"}, {}, {"#include <cmath>\n"}),
                 QStringLiteral("#include <cmath>"));
        // A whole function that comes is called by its name.
        QCOMPARE(hunkTitle({}, {},
                           {"\n", "// Sums.\n", "static float sum(float x) {\n", "    return x;\n", "}\n"}),
                 QStringLiteral("sum"));
        // A barrier that goes is no comment, though a second one like it stays.
        QCOMPARE(
            hunkTitle({}, {"    __syncthreads();\n", "    __syncthreads();\n"}, {"    __syncthreads();\n"}),
            QStringLiteral("without __syncthreads();"));
        QCOMPARE(hunkTitle({}, {"a = 1;\n", "b = 2;\n"}, {"b = 2;\n", "a = 1;\n"}), QStringLiteral("b = 2;"));
        QCOMPARE(hunkTitle({}, {}, {"\n"}), QStringLiteral("blank lines"));
        // Long lines are no titles.
        QVERIFY(hunkTitle({}, {}, {QByteArray(300, 'x') + '\n'}).size() < 60);
    }
};

QObject *makeTestHunkTitle() {
    return new TestHunkTitle;
}

#include "tst_hunk_title.moc"
