// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/file_watch.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/text_file.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace warpwright;

class TestFileWatch : public QObject {
    Q_OBJECT

private slots:
    void tellsOfAFileThatIsMadeLater_data() {
        QTest::addColumn<QString>("folder"); // that is there before
        QTest::newRow("its folder is there") << "w/.warpwright/lock";
        QTest::newRow("its folder is made with it") << "w/model.py";
    }

    void tellsOfAFileThatIsMadeLater() {
        QFETCH(QString, folder);
        const Scratch scratch;
        scratch.write(folder, "");
        FileWatch watch;
        QSignalSpy changed(&watch, &FileWatch::changed);
        watch.setFile(scratch.path("w/.warpwright/task.json"));
        scratch.write("w/.warpwright/task.json", "{}");
        QTRY_COMPARE(changed.size(), 1);
        scratch.write("w/.warpwright/task.json", "{\"name\": \"other\"}");
        QTRY_COMPARE(changed.size(), 2);
        QVERIFY(QFile::remove(scratch.path("w/.warpwright/task.json")));
        QTRY_COMPARE(changed.size(), 3);
        // By a rename onto it, twice: the watched file is another one each time.
        for (const char *text : {"{\"a\": 1}", "{\"a\": 10}"}) {
            const qsizetype before = changed.size();
            QVERIFY(writeFileAtomically(scratch.path("w/.warpwright/task.json"), text).hasValue());
            QTRY_COMPARE(changed.size(), before + 1);
        }
    }

    // As a build does, which writes beside it for minutes.
    void tellsInAFolderThatIsNeverQuiet() {
        const Scratch scratch;
        scratch.write("w/other", "");
        FileWatch watch;
        QSignalSpy changed(&watch, &FileWatch::changed);
        watch.setFile(scratch.path("w/compile_commands.json"));
        QTimer build;
        int objects = 0;
        connect(&build, &QTimer::timeout, this,
                [&] { scratch.write(QStringLiteral("w/%1.o").arg(++objects), "o"); });
        build.start(20);
        scratch.write("w/compile_commands.json", "[]");
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, 20000);
        QVERIFY(build.isActive() && objects > 1);
    }

    void whatElseHappensInTheFolderIsNotTold() {
        const Scratch scratch;
        scratch.write("w/task.json", "{}");
        FileWatch watch;
        QSignalSpy changed(&watch, &FileWatch::changed);
        watch.setFile(scratch.path("w/task.json"));
        scratch.write("w/lock", "1");
        QTest::qWait(400);
        QCOMPARE(changed.size(), 0);
        watch.setFile({});
        scratch.write("w/task.json", "{\"name\": 1}");
        QTest::qWait(400);
        QCOMPARE(changed.size(), 0);
    }
};

QObject *makeTestFileWatch() {
    return new TestFileWatch;
}

#include "tst_file_watch.moc"
