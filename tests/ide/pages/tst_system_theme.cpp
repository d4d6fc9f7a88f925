// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/system_theme.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestSystemTheme : public QObject {
    Q_OBJECT
private slots:
    void readsThePortalsNumber_data() {
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<int>("expected"); // −1: no preference
        const auto wrapped = [](const QVariant &inner) {
            return QVariant::fromValue(QDBusVariant(inner));
        };
        QTest::newRow("dark") << QVariant(1U) << 1;
        QTest::newRow("light") << QVariant(2U) << 0;
        QTest::newRow("no preference") << QVariant(0U) << -1;
        QTest::newRow("a number of later") << QVariant(7U) << -1;
        QTest::newRow("a word") << QVariant(QStringLiteral("dark")) << -1;
        QTest::newRow("nothing") << QVariant() << -1;
        QTest::newRow("in a variant") << wrapped(1U) << 1;
        QTest::newRow("in two, as Read gives it") << wrapped(wrapped(2U)) << 0;
    }
    void readsThePortalsNumber() {
        QFETCH(const QVariant, value);
        QFETCH(const int, expected);
        const std::optional<bool> darkness = darknessFromPortal(value);
        QCOMPARE(darkness ? static_cast<int>(*darkness) : -1, expected);
    }

    void followsTheSettingWhileItRuns() {
        SystemTheme theme(nullptr, QStringLiteral("unix:path=/nowhere/bus"));
        const QSignalSpy changes(&theme, &SystemTheme::changed);
        QVERIFY(!theme.isFromPortal());
        QVERIFY(!theme.isDark()); // the palette of this program is light
        const auto tell = [&theme](const char *group, const char *key, uint scheme) {
            QVERIFY(QMetaObject::invokeMethod(
                &theme, "settingChanged", Q_ARG(QString, QString::fromLatin1(group)),
                Q_ARG(QString, QString::fromLatin1(key)), Q_ARG(QDBusVariant, QDBusVariant(scheme))));
        };
        tell("org.freedesktop.appearance", "color-scheme", 1);
        QVERIFY(theme.isDark());
        QVERIFY(theme.isFromPortal());
        tell("org.freedesktop.appearance", "color-scheme", 1);
        QCOMPARE(changes.size(), 1);
        tell("org.freedesktop.appearance", "contrast", 2);
        tell("org.gnome.desktop.interface", "color-scheme", 2);
        QVERIFY(theme.isDark());
        tell("org.freedesktop.appearance", "color-scheme", 0); // no preference: the palette again
        QVERIFY(!theme.isDark());
        QCOMPARE(changes.size(), 2);
    }
};

QObject *makeTestSystemTheme() {
    return new TestSystemTheme;
}

#include "tst_system_theme.moc"
