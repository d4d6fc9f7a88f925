// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/cut_words.h"

#include "app/ide/kit/card.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>

namespace warpwright {
namespace {

constexpr int rounding = 1; ///< px: layouts and metrics round each their own way

/// "Pane > verifyScroll > QLabel «Compile»"
QString placeOf(const QWidget &widget, const QString &words) {
    QStringList names;
    for (const QWidget *one = widget.parentWidget(); one != nullptr && names.size() < 3;
         one = one->parentWidget())
        if (!one->objectName().isEmpty() && !one->objectName().startsWith(QLatin1String("qt_")))
            names.prepend(one->objectName());
    names << (widget.objectName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className())
                                            : widget.objectName());
    return QStringLiteral("%1 «%2»").arg(names.join(QStringLiteral(" > ")), words.left(60));
}

bool elides(const QWidget &widget) {
    const bool isWholeInTip = !widget.toolTip().isEmpty() ||
                              qobject_cast<const Words *>(&widget) != nullptr; // these tell by themselves
    return widget.property("elides").toBool() && isWholeInTip;
}

QString wordsOf(const QWidget &widget) {
    if (const auto *label = qobject_cast<const QLabel *>(&widget))
        return label->text();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        return button->text();
    return {};
}

/// Of a scroll area that can be moved sideways nothing is out of reach.
bool scrollsSideways(const QWidget &viewport) {
    const auto *area = qobject_cast<const QAbstractScrollArea *>(viewport.parentWidget());
    return area != nullptr && area->viewport() == &viewport &&
           area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff &&
           area->horizontalScrollBar()->maximum() > 0;
}

/// What is wrong with the room that a label or a button has. Empty: nothing.
QString trouble(const QWidget &widget) {
    if (elides(widget))
        return {};
    const auto *label = qobject_cast<const QLabel *>(&widget);
    if (label != nullptr && label->wordWrap()) {
        const int wanted = label->heightForWidth(label->width());
        return wanted > label->height() + rounding
                   ? QStringLiteral("%1 px high, its lines want %2").arg(label->height()).arg(wanted)
                   : QString();
    }
    const QSize wanted = widget.sizeHint();
    if (widget.width() < wanted.width() - rounding)
        return QStringLiteral("%1 px wide, its words want %2").arg(widget.width()).arg(wanted.width());
    const int line = widget.fontMetrics().ascent();
    return widget.height() < line
               ? QStringLiteral("%1 px high, a line wants %2").arg(widget.height()).arg(line)
               : QString();
}

/// The ancestor over whose left or right edge it hangs.
QString overhang(const QWidget &widget) {
    for (const QWidget *one = widget.parentWidget(); one != nullptr; one = one->parentWidget()) {
        if (scrollsSideways(*one))
            return {};
        const int left = widget.mapTo(one, QPoint(0, 0)).x();
        const int right = left + widget.width();
        if (left < -rounding || right > one->width() + rounding)
            return QStringLiteral("from %1 to %2 px, %3 is %4 wide")
                .arg(left)
                .arg(right)
                .arg(QString::fromLatin1(one->metaObject()->className()))
                .arg(one->width());
        if (one->isWindow())
            break;
    }
    return {};
}

QString fieldTrouble(const QLineEdit &field) {
    // QLineEdit ends what is cut with dots.
    if (!field.text().isEmpty() || field.toolTip().contains(field.placeholderText()))
        return {};
    QStyleOptionFrame option;
    option.initFrom(&field);
    option.lineWidth = field.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &field);
    const QMargins margins = field.textMargins();
    const int room = field.style()->subElementRect(QStyle::SE_LineEditContents, &option, &field).width() -
                     margins.left() - margins.right() - 4; // Qt keeps 2 px for the caret at either side
    const int wanted = field.fontMetrics().horizontalAdvance(field.placeholderText());
    return wanted > room + rounding
               ? QStringLiteral("room for %1 px, its placeholder wants %2").arg(room).arg(wanted)
               : QString();
}

QString choiceTrouble(const QComboBox &choice) {
    QStyleOptionComboBox option;
    option.initFrom(&choice);
    const int icon = choice.itemIcon(choice.currentIndex()).isNull() ? 0 : choice.iconSize().width() + 4;
    const int room = choice.style()
                         ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &choice)
                         .width() -
                     icon;
    const int wanted = choice.fontMetrics().horizontalAdvance(choice.currentText());
    return wanted > room + rounding && choice.toolTip().isEmpty()
               ? QStringLiteral("room for %1 px, its words want %2").arg(room).arg(wanted)
               : QString();
}

QStringList headTroubles(const QHeaderView &heads) {
    QStringList cut;
    if (heads.orientation() != Qt::Horizontal || heads.model() == nullptr)
        return cut;
    for (int section = 0; section < heads.count(); ++section) {
        if (heads.isSectionHidden(section))
            continue;
        const QString words = heads.model()->headerData(section, Qt::Horizontal).toString();
        const QVariant font = heads.model()->headerData(section, Qt::Horizontal, Qt::FontRole);
        const int wanted = QFontMetrics(font.canConvert<QFont>() ? font.value<QFont>() : heads.font())
                               .horizontalAdvance(words);
        if (!words.isEmpty() && wanted > heads.sectionSize(section) + rounding)
            cut << placeOf(heads, words) + QStringLiteral(": %1 px wide, the head wants %2")
                                               .arg(heads.sectionSize(section))
                                               .arg(wanted);
    }
    const auto *table = qobject_cast<const QAbstractScrollArea *>(heads.parentWidget());
    if (table != nullptr && table->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
        heads.length() > table->viewport()->width() + rounding)
        cut << placeOf(heads, {}) + QStringLiteral(": columns of %1 px in %2, and nothing scrolls")
                                        .arg(heads.length())
                                        .arg(table->viewport()->width());
    return cut;
}

} // namespace

QStringList cutWords(const QWidget &window) {
    QStringList cut;
    const auto add = [&cut](const QWidget &widget, const QString &words, const QString &what) {
        if (!what.isEmpty())
            cut << placeOf(widget, words) + QStringLiteral(": ") + what;
    };
    QList<const QWidget *> worded;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->window() != &window || widget->size().isEmpty())
            continue;
        if (const auto *field = qobject_cast<const QLineEdit *>(widget))
            add(*field, field->placeholderText(), fieldTrouble(*field));
        else if (const auto *choice = qobject_cast<const QComboBox *>(widget))
            add(*choice, choice->currentText(), choiceTrouble(*choice));
        else if (const auto *heads = qobject_cast<const QHeaderView *>(widget))
            cut << headTroubles(*heads);
        const QString words = wordsOf(*widget);
        if (words.isEmpty())
            continue;
        add(*widget, words, trouble(*widget));
        add(*widget, words, overhang(*widget));
        for (const QWidget *other : worded)
            if (other->parentWidget() == widget->parentWidget() &&
                other->geometry().intersects(widget->geometry()))
                add(*widget, words, QStringLiteral("lies on «%1»").arg(wordsOf(*other).left(40)));
        worded << widget;
    }
    return cut;
}

} // namespace warpwright
