// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/file_dialogs.h"

#include <QAbstractButton>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

using namespace warpwright;

/// Files and folders asked for in dialogs that nobody waits for.
class TestFileDialogs : public QObject {
    Q_OBJECT

private:
    static QFileDialog *dialogOf(const QWidget &parent) {
        return parent.findChild<QFileDialog *>(QStringLiteral("fileDialog"));
    }

private slots:
    void tellsWhatWasChosen() {
        const QTemporaryDir scratch;
        QWidget window;
        window.show();
        QString chosen;
        askForFile(&window, {FileQuestion::Of::Folder, QStringLiteral("A folder"), scratch.path(), {}},
                   [&chosen](const QString &path) { chosen = path; });
        QFileDialog *dialog = dialogOf(window);
        QVERIFY(dialog != nullptr && dialog->isVisible()); // and we are here: nothing waits
        QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
        emit dialog->fileSelected(scratch.path());
        QCOMPARE(chosen, scratch.path());
        dialog->reject();
        QTRY_VERIFY(dialogOf(window) == nullptr);
    }

    void tellsNothingWhereItIsLeft() {
        QWidget window;
        window.show();
        bool isTold = false;
        askForFile(&window, {FileQuestion::Of::File, QStringLiteral("A file"), {}, QStringLiteral("*.py")},
                   [&isTold](const QString &) { isTold = true; });
        dialogOf(window)->reject();
        QTRY_VERIFY(dialogOf(window) == nullptr);
        QVERIFY(!isTold);
    }

    void asksBeforeAFileIsReplaced() {
        const QTemporaryDir scratch;
        QFile there(scratch.filePath("a.csv"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        there.close();
        QWidget window;
        window.show();
        QString chosen;
        askForFile(&window,
                   {FileQuestion::Of::NewFile, QStringLiteral("Export"), scratch.filePath("a.csv"),
                    QStringLiteral("*.csv")},
                   [&chosen](const QString &path) { chosen = path; });
        QFileDialog *dialog = dialogOf(window);
        QCOMPARE(dialog->acceptMode(), QFileDialog::AcceptSave);
        emit dialog->fileSelected(scratch.filePath("b.csv"));
        QCOMPARE(chosen, scratch.filePath("b.csv")); // there is none
        emit dialog->fileSelected(scratch.filePath("a.csv"));
        QCOMPARE(chosen, scratch.filePath("b.csv"));
        auto *box = window.findChild<QMessageBox *>(QStringLiteral("replaceBox"));
        QVERIFY(box != nullptr && box->isVisible());
        for (QAbstractButton *button : box->buttons())
            if (box->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        QCOMPARE(chosen, scratch.filePath("a.csv"));
        dialog->reject();
    }

    void tellsNobodyWhoHasGone() {
        auto window = std::make_unique<QWidget>();
        window->show();
        bool isTold = false;
        askForFile(window.get(), {FileQuestion::Of::File, QStringLiteral("A file"), {}, {}},
                   [&isTold](const QString &) { isTold = true; });
        window.reset();
        QVERIFY(!isTold);
    }
};

QObject *makeTestFileDialogs() {
    return new TestFileDialogs;
}

#include "tst_file_dialogs.moc"
