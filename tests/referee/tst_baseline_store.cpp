// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/baseline_store.h"
#include "tests/referee/tests.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace warpwright {

class BaselineStoreTest : public QObject {
    Q_OBJECT

private slots:
    void keepsWhatWasStoredForItsTaskOnly() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("baselines.json")).toStdString();
        QVERIFY(BaselineStore(file, "one").store({{"eager", {{"medianMicroseconds", 5.0}}}}).empty());
        QVERIFY(BaselineStore(file, "two").store({{"eager", {{"medianMicroseconds", 6.0}}}}).empty());
        QCOMPARE(BaselineStore(file, "one").arms()["eager"]["medianMicroseconds"].get<double>(), 5.0);
        QCOMPARE(BaselineStore(file, "two").arms()["eager"]["medianMicroseconds"].get<double>(), 6.0);
        QVERIFY(BaselineStore(file, "three").arms().empty());
    }

    void takesABrokenFileForAnEmptyOne_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cut") << QByteArray("{\"method\":2,\"tasks\":{\"one\":{\"ea");
        QTest::newRow("other method")
            << QByteArray("{\"method\":0,\"tasks\":{\"one\":{\"eager\":{\"medianMicroseconds\":1}}}}");
        QTest::newRow("no time") << QByteArray(
            "{\"method\":2,\"tasks\":{\"one\":{\"eager\":{\"medianMicroseconds\":0}}}}");
        QTest::newRow("empty") << QByteArray();
    }
    void takesABrokenFileForAnEmptyOne() {
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("baselines.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const BaselineStore store(file.fileName().toStdString(), "one");
        QVERIFY(store.arms().empty());
        QVERIFY(store.store({{"eager", {{"medianMicroseconds", 2.0}}}}).empty());
        QVERIFY(!store.arms().empty());
    }

    void saysWhyItCannotWrite() {
        const std::string problem =
            BaselineStore("/proc/no/such/file", "one").store({{"eager", {{"medianMicroseconds", 2.0}}}});
        QVERIFY(problem.find("/proc/no/such/file") != std::string::npos);
    }
};

QObject *baselineStoreTest() {
    return new BaselineStoreTest;
}

} // namespace warpwright

#include "tst_baseline_store.moc"
