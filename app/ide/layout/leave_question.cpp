// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/leave_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace warpwright {

void askBeforeLeaving(QWidget *parent, const LeaveQuestion &question) {
    const auto words = [](const char *text) {
        return QCoreApplication::translate("LeaveQuestion", text);
    };
    auto *box =
        new QMessageBox(QMessageBox::Question, question.title, question.text, QMessageBox::NoButton, parent);
    box->setObjectName(QStringLiteral("leaveBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [box](const QString &text, const char *name, QMessageBox::ButtonRole role) {
        QPushButton *button = box->addButton(text, role);
        button->setObjectName(QLatin1String(name));
        return button;
    };
    QPushButton *stop = add(question.stopWords, "leaveStop", QMessageBox::DestructiveRole);
    QPushButton *beside = question.inWindow
                              ? add(words("Open in a new window"), "leaveBeside", QMessageBox::AcceptRole)
                              : nullptr;
    QPushButton *stay = add(words("Stay"), "leaveStay", QMessageBox::RejectRole);
    box->setDefaultButton(stay);
    box->setEscapeButton(stay);
    QObject::connect(box, &QDialog::finished, parent, [box, stop, beside, question] {
        const QAbstractButton *chosen = box->clickedButton();
        if (chosen == stop)
            question.stop();
        else if (beside != nullptr && chosen == beside)
            question.inWindow();
    });
    box->open();
    box->setAttribute(Qt::WA_KeyboardFocusChange); // the ring of what Enter does is there before Tab
}

} // namespace warpwright
