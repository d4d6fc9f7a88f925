// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/edited_file.h"
#include "tests/toolchain/scratch.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <QTimer>

#include <cstdio>

using namespace warpwright;

/// Types a numbered line every 20 ms and tells of each when it was typed, in ms since the epoch.
int typeUntilKilled(const QString &file, const QString &drafts) {
    Look look;
    const auto ownedEditor = makeCodeEditor(look, nullptr);
    CodeEditor &editor = *ownedEditor;
    editor.show();
    EditedFile edited(file, &editor, DraftStore(drafts), nullptr);
    QTimer keys;
    int number = 0;
    QObject::connect(&keys, &QTimer::timeout, &editor, [&] {
        QTest::keyClicks(&editor, QStringLiteral("line %1").arg(++number));
        QTest::keyClick(&editor, Qt::Key_Return);
        std::printf("%d %lld\n", number, static_cast<long long>(QDateTime::currentMSecsSinceEpoch()));
        std::fflush(stdout);
    });
    QObject::connect(&edited, &EditedFile::loaded, &editor, [&] { keys.start(20); });
    edited.load();
    return QCoreApplication::exec();
}

class TestDraftRecovery : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void bringsBackEverythingOlderThanASecondAfterAKill() {
        const Scratch scratch;
        const QString file = scratch.write(QStringLiteral("kernels/a.cu"), "// first\n");
        const QString drafts = scratch.path(QStringLiteral(".warpwright/drafts"));
        QProcess window;
        window.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--type-until-killed"), file, drafts});
        QVERIFY(window.waitForStarted());
        QByteArray told;
        QElapsedTimer timer;
        timer.start();
        while (told.count('\n') < 100 && timer.elapsed() < 30'000) {
            window.waitForReadyRead(100);
            told += window.readAllStandardOutput();
        }
        const qint64 killedAt = QDateTime::currentMSecsSinceEpoch();
        window.kill();
        QVERIFY(window.waitForFinished());
        told += window.readAllStandardOutput();
        int due = 0; // the last line that had been there for a second
        for (const QByteArray &line : told.split('\n'))
            if (const auto words = line.split(' ');
                words.size() == 2 && words[1].toLongLong() < killedAt - 1000)
                due = words[0].toInt();
        QVERIFY2(due > 20, told.constData());
        QCOMPARE(textOf(file), QByteArray("// first\n"));

        Look look;
        const auto ownedEditor = makeCodeEditor(look, nullptr);
        CodeEditor &editor = *ownedEditor;
        EditedFile edited(file, &editor, DraftStore(drafts), nullptr);
        QSignalSpy loaded(&edited, &EditedFile::loaded);
        QSignalSpy news(&edited, &EditedFile::news);
        edited.load();
        QVERIFY(loaded.wait());
        QCOMPARE(news.value(0).value(0).value<EditedFile::News>(), EditedFile::News::Recovered);
        QVERIFY2(editor.content().startsWith(QStringLiteral("line 1\nline 2\n")),
                 qPrintable(editor.content()));
        QVERIFY2(editor.content().contains(QStringLiteral("line %1\n").arg(due)),
                 qPrintable(editor.content().right(200)));
        QVERIFY(edited.isDirty());
        editor.undo();
        QCOMPARE(editor.content(), QStringLiteral("// first\n"));
        editor.redo();

        // Saved, and nothing is left to recover.
        QSignalSpy saved(&edited, &EditedFile::saved);
        edited.save();
        QVERIFY(saved.wait());
        QCOMPARE(QString::fromUtf8(textOf(file)), editor.content());
        QVERIFY(QDir(drafts).isEmpty());
    }
};

QObject *makeTestDraftRecovery() {
    return new TestDraftRecovery;
}

#include "tst_draft_recovery.moc"
