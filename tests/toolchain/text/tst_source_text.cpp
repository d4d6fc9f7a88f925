// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/text/source_text.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace warpwright;

class TestSourceText : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void writesTheSameBytesBack_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        QTest::addColumn<TextEncoding>("encoding");
        QTest::addColumn<LineEnding>("lineEnding");
        const auto row = [](const char *name, const QByteArray &bytes, const QString &text,
                            TextEncoding encoding, LineEnding lineEnding) {
            QTest::newRow(name) << bytes << text << encoding << lineEnding;
        };
        row("empty", "", "", TextEncoding::Utf8, LineEnding::Lf);
        row("UTF-8", "a\n\xc2\xb5\n", QStringLiteral("a\nµ\n"), TextEncoding::Utf8, LineEnding::Lf);
        row("no last line end", "a\nb", QStringLiteral("a\nb"), TextEncoding::Utf8, LineEnding::Lf);
        row("byte order mark", "\xef\xbb\xbfint a;\n", QStringLiteral("int a;\n"), TextEncoding::Utf8Bom,
            LineEnding::Lf);
        row("two byte order marks", "\xef\xbb\xbf\xef\xbb\xbfx\n", QStringLiteral("\uFEFFx\n"),
            TextEncoding::Utf8Bom, LineEnding::Lf);
        row("CR LF", "a\r\nb\r\n", QStringLiteral("a\nb\n"), TextEncoding::Utf8, LineEnding::CrLf);
        row("mixed", "a\r\nb\nc\r\n", QStringLiteral("a\r\nb\nc\r\n"), TextEncoding::Utf8, LineEnding::Mixed);
        row("CR only", "a\rb\r", QStringLiteral("a\rb\r"), TextEncoding::Utf8, LineEnding::Mixed);
        row("CR CR LF", "a\r\r\nb\r\n", QStringLiteral("a\r\r\nb\r\n"), TextEncoding::Utf8,
            LineEnding::Mixed);
        row("Latin-1", "gr\xfc\xdf\x65\n", QStringLiteral("grüße\n"), TextEncoding::Latin1, LineEnding::Lf);
        row("broken UTF-8", "a\xc3(\xa0\n", QStringLiteral("aÃ(\u00a0\n"), TextEncoding::Latin1,
            LineEnding::Lf);
        row("half a character at the end", "a\xe2\x82", QStringLiteral("aâ\u0082"), TextEncoding::Latin1,
            LineEnding::Lf);
        row("Latin-1 with CR LF", "\xfc\r\n", QStringLiteral("ü\n"), TextEncoding::Latin1, LineEnding::CrLf);
        row("UTF-16 LE", QByteArray("\xff\xfe\x61\x00\x0a\x00", 6), QStringLiteral("a\n"),
            TextEncoding::Utf16Le, LineEnding::Lf);
        row("UTF-16 BE", QByteArray("\xfe\xff\x00\x61\x00\x0d\x00\x0a", 8), QStringLiteral("a\n"),
            TextEncoding::Utf16Be, LineEnding::CrLf);
    }

    void writesTheSameBytesBack() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        QFETCH(TextEncoding, encoding);
        QFETCH(LineEnding, lineEnding);
        const Scratch scratch;
        const QString path = scratch.write(QStringLiteral("a.cu"), bytes);
        const auto source = readSourceText(path);
        QVERIFY2(source.hasValue(), qPrintable(source.message()));
        QCOMPARE(source.value().text, text);
        QCOMPARE(source.value().encoding, encoding);
        QCOMPARE(source.value().lineEnding, lineEnding);
        QVERIFY(!source.value().isReadOnlyKind);
        const auto written = writeSourceText(path, source.value());
        QVERIFY2(written.hasValue(), qPrintable(written.message()));
        QCOMPARE(textOf(path), bytes);
        QCOMPARE(written.value(), source.value().hash);
        QCOMPARE(hashOfFile(path), source.value().hash);
    }

    void keepsLineEndsOfNewLines() {
        SourceText source = decodeSourceText("a\r\nb\r\n");
        source.text = QStringLiteral("a\nnew\nb\r\n"); // pasted with its own line end
        QCOMPARE(encodeSourceText(source).value(), QByteArray("a\r\nnew\r\nb\r\n"));
    }

    void saysWhatIsWrongWithAFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isReadOnly");
        QTest::addColumn<QString>("note");
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\x02\x01\0\0\0\0",
                                              10)
                                << true << QStringLiteral("This is no text: a binary file of 10 bytes.");
        QTest::newRow("control characters") << QByteArray("\x01\x02\x03\x04 abc") << true
                                            << QStringLiteral("This is no text: a binary file of 8 bytes.");
        QTest::newRow("not UTF-8")
            << QByteArray("// gr\xfc\xdf\x65\n") << false
            << QStringLiteral("The file is not UTF-8: it is shown as Latin-1 and saved so again.");
        QTest::newRow("mixed line ends")
            << QByteArray("a\r\nb\n") << false
            << QStringLiteral("Its lines end in more than one way; each is kept, new ones end in LF.");
        QTest::newRow("good") << QByteArray("int a;\n") << false << QString();
    }

    void saysWhatIsWrongWithAFile() {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, isReadOnly);
        QFETCH(QString, note);
        const SourceText source = decodeSourceText(bytes);
        QCOMPARE(source.note, note);
        QCOMPARE(source.isReadOnlyKind, isReadOnly);
        QCOMPARE(source.text.isEmpty(), isReadOnly);
    }

    void cutsLinesThatAnEditorCannotBear() {
        const QByteArray line(2'000'000, 'x');
        const SourceText source = decodeSourceText("first\n" + line + "\nlast\n");
        QVERIFY(source.isReadOnlyKind && source.hasLongLine);
        QCOMPARE(source.note,
                 QStringLiteral("It has a line of 2,000,000 characters: long lines are shown in part, "
                                "without colours, and it cannot be changed here."));
        QCOMPARE(source.text, QStringLiteral("first\n") + QString(4000, u'x') +
                                  QStringLiteral(" … 1,996,000 characters more\nlast\n"));
        const SourceText bearable = decodeSourceText(QByteArray(20'000, 'x') + '\n');
        QVERIFY(!bearable.isReadOnlyKind && bearable.text.size() == 20'001);
    }

    void showsTheFirstPartOf50Megabytes() {
        const Scratch scratch;
        const QByteArray line("float value = 1.0f; // \xc2\xb5\n");
        const QString path =
            scratch.write(QStringLiteral("huge.cu"), line.repeated(50'000'000 / line.size()));
        QElapsedTimer timer;
        timer.start();
        const auto source = readSourceText(path);
        QVERIFY(source.hasValue());
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(source.value().isReadOnlyKind);
        QVERIFY(source.value().text.size() > 900'000 && source.value().text.size() <= shownPart);
        QVERIFY(source.value().text.endsWith(u'\n'));
        QCOMPARE(source.value().encoding, TextEncoding::Utf8);
        QVERIFY2(source.value().note.startsWith(
                     QStringLiteral("The file has 50.0 MB; only its first 1.0 MB are shown, "
                                    "and it cannot be changed here.")),
                 qPrintable(source.value().note));
        QCOMPARE(hashOfFile(path), source.value().hash);
    }

    void cutsNoCharacterOfAHugeLine() {
        const Scratch scratch;
        const QString path =
            scratch.write(QStringLiteral("huge"), 'a' + QByteArray("\xc2\xb5").repeated(5'000'000));
        const auto source = readSourceText(path);
        QVERIFY(source.hasValue());
        QCOMPARE(source.value().encoding, TextEncoding::Utf8);
    }

    void refusesWhatTheEncodingLacks() {
        const Scratch scratch;
        const QString path = scratch.write(QStringLiteral("a.cu"), "// \xfc\n");
        SourceText source = readSourceText(path).value();
        source.text += QStringLiteral("// a → b\n");
        const auto written = writeSourceText(path, source);
        QVERIFY(!written.hasValue());
        QCOMPARE(written.message(),
                 QStringLiteral("Cannot save \"%1\": the file is Latin-1, which has no \"→\" (line 2). "
                                "Replace it, or convert the file to UTF-8 first.")
                     .arg(path));
        QCOMPARE(textOf(path), QByteArray("// \xfc\n"));
    }

    void leavesAReadOnlyFileAlone() {
        const Scratch scratch;
        const QString path = scratch.write(QStringLiteral("a.cu"), "old\n");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ReadUser));
        SourceText source = readSourceText(path).value();
        QVERIFY(!source.isWritable);
        QCOMPARE(source.note,
                 QStringLiteral("The file is read-only: what you change here cannot be saved to it."));
        source.text = QStringLiteral("new\n");
        const auto written = writeSourceText(path, source);
        QCOMPARE(
            written.message(),
            QStringLiteral("Cannot save \"%1\": the file is read-only. Make it writable: chmod u+w \"%1\"")
                .arg(path));
        QCOMPARE(textOf(path), QByteArray("old\n"));
    }

    void keepsPermissionsAndLinks() {
        const Scratch scratch;
        const QString path = scratch.writeProgram(QStringLiteral("real.py"), "old\n");
        const auto before = QFileInfo(path).permissions();
        const QString link = scratch.path(QStringLiteral("link.py"));
        QVERIFY(QFile::link(path, link));
        SourceText source = readSourceText(link).value();
        source.text = QStringLiteral("new\n");
        QVERIFY(writeSourceText(link, source).hasValue());
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(textOf(path), QByteArray("new\n"));
        QCOMPARE(QFileInfo(path).permissions(), before);
    }

    void leavesTheOldTextOnAFullDisk() {
        const Scratch scratch;
        const QString path = scratch.write(QStringLiteral("a.cu"), "old\n");
        SourceText source = readSourceText(path).value();
        source.text = QString(200'000, u'x');
        // A limit on the size of files stands for a disk without room.
        const auto former = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit = {};
        getrlimit(RLIMIT_FSIZE, &limit);
        rlimit small = limit;
        small.rlim_cur = 64 * 1024;
        setrlimit(RLIMIT_FSIZE, &small);
        const auto written = writeSourceText(path, source);
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, former);
        QVERIFY(!written.hasValue());
        QVERIFY2(written.message().contains(QLatin1String("Free some space on the disk")),
                 qPrintable(written.message()));
        QCOMPARE(textOf(path), QByteArray("old\n"));
        QCOMPARE(QDir(scratch.path()).entryList(QDir::Files).size(), 1);
    }
};

QObject *makeTestSourceText() {
    return new TestSourceText;
}

#include "tst_source_text.moc"
