// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/changed_lines.h"
#include "tests/ide/opened_file.h"
#include "widgets/editor/change_marks.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace warpwright;
using News = EditedFile::News;

namespace {

/// A limit on the size of files stands for a disk without room.
class FullDisk {
public:
    FullDisk() : m_former(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &m_limit);
        rlimit small = m_limit;
        small.rlim_cur = 4096;
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &m_limit);
        std::signal(SIGXFSZ, m_former);
    }

private:
    void (*m_former)(int);
    rlimit m_limit = {};
};

} // namespace

class TestEditedFile : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void takesChangesOfTheDisk_data() {
        QTest::addColumn<QString>("typed"); // in front of line 1; empty: nothing
        QTest::addColumn<QByteArray>("disk");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<bool>("isDirty");
        QTest::addColumn<int>("news"); // -1: a conflict, -2: nothing
        QTest::newRow("nobody typed")
            << QString() << QByteArray("one\nTWO\nthree\nfour\nfive\n")
            << QByteArray("one\nTWO\nthree\nfour\nfive\n") << false << int(News::Reloaded);
        QTest::newRow("same bytes") << QString() << kText << kText << false << -2;
        QTest::newRow("other line ends")
            << QString() << QByteArray(kText).replace("\n", "\r\n") << kText << false << int(News::Reloaded);
        QTest::newRow("different places")
            << QStringLiteral("zero\n") << QByteArray("one\ntwo\nthree\nfour\nFIVE\n")
            << QByteArray("zero\none\ntwo\nthree\nfour\nFIVE\n") << true << int(News::Merged);
        QTest::newRow("the same on both sides") << QStringLiteral("zero\n") << "zero\n" + kText
                                                << "zero\n" + kText << false << int(News::Reloaded);
        QTest::newRow("the same lines")
            << QStringLiteral("mine") << QByteArray("theirs\ntwo\nthree\nfour\nfive\n") << "mine" + kText
            << true << -1;
        QTest::newRow("binary now") << QStringLiteral("mine") << QByteArray("\0\1\2", 3) << "mine" + kText
                                    << true << -1;
    }

    void takesChangesOfTheDisk() {
        QFETCH(QString, typed);
        QFETCH(QByteArray, disk);
        QFETCH(QByteArray, shown);
        QFETCH(bool, isDirty);
        QFETCH(int, news);
        Opened opened;
        opened.editor->setCursorPosition(3, 2); // in «four»
        if (!typed.isEmpty())
            opened.type(1, typed);
        const QString before = opened.editor->content();
        const EditorPlace place = opened.editor->cursorPlace();
        opened.writeOutside(disk);
        if (news == -2)
            QTest::qWait(400);
        else
            QTRY_VERIFY(!opened.news->isEmpty() || !opened.conflicts->isEmpty());
        QCOMPARE(opened.editor->content().toUtf8(), shown);
        QCOMPARE(opened.file->isDirty(), isDirty);
        QCOMPARE(opened.editor->cursorPlace(), place);
        QCOMPARE(opened.conflicts->size(), news == -1 ? 1 : 0);
        QCOMPARE(opened.file->hasConflict(), news == -1);
        if (news >= 0)
            QVERIFY(opened.heard(static_cast<News>(news)));
        if (opened.editor->content() != before) {
            opened.editor->undo(); // one step
            QCOMPARE(opened.editor->content(), before);
        }
        QCOMPARE(textOf(opened.path), disk);
    }

    void whatARunWritesLiesBelowUndo_data() {
        QTest::addColumn<QString>("saved"); // typed and saved before
        QTest::addColumn<QString>("typed"); // and then, not saved
        QTest::newRow("nobody typed") << QString() << QString();
        QTest::newRow("all is saved") << QStringLiteral("zero\n") << QString();
        QTest::newRow("a change is not saved") << QString() << QStringLiteral("Y");
        QTest::newRow("both") << QStringLiteral("zero\n") << QStringLiteral("Y");
    }

    void whatARunWritesLiesBelowUndo() {
        QFETCH(QString, saved);
        QFETCH(QString, typed);
        Opened opened;
        if (!saved.isEmpty()) {
            opened.type(1, saved);
            opened.file->save();
            QVERIFY(opened.saved->wait());
        }
        if (!typed.isEmpty())
            opened.type(1, typed);
        opened.editor->setCursorPosition(2, 2);
        const EditorPlace place = opened.editor->cursorPlace();
        const QByteArray written =
            textOf(opened.path).replace("four\n", "FOUR\n").replace("five\n", "five\nsix\n");
        opened.writeOutside(written);
        opened.file->expectWritten(written);
        QTRY_COMPARE(opened.editor->content().toUtf8(), typed.toUtf8() + written);
        QCOMPARE(opened.file->isDirty(), !typed.isEmpty());
        QCOMPARE(opened.editor->cursorPlace(), place);
        QCOMPARE(opened.heard(News::Merged), !typed.isEmpty());
        QVERIFY(!opened.heard(News::Reloaded));
        if (!typed.isEmpty())
            QVERIFY2(opened.lastNews().contains(QStringLiteral("undo takes your change alone")),
                     qPrintable(opened.lastNews()));
        for (int i = 0; i < 3; ++i) { // as often as somebody presses the keys
            opened.editor->undo();
            QCOMPARE(opened.editor->content().toUtf8(), written);
        }
        QVERIFY(!opened.file->isDirty());
        opened.editor->redo();
        QCOMPARE(opened.editor->content().toUtf8(), typed.toUtf8() + written);
        // Typed after it, it goes first.
        opened.type(1, QStringLiteral("// "));
        opened.editor->undo();
        QCOMPARE(opened.editor->content().toUtf8(), typed.toUtf8() + written);
        QCOMPARE(textOf(opened.path), written);
    }

    // A draft is of what somebody typed: else it comes back as theirs once the file is gone.
    void whatWasWrittenOutsideLeavesNoDraft() {
        Opened opened;
        const QByteArray written = "zero\n" + kText;
        opened.writeOutside(written);
        QTRY_COMPARE(opened.editor->content().toUtf8(), written);
        QTest::qWait(800); // drafts are written after half a second
        QVERIFY(!DraftStore(opened.drafts).find(opened.path));
    }

    void revertsByOneStepOfUndo() {
        Opened opened;
        opened.type(1, QStringLiteral("mine "));
        opened.type(3, QStringLiteral("more "));
        const QString typed = opened.editor->content();
        opened.file->discardChanges();
        QCOMPARE(opened.editor->content().toUtf8(), kText);
        QVERIFY(!opened.file->isDirty());
        opened.editor->undo();
        QCOMPARE(opened.editor->content(), typed);
        QVERIFY(opened.file->isDirty());
        opened.file->takeText(QStringLiteral("an earlier\ntext\n"));
        QCOMPARE(opened.editor->content(), QStringLiteral("an earlier\ntext\n"));
        QVERIFY(opened.file->isDirty());
        opened.editor->undo();
        QCOMPARE(opened.editor->content(), typed);
        QCOMPARE(textOf(opened.path), kText);
    }

    void saveDoesNotOverwriteWhatItHasNotSeen() {
        Opened opened;
        opened.type(1, QStringLiteral("zero\n"));
        opened.writeOutside("one\ntwo\nthree\nfour\nFIVE\n");
        opened.file->save(); // before the watcher has told
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), QByteArray("zero\none\ntwo\nthree\nfour\nFIVE\n"));
        QVERIFY(opened.heard(News::Merged));

        opened.type(2, QStringLiteral("mine "));
        opened.writeOutside("zero\ntheirs\ntwo\nthree\nfour\nFIVE\n");
        opened.file->save();
        QVERIFY(opened.saveFailed->wait());
        QVERIFY(opened.file->hasConflict());
        QCOMPARE(textOf(opened.path), QByteArray("zero\ntheirs\ntwo\nthree\nfour\nFIVE\n"));
        QVERIFY(opened.editor->content().contains(QStringLiteral("mine one")));
    }

    void noticesWhatHappensWhileItSaves() {
        Opened opened;
        opened.type(1, QStringLiteral("mine\n"));
        opened.file->save();
        QObject::connect(opened.file.get(), &EditedFile::saved, opened.editor.get(),
                         [&opened, isFirst = true]() mutable {
                             if (std::exchange(isFirst, false))
                                 opened.writeOutside("theirs\n");
                         });
        QTRY_COMPARE(opened.editor->content(), QStringLiteral("theirs\n"));
        QVERIFY(opened.heard(News::Reloaded));
    }

    void doesNotReplaceAFolder() {
        Opened opened;
        opened.type(1, QStringLiteral("mine "));
        QVERIFY(QFile::remove(opened.path));
        QVERIFY(QDir().mkpath(opened.path));
        opened.file->save();
        QVERIFY(opened.saveFailed->wait());
        QVERIFY2(opened.saveFailed->last().value(0).toString().contains(QStringLiteral("cannot be read")),
                 qPrintable(opened.saveFailed->last().value(0).toString()));
        QVERIFY(opened.file->isDirty());
    }

    void asksAboutAConflict_data() {
        QTest::addColumn<int>("answer");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("mine") << 0 << "mine " + kText;
        QTest::newRow("the file's") << 1 << QByteArray("theirs\ntwo\nthree\nfour\nfive\n");
        QTest::newRow("both")
            << 2
            << QByteArray("<<<<<<< yours\nmine one\n=======\ntheirs\n>>>>>>> on disk\ntwo\nthree\nfour\n"
                          "five\n");
    }

    void asksAboutAConflict() {
        QFETCH(int, answer);
        QFETCH(QByteArray, text);
        Opened opened;
        opened.type(1, QStringLiteral("mine "));
        opened.writeOutside("theirs\ntwo\nthree\nfour\nfive\n");
        QTRY_COMPARE(opened.conflicts->size(), 1);
        opened.file->save();
        QCOMPARE(opened.saveFailed->size(), 1);
        answer == 0   ? opened.file->keepMine()
        : answer == 1 ? opened.file->takeDisk()
                      : opened.file->takeBoth();
        QVERIFY(!opened.file->hasConflict());
        QCOMPARE(opened.editor->content().toUtf8(), text);
        QCOMPARE(opened.file->isDirty(), answer != 1);
        opened.file->save();
        QTRY_COMPARE(opened.saved->size(), 1);
        QCOMPARE(textOf(opened.path), text);
        if (answer != 0) {
            opened.editor->undo();
            QCOMPARE(opened.editor->content().toUtf8(), "mine " + kText);
        }
    }

    void keepsTheTextOfAFileThatIsGone_data() {
        QTest::addColumn<QString>("newName");
        QTest::addColumn<QString>("says");
        QTest::newRow("deleted") << QString() << QStringLiteral("has been deleted or moved");
        QTest::newRow("renamed") << QStringLiteral("b.cu") << QStringLiteral("has been renamed to \"b.cu\"");
    }

    void keepsTheTextOfAFileThatIsGone() {
        QFETCH(QString, newName);
        QFETCH(QString, says);
        Opened opened;
        if (newName.isEmpty())
            QVERIFY(QFile::remove(opened.path));
        else
            QVERIFY(QFile::rename(opened.path, opened.scratch.path(QStringLiteral("kernels/") + newName)));
        QTRY_VERIFY(opened.heard(News::Gone));
        QVERIFY2(opened.lastNews().contains(says), qPrintable(opened.lastNews()));
        QCOMPARE(opened.editor->content().toUtf8(), kText);
        // What nobody changed is not written again behind the back of who deleted it.
        QVERIFY(opened.file->isGone() && !opened.file->isDirty());
        opened.file->save();
        QCOMPARE(opened.saved->size(), 1);
        QVERIFY(!QFile::exists(opened.path));
        opened.type(1, QStringLiteral("mine "));
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), "mine " + kText);
        QVERIFY(!opened.file->isGone() && !opened.file->isDirty());
    }

    void noticesAFolderThatIsGone() {
        Opened opened;
        QVERIFY(QDir(opened.scratch.path(QStringLiteral("kernels"))).removeRecursively());
        QTRY_VERIFY(opened.heard(News::Gone));
        opened.type(1, QStringLiteral("mine "));
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), "mine " + kText);
    }

    void noticesAFileThatBecomesReadOnly() {
        Opened opened;
        QVERIFY(QFile::setPermissions(opened.path, QFile::ReadOwner));
        QTRY_VERIFY(opened.heard(News::Noted));
        QVERIFY2(opened.lastNews().contains(QStringLiteral("read-only")), qPrintable(opened.lastNews()));
        opened.type(1, QStringLiteral("x"));
        opened.file->save();
        QVERIFY(opened.saveFailed->wait());
        QVERIFY2(opened.saveFailed->last().value(0).toString().contains(QStringLiteral("chmod u+w")),
                 qPrintable(opened.saveFailed->last().value(0).toString()));
        QVERIFY(opened.file->isDirty());
        QVERIFY(QFile::setPermissions(opened.path, QFile::ReadOwner | QFile::WriteOwner));
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), "x" + kText);
    }

    void opensOddFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("canBeEdited");
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\0\0",
                                              6)
                                << QStringLiteral("a binary file of 6 bytes") << false;
        QTest::newRow("50 MB") << QByteArray("int a = 1;\n").repeated(50'000'000 / 11)
                               << QStringLiteral("only its first 1.0 MB are shown") << false;
        QTest::newRow("one line of 2 MB")
            << QByteArray(2'000'000, 'x') << QStringLiteral("cannot be changed here") << false;
        QTest::newRow("Latin-1") << QByteArray("// gr\xfc\xdf\x65\n") << QStringLiteral("shown as Latin-1")
                                 << true;
        QTest::newRow("CR LF") << QByteArray("a\r\nb\r\n") << QString() << true;
    }

    void opensOddFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        QFETCH(bool, canBeEdited);
        Opened opened(bytes);
        if (!says.isEmpty())
            QVERIFY2(opened.lastNews().contains(says), qPrintable(opened.lastNews()));
        QCOMPARE(opened.editor->isReadOnly(), !canBeEdited);
        if (!canBeEdited) {
            opened.file->save(); // nothing to save, as before each check
            QCOMPARE(opened.saved->size(), 1);
            QCOMPARE(textOf(opened.path), bytes);
            return;
        }
        opened.type(1, QStringLiteral("x\n"));
        opened.editor->undo();
        opened.editor->redo();
        opened.file->save();
        QVERIFY(opened.saved->wait());
        const QByteArray end = bytes.contains("\r\n") ? "\r\n" : "\n";
        QCOMPARE(textOf(opened.path), "x" + end + bytes);
    }

    void saysWhyItCannotLoad() {
        Opened opened;
        EditedFile missing(opened.scratch.path(QStringLiteral("none.cu")), opened.editor.get(),
                           DraftStore(opened.drafts), nullptr);
        QSignalSpy failed(&missing, &EditedFile::loadFailed);
        missing.load();
        QVERIFY(failed.wait());
        QVERIFY2(failed[0][0].toString().startsWith(QStringLiteral("Cannot read")),
                 qPrintable(failed[0][0].toString()));
    }

    void writesADraftWithinHalfASecond() {
        Opened opened;
        opened.type(1, QStringLiteral("typed "));
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY(!QDir(opened.drafts).entryList(QDir::Files).isEmpty());
        QVERIFY2(timer.elapsed() < 900, qPrintable(QString::number(timer.elapsed())));
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QTRY_VERIFY(QDir(opened.drafts).entryList(QDir::Files).isEmpty());
        QTest::qWait(600);
        QVERIFY(QDir(opened.drafts).entryList(QDir::Files).isEmpty());
    }

    void saysOnceThatADraftCannotBeWritten() {
        Opened opened;
        {
            const FullDisk full;
            opened.type(1, QString(10'000, u'x') + u'\n');
            QTRY_VERIFY(opened.heard(News::DraftFailed));
            QVERIFY2(opened.lastNews().contains(QStringLiteral("Free some space")),
                     qPrintable(opened.lastNews()));
            opened.type(1, QStringLiteral("y\n"));
            QTest::qWait(700);
            QCOMPARE(opened.news->size(), 1);
            QCOMPARE(opened.editor->content().size(), 10'003 + kText.size());
            opened.file->save();
            QVERIFY(opened.saveFailed->wait());
            QCOMPARE(textOf(opened.path), kText);
        }
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path).size(), 10'003 + kText.size());
    }

    void joinsADraftWithWhatChangedSince_data() {
        QTest::addColumn<QByteArray>("disk");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<bool>("isConflict");
        QTest::newRow("the same") << kText << "mine " + kText << false;
        QTest::newRow("elsewhere") << QByteArray("one\ntwo\nthree\nfour\nFIVE\n")
                                   << QByteArray("mine one\ntwo\nthree\nfour\nFIVE\n") << false;
        QTest::newRow("the same line")
            << QByteArray("theirs\ntwo\nthree\nfour\nfive\n") << "mine " + kText << true;
        QTest::newRow("saved already") << "mine " + kText << "mine " + kText << false;
    }

    void joinsADraftWithWhatChangedSince() {
        QFETCH(QByteArray, disk);
        QFETCH(QByteArray, shown);
        QFETCH(bool, isConflict);
        Opened opened;
        opened.type(1, QStringLiteral("mine "));
        opened.file->flushDraft();
        opened.file.reset();
        // As if its window had been killed.
        const QDir drafts(opened.drafts);
        const QString name = drafts.entryList(QDir::Files).value(0);
        QVERIFY(QFile::rename(drafts.filePath(name), drafts.filePath(name.section(u'-', 0, 0) +
                                                                     QStringLiteral("-999999999.1.draft"))));
        opened.writeOutside(disk);
        opened.open();
        QCOMPARE(opened.editor->content().toUtf8(), shown);
        QCOMPARE(opened.file->hasConflict(), isConflict);
        QCOMPARE(opened.conflicts->size(), isConflict ? 1 : 0);
        QCOMPARE(opened.file->isDirty(), shown != disk);
        QCOMPARE(opened.heard(News::Recovered), shown != disk && !isConflict);
        QCOMPARE(textOf(opened.path), disk);
    }

    void keepsWhatWasTypedWhenItIsClosed() {
        Opened opened;
        opened.type(1, QStringLiteral("mine "));
        opened.open(); // in the same window, at once
        QCOMPARE(opened.editor->content().toUtf8(), "mine " + kText);
        QVERIFY(opened.file->isDirty() && opened.heard(News::Recovered));
    }

    void marksChangedLines() {
        Opened opened;
        auto *changed = new ChangedLines(*opened.editor);
        changed->setBase(opened.editor->content());
        opened.type(2, QStringLiteral("new\n"));
        QTRY_COMPARE(opened.editor->decorator<ChangeMarks>().lines(), (std::vector<int>{2}));
        opened.editor->undo();
        QTRY_VERIFY(opened.editor->decorator<ChangeMarks>().lines().empty());
    }
};

QObject *makeTestEditedFile() {
    return new TestEditedFile;
}

#include "tst_edited_file.moc"
