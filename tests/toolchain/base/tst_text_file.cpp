// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestTextFile : public QObject {
    Q_OBJECT

private slots:
    void readsWhatWasWritten() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("a/b/text"));
        QVERIFY(writeFileAtomically(file, "one").hasValue());
        QVERIFY(writeFileAtomically(file, "two").hasValue());
        QCOMPARE(readTextFile(file).value(), QByteArray("two"));
        QCOMPARE(QDir(scratch.path(QStringLiteral("a/b"))).entryList(QDir::Files).size(), 1);
    }

    void keepsRightsAndLinks() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("script"));
        const QString link = scratch.path(QStringLiteral("link"));
        scratch.write(QStringLiteral("script"), "one");
        QVERIFY(QFile::setPermissions(file, QFile::permissions(file) | QFile::ExeOwner));
        QVERIFY(QFile::link(file, link));
        const auto rights = QFile::permissions(file);
        QVERIFY(writeFileAtomically(link, "two").hasValue());
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(readTextFile(file).value(), QByteArray("two"));
        QCOMPARE(QFile::permissions(file), rights);
        const auto onFolder = writeFileAtomically(scratch.path(QStringLiteral(".")), "three");
        QVERIFY(onFolder.message().contains(QLatin1String("it is not a file")));
    }

    // A kill leaves the file that was being written: hidden, and gone with a later write to the same path.
    void hidesAndRemovesWhatAKillLeaves() {
        const Scratch scratch;
        const QString left = QStringLiteral(".gate.cpp.new-1a2b");
        for (const QString &name : {left, QStringLiteral(".gate.cpp.new"), QStringLiteral(".other.new-1a2b")})
            scratch.write(name, "half");
        QCOMPARE(QDir(scratch.path({})).entryList(QDir::Files), QStringList());
        QVERIFY(writeFileAtomically(scratch.path(QStringLiteral("gate.cpp")), "whole").hasValue());
        QVERIFY(QFileInfo::exists(scratch.path(left))); // somebody may be writing it
        QFile file(scratch.path(left));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTimeUtc().addSecs(-7200), QFile::FileModificationTime));
        file.close();
        QVERIFY(writeFileAtomically(scratch.path(QStringLiteral("gate.cpp")), "whole").hasValue());
        QCOMPARE(QDir(scratch.path({})).entryList(QDir::Files | QDir::Hidden, QDir::Name),
                 QStringList({QStringLiteral(".gate.cpp.new"), QStringLiteral(".other.new-1a2b"),
                              QStringLiteral("gate.cpp")}));
    }

    void saysWhyItCannotRead_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("missing") << QStringLiteral("missing") << QStringLiteral("No such file or directory");
        QTest::newRow("folder") << QStringLiteral(".") << QStringLiteral("it is not a file");
        QTest::newRow("too large") << QStringLiteral("large") << QStringLiteral("it is larger than 10 bytes");
    }

    void saysWhyItCannotRead() {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        const Scratch scratch;
        scratch.write(QStringLiteral("large"), QByteArray(11, 'x'));
        const auto text = readTextFile(scratch.path(name), 10);
        QVERIFY(!text.hasValue());
        QCOMPARE(text.message(), QStringLiteral("Cannot read \"%1\": %2.").arg(scratch.path(name), reason));
    }

    void saysWhyItCannotMakeAFolder() {
        const Scratch scratch;
        scratch.write(QStringLiteral("file"), {});
        const auto made = makeFolder(scratch.path(QStringLiteral("file/below")));
        QVERIFY(!made.hasValue());
        QVERIFY2(made.message().contains(QLatin1String("a file is in the way")), qPrintable(made.message()));
        QVERIFY(makeFolder(scratch.path(QStringLiteral("file")))
                    .message()
                    .contains(QLatin1String("a file is in the way")));
    }

    void advisesOnAFullDiskOnly() {
        QCOMPARE(adviceForFullDisk(QStringLiteral("/mnt"), QStringLiteral("No space left on device")),
                 QStringLiteral("Free some space on the disk that holds \"/mnt\" and try again."));
        QCOMPARE(adviceForFullDisk(QStringLiteral("/mnt"), QStringLiteral("Permission denied")), QString());
    }

    void takesBrokenJsonForAMessage() {
        const auto broken = parseJson("{\"a\": 1,\n oops}");
        QVERIFY(!broken.hasValue());
        QVERIFY2(broken.message().contains(QLatin1String("line 2")), qPrintable(broken.message()));
        QCOMPARE(dumpJson(Json{{"text", std::string("\xff")}}), QByteArray("{\"text\":\"\xef\xbf\xbd\"}"));
    }
};

QObject *makeTestTextFile() {
    return new TestTextFile;
}

#include "tst_text_file.moc"
