// SPDX-License-Identifier: GPL-3.0-or-later
// The page in headless Chromium without a network: no message on its console, its charts are there and have a
// size, a click on a head sorts, nobody's words become markup.
#include "tests/report_page/made_input.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/report_page/report_page.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

namespace {

QString browser() {
    return QStandardPaths::findExecutable(QStringLiteral("chromium"));
}

struct Shown {
    bool isDone = false;
    QByteArray document; ///< as it is after its script ran
    QString console;
};

Shown shown(const QByteArray &page) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("report.html"));
    QFile written(file);
    if (!written.open(QIODevice::WriteOnly) || written.write(page) != page.size())
        return {};
    written.close();
    QProcess process;
    process.start(browser(),
                  {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"),
                   QStringLiteral("--disable-gpu"),
                   QStringLiteral("--user-data-dir=") + folder.filePath(QStringLiteral("profile")),
                   QStringLiteral("--disable-background-networking"),
                   QStringLiteral("--proxy-server=127.0.0.1:9"), QStringLiteral("--enable-logging=stderr"),
                   QStringLiteral("--dump-dom"), QStringLiteral("file://") + file});
    Shown result;
    result.isDone = process.waitForFinished(120'000) && process.exitCode() == 0;
    result.document = process.readAllStandardOutput();
    for (const QString &line : QString::fromUtf8(process.readAllStandardError()).split(QLatin1Char('\n')))
        if (line.contains(QLatin1String("CONSOLE")))
            result.console += line + QLatin1Char('\n');
    return result;
}

} // namespace

class TestInBrowser : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!browser().isEmpty(), "chromium"); }

    void opensWithoutAWord_data() {
        QTest::addColumn<ReportInput>("input");
        QTest::newRow("all there is") << wholeInput();
        QTest::newRow("nothing") << ReportInput();
        QTest::newRow("hostile") << saidEverywhere(
            wholeInput(),
            QStringLiteral(
                "</script></style><img src=x onerror=console.log(1)><script>console.log(2)</script>"));
    }
    void opensWithoutAWord() {
        QFETCH(ReportInput, input);
        const Result<QByteArray> page = reportPage(input, lookTokens());
        QVERIFY2(page.hasValue(), qPrintable(page.message()));
        const Shown seen = shown(page.value());
        QVERIFY(seen.isDone);
        QCOMPARE(seen.console, QString());
        QCOMPARE(seen.document.count("<script"), 1);
        QCOMPARE(seen.document.count("<img"), 0);
        QCOMPARE(seen.document.count("<svg"), page.value().count("<svg"));
        // Its script has run: heads of sortable tables are buttons.
        QCOMPARE(seen.document.contains("title=\"Sort by this column\""),
                 page.value().contains("class=\"sortable\""));
    }
};

QObject *makeTestInBrowser() {
    return new TestInBrowser;
}

#include "tst_in_browser.moc"
