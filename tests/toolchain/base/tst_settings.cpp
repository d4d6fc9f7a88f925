// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/base/settings.h"

#include <QDir>
#include <QTest>

#include <thread>

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

    void comesBackWhole() {
        const Scratch scratch;
        Settings settings;
        settings.python = "/p";
        settings.tier = Tier::Certify;
        settings.nvccFlags = QStringList{"-lineinfo", "--maxrregcount=64"};
        settings.cxxFlags = QStringList{"-g"};
        settings.allow = QStringList{"FP32", "BF16"};
        settings.theme = "dark";
        settings.fontScale = 1.5;
        settings.compileOn = "idle";
        settings.languageServer = "off";
        settings.formatOnSave = "on";
        settings.codeFontFamily = "JetBrains Mono";
        settings.codeFontSize = 13;
        settings.closeBrackets = "never";
        settings.keys = {{"check", "F5"}, {"stop", ""}};
        settings.unknown["later"] = Json{{"a", 1}};
        const QString file = scratch.path("config/settings.json");
        QVERIFY(settings.store(file).hasValue());
        QCOMPARE(Settings::load(file).value(), settings);
        QCOMPARE(Settings::loadOrDefaults(file).settings, settings);
        QCOMPARE(Settings::loadOrDefaults(file).notice, QString());
        // No choice leaves no trace.
        QVERIFY(Settings().store(file).hasValue());
        QCOMPARE(textOf(file), QByteArray("{}\n"));
    }

    // Ten steps of a tenth, as the keys made them.
    void keepsTheScaleInWholeNumbers() {
        const Scratch scratch;
        const QString file = scratch.path("settings.json");
        Settings settings;
        settings.fontScale = 1.3 - 0.1 - 0.1 - 0.1;
        QVERIFY(settings.fontScale != 1.0);
        QVERIFY(settings.store(file).hasValue());
        QVERIFY2(!textOf(file).contains("999"), textOf(file).constData());
        QCOMPARE(Settings::load(file).value().fontScale, 1.0);
    }

    void changesOneThingBesideOthers() {
        const Scratch scratch;
        const QString file = scratch.path("config/settings.json");
        std::vector<std::thread> programs;
        for (int program = 0; program < 4; ++program)
            programs.emplace_back([&file, program] {
                for (int turn = 0; turn < 5; ++turn) {
                    const QString action = QStringLiteral("%1.%2").arg(program).arg(turn);
                    const auto changed =
                        Settings::change(file, [&](Settings &settings) { settings.keys[action] = "F1"; });
                    if (!changed.hasValue())
                        qWarning("%s", qPrintable(changed.message()));
                }
            });
        for (std::thread &program : programs)
            program.join();
        QCOMPARE(Settings::load(file).value().keys.size(), 20);
    }

    void startsWithABrokenFile() {
        const Scratch scratch;
        const QString file = scratch.write("settings.json", "{\"theme\": \"dark\", ");
        const auto loaded = Settings::loadOrDefaults(file);
        QCOMPARE(loaded.settings, Settings());
        QVERIFY2(
            loaded.notice.startsWith(QStringLiteral("Cannot use all of the settings \"%1\": ").arg(file)),
            qPrintable(loaded.notice));
        QVERIFY(!QFileInfo::exists(file));
        const QStringList kept = QDir(scratch.path()).entryList({"settings.json.broken-*"});
        QCOMPARE(kept.size(), 1);
        QVERIFY(loaded.notice.contains(kept[0]));
        QCOMPARE(textOf(scratch.path(kept[0])), QByteArray("{\"theme\": \"dark\", "));
        QCOMPARE(Settings::loadOrDefaults(file).notice, QString());
    }

    void takesWhatIsRightInAFile() {
        const Scratch scratch;
        const QString file = scratch.write(
            "settings.json", R"({"theme": "pink", "python": "/p", "fontScale": 9, "ofTomorrow": [1]})");
        const auto loaded = Settings::loadOrDefaults(file);
        QCOMPARE(loaded.settings.python, QString("/p"));
        QCOMPARE(loaded.settings.theme, QString());
        QVERIFY2(loaded.notice.contains("\"theme\" is none of system, light, dark") &&
                     loaded.notice.contains("\"fontScale\" is no number from 0.5 to 3"),
                 qPrintable(loaded.notice));
        QCOMPARE(QDir(scratch.path()).entryList({"settings.json.broken-*"}).size(), 1);
        QCOMPARE(Settings::load(file).value(), loaded.settings);
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
        QTest::newRow("a tier that is none")
            << QByteArray(R"({"tier": "slow"})") << "\"tier\" is none of quick, certify";
        QTest::newRow("a theme that is none") << QByteArray(R"({"theme": 1})") << "\"theme\" is no text";
        QTest::newRow("a precision that is none")
            << QByteArray(R"({"allow": ["FP31"]})") << "\"allow\" holds \"FP31\", which is none of FP32";
        QTest::newRow("a text for flags")
            << QByteArray(R"({"nvccFlags": "-g"})") << "\"nvccFlags\" is no list of texts";
        QTest::newRow("a font of nothing")
            << QByteArray(R"({"codeFontSize": 2})") << "\"codeFontSize\" is no number from 6 to 72";
        QTest::newRow("a number for a key")
            << QByteArray(R"({"keys": {"check": 5}})") << "\"keys\" has no text for \"check\"";
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

    // Fourteen megabytes of brackets kept a window from opening for twenty seconds.
    void aFileTooLargeToBeSettingsIsNotRead() {
        const Scratch scratch;
        const QString file = scratch.write("settings.json", QByteArray(2 << 20, '['));
        QVERIFY2(Settings::load(file).message().contains("larger than"),
                 qPrintable(Settings::load(file).message()));
        const Settings::Loaded loaded = Settings::loadOrDefaults(file);
        QVERIFY2(loaded.notice.contains("the defaults are used"), qPrintable(loaded.notice));
        QVERIFY(QFile::exists(file));
    }
};

QObject *makeTestSettings() {
    return new TestSettings;
}

#include "tst_settings.moc"
