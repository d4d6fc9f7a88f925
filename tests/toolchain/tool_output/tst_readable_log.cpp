// SPDX-License-Identifier: GPL-3.0-or-later
// What a person reads of the compilers: folded commands, demangled names, the place that a message means.
#include "toolchain/tool_output/quoted_place.h"
#include "toolchain/tool_output/readable_log.h"

#include <QTest>

using namespace warpwright;

class TestReadableLog : public QObject {
    Q_OBJECT

private slots:
    void longCommandsAreToldByToolAndSource() {
        const QString includes = QStringLiteral("-isystem /some/where/include ").repeated(10);
        const QString log =
            QStringLiteral("$ /usr/local/cuda/bin/nvcc ") + includes +
            QStringLiteral("-c /tmp/work/kernels/softmax.cu -o softmax.o\nkernels/softmax.cu(3): "
                           "error: no");
        const QStringList lines = readableLog(log).split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].startsWith("$ nvcc") && lines[0].contains("kernels/softmax.cu") &&
                     lines[0].contains("24 arguments"),
                 qPrintable(lines[0]));
        QCOMPARE(lines[1], QStringLiteral("kernels/softmax.cu(3): error: no"));
        QCOMPARE(readableLog(log, true), log);
    }

    void shortCommandsStay() {
        const QString log = QStringLiteral("$ nvcc -c a.cu\n");
        QCOMPARE(readableLog(log), log);
    }

    void namesOfKernelsAreDemangled() {
        const QString said = readableLog(
            QStringLiteral("ptxas info    : Compiling entry function '_Z7softmaxPKfPfi' for 'sm_90a'"));
        QVERIFY2(said.contains("softmax(float const*, float*, int)") && said.contains("'sm_90a'"),
                 qPrintable(said));
    }

    void aMessageMeansTheNameThatItQuotes_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        const QString macro = QStringLiteral("    float x = -INFINITY * undeclared_thing;");
        QTest::newRow("behind a macro")
            << QStringLiteral("identifier \"undeclared_thing\" is undefined") << macro << 26 << 27 << 43;
        QTest::newRow("in the quotes of gcc")
            << QStringLiteral("'undeclared_thing' was not declared in this scope") << macro << 3 << 27 << 43;
        QTest::newRow("the nearest of several") << QStringLiteral("identifier \"a\" is undefined")
                                                << QStringLiteral("a + b + a;") << 8 << 9 << 10;
        QTest::newRow("no part of a longer name")
            << QStringLiteral("identifier \"a\" is undefined") << QStringLiteral("ab = a;") << 1 << 6 << 7;
        QTest::newRow("the name is not there")
            << QStringLiteral("identifier \"gone\" is undefined") << macro << 5 << 5 << 0;
        QTest::newRow("nothing is quoted") << QStringLiteral("expected a ;") << macro << 7 << 7 << 0;
        QTest::newRow("behind an emoji") << QStringLiteral("identifier \"gone\" is undefined")
                                         << QStringLiteral("/* 😀 */ gone;") << 10 << 9 << 13;
        QTest::newRow("the whole line") << QStringLiteral("\"x\" is odd") << macro << 0 << 0 << 0;
    }
    void aMessageMeansTheNameThatItQuotes() {
        QFETCH(QString, message);
        QFETCH(QString, line);
        QFETCH(int, column);
        QFETCH(int, from);
        QFETCH(int, to);
        const QuotedPlace place = quotedPlace(message, line, column);
        QCOMPARE(place.from, from);
        QCOMPARE(place.to, to);
    }
};

QObject *makeTestReadableLog() {
    return new TestReadableLog;
}

#include "tst_readable_log.moc"
