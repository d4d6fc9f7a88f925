// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/settings.h"

#include <QTest>

using namespace warpwright;

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void isEmptyWithoutAFile() {
        const auto settings = Settings::load(QStringLiteral("/no/such/file"));
        QVERIFY(settings.hasValue());
        QCOMPARE(settings.value(), Settings());
    }

    void keepsWhatItDoesNotKnow() {
        const Scratch scratch;
        const QString file = scratch.write(QStringLiteral("settings.json"),
                                           R"({"python": "/p", "maxJobs": 3, "ofTomorrow": {"a": [1]}})");
        Settings settings = Settings::load(file).value();
        QCOMPARE(settings.python, QStringLiteral("/p"));
        QCOMPARE(settings.maxJobs, 3);
        settings.architecture = QStringLiteral("sm_120a");
        QVERIFY(settings.store(file).hasValue());
        QCOMPARE(Settings::load(file).value(), settings);
        QVERIFY(textOf(file).contains("ofTomorrow"));
    }

    void saysWhatIsBroken_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << QByteArray("{\n\"python\": }") << "line 2";
        QTest::newRow("empty") << QByteArray("") << "parse error";
        QTest::newRow("a list") << QByteArray("[]") << "it is no JSON object";
        QTest::newRow("a number for a path") << QByteArray(R"({"cuda": 12})") << "\"cuda\" is no text";
        QTest::newRow("a text for a number")
            << QByteArray(R"({"maxJobs": "2"})") << "\"maxJobs\" is no number from 0 to 4096";
    }

    void saysWhatIsBroken() {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        const Scratch scratch;
        const QString file = scratch.write(QStringLiteral("settings.json"), text);
        const auto settings = Settings::load(file);
        QVERIFY(!settings.hasValue());
        QVERIFY2(settings.message().startsWith(QStringLiteral("Cannot read the settings \"%1\": ").arg(file)),
                 qPrintable(settings.message()));
        QVERIFY2(settings.message().contains(words), qPrintable(settings.message()));
        QVERIFY(settings.message().contains(QLatin1String("remove it to start with none")));
    }
};

QObject *makeTestSettings() {
    return new TestSettings;
}

#include "tst_settings.moc"
