// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/workspace_question.h"

#include "toolchain/base/text_file.h"
#include "widgets/frame/file_dialogs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("WorkspaceQuestion", text);
}

} // namespace

bool WorkspacePlaces::isInPlace() const {
    return QFileInfo(modelFile) == QFileInfo(beside + QStringLiteral("/model.py"));
}

WorkspacePlaces workspacePlaces(const QString &modelFile, const QString &data) {
    const QFileInfo file(modelFile);
    const QString stem = file.completeBaseName();
    const bool isModel = file.fileName() == QLatin1String("model.py");
    WorkspacePlaces places;
    places.modelFile = modelFile;
    places.beside = isModel ? file.absolutePath() : file.absolutePath() + QLatin1Char('/') + stem;
    const QString parent = file.absoluteDir().dirName();
    const QString name = isModel ? parent : parent + QLatin1Char('-') + stem;
    const Result<QByteArray> text = readTextFile(modelFile);
    for (int number = 1;; ++number) {
        places.ours = data + QStringLiteral("/workspaces/") + name +
                      (number == 1 ? QString() : QStringLiteral("-%1").arg(number));
        if (!QFileInfo::exists(places.ours))
            return places;
        const Result<QByteArray> there = readTextFile(places.ours + QStringLiteral("/model.py"));
        if (text.hasValue() && there.hasValue() && there.value() == text.value())
            return places; // begun before: it is gone on with
    }
}

void askForWorkspacePlace(QWidget *parent, const WorkspacePlaces &places,
                          const std::function<void(const QString &folder)> &then) {
    const QString copied = words("with a copy of it");
    const QString beside = places.isInPlace() ? words("the file is used where it lies") : copied;
    auto *box = new QMessageBox(
        QMessageBox::Question, words("Where the workspace lies"),
        words(
            "A workspace for \"%1\": model_new.py, binding.cpp and kernels/ are written, and nothing that is "
            "there is written over.\n\nBeside it: %2, %3.\nIn our folder: %4, %5.")
            .arg(places.modelFile, places.beside, beside, places.ours, copied),
        QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("workspacePlaceBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [box](const QString &text, const char *name) {
        QPushButton *button = box->addButton(text, QMessageBox::AcceptRole);
        button->setObjectName(QLatin1String(name));
        return button;
    };
    QPushButton *first = add(words("Beside it"), "placeBeside");
    QPushButton *ours = add(words("In our folder"), "placeOurs");
    QPushButton *other = add(words("Choose a folder…"), "placeOther");
    box->setDefaultButton(first);
    QObject::connect(first, &QAbstractButton::clicked, parent, [places, then] { then(places.beside); });
    QObject::connect(ours, &QAbstractButton::clicked, parent, [places, then] { then(places.ours); });
    QObject::connect(other, &QAbstractButton::clicked, parent, [parent, places, then] {
        askForFile(parent,
                   {FileQuestion::Of::Folder, words("A folder for the workspace"),
                    QFileInfo(places.modelFile).absolutePath()},
                   then);
    });
    box->open();
}

} // namespace warpwright
