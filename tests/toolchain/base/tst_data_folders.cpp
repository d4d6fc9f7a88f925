// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/data_folders.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

class TestDataFolders : public QObject {
    Q_OBJECT

private slots:
    void followsTheVariables_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("cache");
        QTest::addColumn<QString>("environment");
        QTest::newRow("none but HOME") << QStringList{"HOME=/h"} << "/h/.local/share/warpwright"
                                       << "/h/.cache/warpwright"
                                       << "/h/.local/share/warpwright/env";
        QTest::newRow("XDG") << QStringList{"HOME=/h", "XDG_DATA_HOME=/d", "XDG_CACHE_HOME=/c"}
                             << "/d/warpwright"
                             << "/c/warpwright"
                             << "/d/warpwright/env";
        QTest::newRow("a relative XDG is no XDG")
            << QStringList{"HOME=/h", "XDG_DATA_HOME=d"} << "/h/.local/share/warpwright"
            << "/h/.cache/warpwright"
            << "/h/.local/share/warpwright/env";
        QTest::newRow("ours") << QStringList{"HOME=/h", "WARPWRIGHT_DATA=/w/", "WARPWRIGHT_ENV=/e"} << "/w"
                              << "/h/.cache/warpwright"
                              << "/e";
    }

    void followsTheVariables() {
        QFETCH(QStringList, variables);
        QProcessEnvironment environment;
        for (const QString &variable : variables)
            environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
        const DataFolders folders = DataFolders::find(environment, QStringLiteral("/usr/bin"));
        QTEST(folders.data, "data");
        QTEST(folders.cache, "cache");
        QTEST(folders.pythonEnvironment, "environment");
        QVERIFY(folders.config.endsWith(QLatin1String("/.config/warpwright")));
    }

    void findsResourcesInTheTreeAndInAPackage() {
        const QProcessEnvironment none;
        const DataFolders inTree = DataFolders::find(none, QStringLiteral("/nowhere/bin"));
        QCOMPARE(inTree.resources, QDir::cleanPath(sourceFolder("/resources")));
        QCOMPARE(inTree.refereeSources(), QDir::cleanPath(sourceFolder("/toolchain/referee")));

        const Scratch scratch;
        scratch.write(QStringLiteral("share/warpwright/referee/build.json"), "{}");
        const DataFolders packaged = DataFolders::find(none, scratch.path(QStringLiteral("bin")));
        QCOMPARE(packaged.resources, scratch.path(QStringLiteral("share/warpwright")));
        QCOMPARE(packaged.refereeSources(), scratch.path(QStringLiteral("share/warpwright/referee")));

        QProcessEnvironment moved;
        moved.insert(QStringLiteral("WARPWRIGHT_RESOURCES"), QStringLiteral("/opt/r"));
        QCOMPARE(DataFolders::find(moved, scratch.path(QStringLiteral("bin"))).resources,
                 QStringLiteral("/opt/r"));
    }
};

QObject *makeTestDataFolders() {
    return new TestDataFolders;
}

#include "tst_data_folders.moc"
