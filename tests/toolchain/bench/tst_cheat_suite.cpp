// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "toolchain/bench/cheat_suite.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

class TestCheatSuite : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QString &name, const QByteArray &text) const {
        const QString path = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", qPrintable(path));
        file.write(text);
        return path;
    }

    static QByteArray textOf(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }

private slots:
    void readsItsOwnTable() {
        DataFolders folders;
        folders.resources = sourceFolder("/resources");
        const Result<CheatSuite> suite = readCheatSuite(folders);
        QVERIFY2(suite.hasValue(), qPrintable(suite.message()));
        QVERIFY(suite.value().rows.size() >= 40);
        QStringList names;
        QStringList closed;
        QString group;
        for (const SuiteRow &row : suite.value().rows) {
            QVERIFY2(!names.contains(row.name), qPrintable(row.name));
            names << row.name;
            for (const QString &device : row.devices)
                QVERIFY2(device == "cpu" || device == "cuda", qPrintable(row.name));
            QVERIFY2(QDir(suite.value().folder + "/tasks/" + row.task).exists(), qPrintable(row.name));
            // Rows of one task stand together, so that it is opened once.
            if (row.group() != group) {
                QVERIFY2(!closed.contains(row.group()), qPrintable(row.name));
                closed << group;
                group = row.group();
            }
            // An attack without a folder would be the honest candidate; of a degenerate task that is one,
            // too.
            QVERIFY2(!row.isAttack || row.expected == "pass:degenerate" ||
                         QDir(suite.value().folder + "/rows/" + row.name).exists(),
                     qPrintable(row.name));
        }
    }

    void refusesABadTable_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no JSON") << QByteArray("{") << "table.json";
        QTest::newRow("another schema")
            << QByteArray(R"({"schema": "x", "rows": []})") << "no warpwright.suite/1";
        QTest::newRow("no rows") << QByteArray(R"({"schema": "warpwright.suite/1"})")
                                 << "no warpwright.suite/1";
        for (const char *lack : {"name", "task", "expected", "devices"}) {
            Json row{{"name", "n"}, {"task", "t"}, {"expected", "wrong"}, {"devices", {"cpu"}}};
            row.erase(lack);
            const Json table{{"schema", "warpwright.suite/1"}, {"rows", {row}}};
            QTest::newRow(lack) << QByteArray::fromStdString(table.dump()) << "lacks";
        }
    }
    void refusesABadTable() {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        write("bad/table.json", text);
        const Result<CheatSuite> suite = readCheatSuite({}, m_folder.filePath("bad"));
        QVERIFY(!suite.hasValue());
        QVERIFY2(suite.message().contains(said), qPrintable(suite.message()));
        QVERIFY2(suite.message().contains(m_folder.filePath("bad/table.json")), qPrintable(suite.message()));
    }

    void saysWhichFolderIsMissing() {
        const Result<CheatSuite> suite = readCheatSuite({}, m_folder.filePath("nowhere"));
        QVERIFY(!suite.hasValue());
        QVERIFY2(suite.message().contains("nowhere/table.json"), qPrintable(suite.message()));
    }

    void shardsAreTheWhole_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("count");
        for (const auto &[rows, count] : {std::pair{7, 1}, std::pair{7, 2}, std::pair{7, 3}, std::pair{2, 5}})
            QTest::addRow("%d rows in %d", rows, count) << rows << count;
    }
    void shardsAreTheWhole() {
        QFETCH(int, rows);
        QFETCH(int, count);
        std::vector<SuiteRow> all(static_cast<std::size_t>(rows));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i].name = QString::number(i);
        std::vector<SuiteRow> together;
        for (int shard = 1; shard <= count; ++shard) {
            const std::vector<SuiteRow> part = shardOf(all, shard, count);
            QVERIFY(static_cast<int>(part.size()) <= rows / count + 1);
            together.insert(together.end(), part.begin(), part.end());
        }
        QVERIFY(together == all);
    }

    void laysOnePartOverTheOther() {
        write("suite/shared/a.cpp", "shared");
        write("suite/shared/b.cpp", "shared");
        write("suite/native/n.cpp", "native");
        write("suite/tasks/t/model.py", "task");
        write("suite/tasks/t/b.cpp", "task");
        write("suite/rows/r/model.py", "row");
        CheatSuite suite;
        suite.folder = m_folder.filePath("suite");
        SuiteRow row;
        row.name = "r";
        row.task = "t";
        const QString there = m_folder.filePath("there");
        write("there/left.py", "of the row before");
        write("there/.warpwright/cache", "kept");
        QVERIFY(assembleRow(suite, row, there).hasValue());
        QCOMPARE(textOf(there + "/a.cpp"), QByteArray("shared"));
        QCOMPARE(textOf(there + "/b.cpp"), QByteArray("task"));
        QCOMPARE(textOf(there + "/model.py"), QByteArray("row"));
        QVERIFY(!QFile::exists(there + "/n.cpp") && !QFile::exists(there + "/left.py"));
        QCOMPARE(textOf(there + "/.warpwright/cache"), QByteArray("kept"));

        row.isNative = true;
        row.name = "honest"; // with nothing of its own
        row.settings = {{"ieee", true}};
        QVERIFY(assembleRow(suite, row, there).hasValue());
        QCOMPARE(textOf(there + "/n.cpp"), QByteArray("native"));
        QCOMPARE(textOf(there + "/model.py"), QByteArray("task"));
        QVERIFY(textOf(there + "/.warpwright/task.json").contains("ieee"));
        row.settings = nullptr;
        QVERIFY(assembleRow(suite, row, there).hasValue());
        QVERIFY(!QFile::exists(there + "/.warpwright/task.json"));
    }
};

QObject *makeTestCheatSuite() {
    return new TestCheatSuite;
}

#include "tst_cheat_suite.moc"
