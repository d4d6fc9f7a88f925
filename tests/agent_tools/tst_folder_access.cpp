// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/folder_access.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <sys/stat.h>

using namespace warpwright;

class TestFolderAccess : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<Scratch>();
        m_world->write("in/kernels/a.cu", "text");
        m_world->write("outside/secret", "secret");
    }
    void readsAndWritesBelow() {
        const FolderAccess in = access();
        QCOMPARE(in.read("kernels/a.cu").bytes, QByteArray("text"));
        QCOMPARE(in.read("./kernels//a.cu").bytes, QByteArray("text"));
        QCOMPARE(in.read(in.folder() + "/kernels/a.cu").bytes, QByteArray("text"));
        QCOMPARE(in.write("kernels/deep/er/b.cu", "more").reach, Reach::Ok);
        QCOMPARE(textOf(in.folder() + "/kernels/deep/er/b.cu"), QByteArray("more"));
        QCOMPARE(in.remove("kernels/deep/er/b.cu").reach, Reach::Ok);
        QCOMPARE(in.remove("kernels/deep/er/b.cu").reach, Reach::Ok);
    }
    void stays_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("up") << "../outside/secret";
        QTest::newRow("up and down") << "kernels/../../outside/secret";
        QTest::newRow("back in") << "kernels/../kernels/a.cu";
        QTest::newRow("absolute") << "/etc/hostname";
        QTest::newRow("by /proc") << "/proc/self/cwd/kernels/a.cu";
        QTest::newRow("by /proc/self/root") << "/proc/self/root/etc/hostname";
        QTest::newRow("beside") << m_beside;
        QTest::newRow("empty") << "";
        QTest::newRow("itself") << ".";
        QTest::newRow("NUL") << QString("kernels/a.cu") + QChar::Null;
    }
    void stays() {
        QFETCH(QString, path);
        if (path == m_beside)
            path = m_world->path("in-other/x");
        QCOMPARE(access().read(path).reach, Reach::Outside);
        QCOMPARE(access().write(path, "x").reach, Reach::Outside);
        QCOMPARE(access().remove(path).reach, Reach::Outside);
    }
    void followsNoLink() {
        const FolderAccess in = access();
        QVERIFY(QFile::link(m_world->path("outside/secret"), in.folder() + "/kernels/link.cu"));
        QVERIFY(QFile::link(m_world->path("outside"), in.folder() + "/kernels/folder"));
        QCOMPARE(in.read("kernels/link.cu").reach, Reach::Outside);
        QCOMPARE(in.read("kernels/folder/secret").reach, Reach::Outside);
        QCOMPARE(in.write("kernels/folder/new", "x").reach, Reach::Outside);
        QVERIFY(!QFile::exists(m_world->path("outside/new")));
        // A link of that name is replaced; what it points to stays.
        QCOMPARE(in.write("kernels/link.cu", "mine").reach, Reach::Ok);
        QCOMPARE(textOf(m_world->path("outside/secret")), QByteArray("secret"));
        QCOMPARE(in.read("kernels/link.cu").bytes, QByteArray("mine"));
        for (const FoundFile &file : in.list({}, true))
            QVERIFY2(!file.path.contains("secret"), qPrintable(file.path));
    }
    void waitsForNoPipe() {
        const FolderAccess in = access();
        QCOMPARE(mkfifo(QFile::encodeName(in.folder() + "/kernels/pipe"), 0600), 0);
        QCOMPARE(in.read("kernels/pipe").reach, Reach::NoFile);
        QCOMPARE(in.read("kernels").reach, Reach::NoFile);
        QCOMPARE(in.read("kernels/none").reach, Reach::NotThere);
        QCOMPARE(in.read("kernels/a.cu", 2).reach, Reach::TooLarge);
    }
    void makesRoomForAFile() {
        const FolderAccess in = access();
        QVERIFY(QDir(in.folder()).mkpath("model.py/inner"));
        QVERIFY(QFile::link(m_world->path("outside"), in.folder() + "/utils"));
        QCOMPARE(in.clear("model.py").reach, Reach::Ok);
        QCOMPARE(in.write("model.py", "task").reach, Reach::Ok);
        QCOMPARE(in.clear("utils/compile.py").reach, Reach::Ok);
        QCOMPARE(in.write("utils/compile.py", "task").reach, Reach::Ok);
        QVERIFY(!QFile::exists(m_world->path("outside/compile.py")));
        QCOMPARE(in.clear("kernels/a.cu").reach, Reach::Ok);
        QCOMPARE(in.read("kernels/a.cu").bytes, QByteArray("text"));
    }

private:
    [[nodiscard]] FolderAccess access() const { return FolderAccess(m_world->path("in")); }

    const QString m_beside = QStringLiteral("a folder whose name begins the same");
    std::unique_ptr<Scratch> m_world;
};

QObject *makeTestFolderAccess() {
    return new TestFolderAccess;
}

#include "tst_folder_access.moc"
