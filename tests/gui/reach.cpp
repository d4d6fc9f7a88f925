// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/reach.h"

#include "widgets/editor/code_editor.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_order.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>

#include <algorithm>

namespace warpwright {
namespace {

/// "Pane > tabs > ActionButton «Close»"
QString placeOf(const QWidget &widget) {
    QStringList names;
    for (const QWidget *one = widget.parentWidget(); one != nullptr && names.size() < 3;
         one = one->parentWidget())
        if (!one->objectName().isEmpty() && !one->objectName().startsWith(QLatin1String("qt_")))
            names.prepend(one->objectName());
    names << (widget.objectName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className())
                                            : widget.objectName());
    const auto *button = qobject_cast<const QAbstractButton *>(&widget);
    const QString words =
        button != nullptr && !button->text().isEmpty() ? button->text() : widget.accessibleName();
    return QStringLiteral("%1 «%2»").arg(names.join(QStringLiteral(" > ")), words.left(60));
}

bool isSeen(const QWidget &widget, const QWidget &window) {
    return widget.isVisible() && widget.window() == &window && !widget.size().isEmpty();
}

// CodeEditor is no text of Qt's.
bool keepsTab(const QWidget &widget) {
    if (const auto *editor = qobject_cast<const CodeEditor *>(&widget))
        return !editor->isReadOnly();
    if (const auto *text = qobject_cast<const QPlainTextEdit *>(&widget))
        return !text->isReadOnly() && !text->tabChangesFocus();
    const auto *text = qobject_cast<const QTextEdit *>(&widget);
    return text != nullptr && !text->isReadOnly() && !text->tabChangesFocus();
}

bool isUsed(const QWidget &widget) {
    const auto *text =
        qobject_cast<const QTextEdit *>(&widget); // one that is read needs no keys but the page's
    return (text != nullptr && !text->isReadOnly()) ||
           qobject_cast<const QAbstractButton *>(&widget) != nullptr ||
           qobject_cast<const QTabBar *>(&widget) != nullptr ||
           qobject_cast<const QLineEdit *>(&widget) != nullptr ||
           qobject_cast<const QComboBox *>(&widget) != nullptr ||
           qobject_cast<const QAbstractSlider *>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox *>(&widget) != nullptr ||
           qobject_cast<const QAbstractItemView *>(&widget) != nullptr ||
           qobject_cast<const QPlainTextEdit *>(&widget) != nullptr ||
           qobject_cast<const CodeEditor *>(&widget) != nullptr ||
           (widget.testAttribute(Qt::WA_SetCursor) && widget.cursor().shape() == Qt::PointingHandCursor);
}

// Arrows of tab bars, fields of choices, heads of tables: used through what they belong to.
bool isPartOfAnother(const QWidget &widget) {
    if (qobject_cast<const QScrollBar *>(&widget) != nullptr ||
        qobject_cast<const QHeaderView *>(&widget) != nullptr)
        return true;
    for (const QWidget *outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget())
        if (qobject_cast<const QTabBar *>(outer) != nullptr ||
            qobject_cast<const QLineEdit *>(outer) != nullptr ||
            qobject_cast<const QComboBox *>(outer) != nullptr ||
            qobject_cast<const QAbstractSpinBox *>(outer) != nullptr ||
            qobject_cast<const QAbstractItemView *>(outer) != nullptr)
            return true;
    return false;
}

bool hasName(const QWidget &widget, const QWidget &window) {
    if (!widget.accessibleName().trimmed().isEmpty())
        return true;
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        return !button->text().trimmed().isEmpty();
    if (const auto *tabs = qobject_cast<const QTabBar *>(&widget)) {
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i).isEmpty() && tabs->tabToolTip(i).isEmpty())
                return false;
        return true;
    }
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        return !label->text().isEmpty();
    const QList<QLabel *> labels = window.findChildren<QLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(),
                       [&widget](const QLabel *label) { return label->buddy() == &widget; });
}

QString buttonTrouble(const ActionButton &button) {
    const QString tip = button.toolTip();
    if (button.text().isEmpty() && tip.isEmpty())
        return QStringLiteral("an icon without a tool tip");
    if (!button.isEnabled() && (tip.isEmpty() || tip == button.text() || tip == button.accessibleName()))
        return QStringLiteral("disabled, and does not say why");
    return {};
}

} // namespace

TabWalk walkByTab(QWidget &window, int mostSteps) {
    TabWalk walk;
    for (int step = 0; step < mostSteps; ++step) {
        QWidget *from = QApplication::focusWidget();
        if (from != nullptr && keepsTab(*from))
            (void)focusNextStop(window, true);
        else
            QTest::keyClick(from != nullptr ? from : &window, Qt::Key_Tab);
        QWidget *to = QApplication::focusWidget();
        const QString before = walk.stops.isEmpty() || !walk.stops.last() ? QStringLiteral("the start")
                                                                          : placeOf(*walk.stops.last());
        if (to == nullptr || !window.isAncestorOf(to)) {
            walk.trouble = QStringLiteral("behind %1 nothing has the focus").arg(before);
            return walk;
        }
        if (!isSeen(*to, window)) {
            walk.trouble = QStringLiteral("behind %1 comes %2, which is not seen").arg(before, placeOf(*to));
            return walk;
        }
        if (to == from && qobject_cast<QTextEdit *>(to) != nullptr)
            continue; // on to its next link
        if (walk.stops.contains(QPointer<QWidget>(to)))
            return walk;
        walk.stops << to;
    }
    walk.trouble = QStringLiteral("it did not come back in %1 steps").arg(mostSteps);
    return walk;
}

QStringList unreachedOf(const QWidget &window, const QList<QPointer<QWidget>> &stops) {
    QStringList lines;
    const QList<QWidget *> widgets = window.findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        if (!isSeen(*widget, window) || !widget->isEnabled() || !isUsed(*widget) || isPartOfAnother(*widget))
            continue;
        // A rail is pressed by the button in it, a viewport by its area.
        const bool isReached =
            std::any_of(stops.cbegin(), stops.cend(), [widget](const QPointer<QWidget> &stop) {
                return stop && (stop == widget || widget->focusProxy() == stop ||
                                widget->isAncestorOf(stop) || stop == widget->parentWidget());
            });
        if (!isReached)
            lines << placeOf(*widget) + QStringLiteral(": Tab does not come here");
    }
    return lines;
}

QStringList namelessOf(const QWidget &window) {
    QStringList lines;
    const QList<QWidget *> widgets = window.findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        if (!isSeen(*widget, window) || isPartOfAnother(*widget))
            continue;
        if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->focusProxy() == nullptr &&
            !hasName(*widget, window))
            lines << placeOf(*widget) + QStringLiteral(": has no accessible name");
        if (const auto *button = qobject_cast<const ActionButton *>(widget))
            if (const QString trouble = buttonTrouble(*button); !trouble.isEmpty())
                lines << placeOf(*widget) + QStringLiteral(": ") + trouble;
    }
    return lines;
}

} // namespace warpwright
