// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/file_dialogs.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace warpwright {
namespace {

// The file dialog's own question would be waited for.
void askBeforeReplacing(QWidget *parent, const QString &path,
                        const std::function<void(const QString &path)> &then) {
    auto *box =
        new QMessageBox(QMessageBox::Question, QCoreApplication::translate("FileDialogs", "Replace the file"),
                        QCoreApplication::translate("FileDialogs", "\"%1\" is there already.").arg(path),
                        QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("replaceBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton *replace =
        box->addButton(QCoreApplication::translate("FileDialogs", "Replace it"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel); // Enter alone replaces nothing
    QObject::connect(replace, &QAbstractButton::clicked, parent, [path, then] { then(path); });
    box->open();
}

} // namespace

void askForFile(QWidget *parent, const FileQuestion &question,
                const std::function<void(const QString &path)> &then) {
    using Of = FileQuestion::Of;
    const bool isNew = question.of == Of::NewFile;
    auto *dialog = new QFileDialog(parent, question.title);
    dialog->setObjectName(QStringLiteral("fileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(isNew                       ? QFileDialog::AnyFile
                        : question.of == Of::Folder ? QFileDialog::Directory
                                                    : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, question.of == Of::Folder);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    if (isNew)
        dialog->setAcceptMode(QFileDialog::AcceptSave);
    if (!question.kinds.isEmpty())
        dialog->setNameFilter(question.kinds);
    if (const QFileInfo begins(question.begins); begins.isDir()) {
        dialog->setDirectory(begins.filePath());
    } else if (!question.begins.isEmpty()) {
        dialog->setDirectory(begins.path());
        dialog->selectFile(begins.fileName());
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [parent, isNew, then](const QString &path) {
        if (isNew && QFileInfo::exists(path))
            askBeforeReplacing(parent, path, then);
        else
            then(path);
    });
    dialog->open();
}

} // namespace warpwright
