// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/house_style.h"

#include "widgets/look/look.h"
#include "widgets/look/popup_escape.h"
#include "widgets/look/tip_width.h"
#include "widgets/look/wheel_focus.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace warpwright {

namespace {

bool isInDropDown(const QWidget *widget) {
    return widget != nullptr && widget->window()->windowType() == Qt::Popup;
}

} // namespace

void drawBox(QPainter *painter, const QRectF &rect, double radius, const QColor &fill, const QColor &edge,
             double edgeWidth) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double half = edge.isValid() ? edgeWidth / 2 : 0;
    painter->setPen(edge.isValid() ? QPen(edge, edgeWidth) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius);
    painter->restore();
}

HouseStyle::HouseStyle(const Look &look)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_look(look) {}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return m_look.px(8);
    case PM_ScrollBarSliderMin:
        return m_look.px(24);
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return m_look.px(16);
    case PM_SplitterWidth:
        return 1;
    case PM_DockWidgetSeparatorExtent:
        return m_look.px(3);
    case PM_DefaultFrameWidth:
        return qobject_cast<const QAbstractItemView *>(widget) != nullptr ? 0 : 1;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return m_look.px(16);
    case PM_SmallIconSize:
    case PM_ListViewIconSize:
    case PM_ButtonIconSize:
        return m_look.px(16);
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuVMargin:
        return m_look.px(4);
    case PM_MenuHMargin:
        return 0;
    case PM_ToolTipLabelFrameWidth:
        return m_look.px(6);
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
        return m_look.px(12);
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return m_look.px(8);
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return 2;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                          QStyleHintReturn *returnData) const {
    switch (hint) {
    case SH_ScrollBar_Transient:
        return 0;
    case SH_EtchDisabledText:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_UnderlineShortcut:
        return 0;
    case SH_ToolTipLabel_Opacity:
        return 255;
    case SH_Widget_Animation_Duration:
        return 0;
    case SH_ComboBox_Popup:
        return 0;
    case SH_Menu_Scrollable:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

void HouseStyle::polish(QWidget *widget) {
    QProxyStyle::polish(widget);
    if (widget->inherits("QPushButton") || widget->inherits("QComboBox") ||
        widget->inherits("QAbstractSpinBox") || widget->inherits("QCheckBox"))
        widget->setAttribute(Qt::WA_Hover);
    if (widget->inherits("QTipLabel") && widget->findChild<TipWidth *>() == nullptr)
        new TipWidth(m_look, widget);
    // Qt's own delegate of its list does not ask the style how high a row is.
    auto *box = qobject_cast<QComboBox *>(widget);
    if (box != nullptr && qobject_cast<QStyledItemDelegate *>(box->itemDelegate()) == nullptr)
        box->setItemDelegate(new QStyledItemDelegate(box));
}

void HouseStyle::polish(QApplication *application) {
    QProxyStyle::polish(application);
    application->installEventFilter(new WheelFocus(this));
    application->installEventFilter(new PopupEscape(this));
}

void HouseStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                               const QWidget *widget) const {
    const bool isEnabled = (option->state & State_Enabled) != 0;
    const bool hasKeyboardFocus =
        (option->state & State_HasFocus) != 0 && (option->state & State_KeyboardFocusChange) != 0;
    switch (element) {
    case PE_FrameFocusRect:
        drawBox(painter, option->rect, m_look.px(4), {}, m_look.color("accent.focus"), 2);
        return;
    case PE_PanelButtonCommand: {
        const bool isPressed = (option->state & (State_Sunken | State_On)) != 0;
        const bool isHovered = (option->state & State_MouseOver) != 0;
        const char *fill = !isEnabled  ? nullptr
                           : isPressed ? "bg.pressed"
                           : isHovered ? "bg.hover"
                                       : "bg.card";
        drawBox(painter, option->rect, m_look.px(5), fill != nullptr ? m_look.color(fill) : QColor(),
                m_look.color(isEnabled ? "border.normal" : "border.subtle"));
        if (hasKeyboardFocus)
            drawBox(painter, option->rect, m_look.px(5), {}, m_look.color("accent.focus"), 2);
        return;
    }
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame != nullptr && frame->lineWidth > 0) {
            const bool hasFocus = (option->state & State_HasFocus) != 0;
            const bool isBad = widget != nullptr && widget->property("isBad").toBool();
            drawBox(painter, option->rect, m_look.px(5), m_look.color("bg.input"),
                    m_look.color(isBad       ? "verdict.wrong"
                                 : hasFocus  ? "accent.focus"
                                 : isEnabled ? "border.strong"
                                             : "border.subtle"),
                    hasFocus ? 2 : 1);
        }
        return;
    case PE_FrameLineEdit:
        return;
    case PE_IndicatorCheckBox: {
        const bool isOn = (option->state & State_On) != 0;
        drawBox(painter, option->rect, m_look.px(3),
                m_look.color(isOn && isEnabled ? "accent.fill" : "bg.input"),
                m_look.color(!isEnabled ? "border.subtle"
                             : isOn     ? "accent.fill"
                                        : "border.strong"));
        if (isOn)
            m_look.icon(QStringLiteral("accept"), m_look.color(isEnabled ? "accent.onFill" : "text.disabled"))
                .paint(painter, option->rect.adjusted(2, 2, -2, -2));
        return;
    }
    case PE_FrameMenu:
    case PE_PanelMenu:
        painter->fillRect(option->rect, m_look.color("bg.card"));
        drawBox(painter, option->rect, 0, {}, m_look.color("border.strong"));
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, m_look.color("bg.card"));
        drawBox(painter, option->rect, 0, {}, m_look.color("border.strong"));
        return;
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow:
        if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option)) {
            const bool isSelected = (item->state & State_Selected) != 0;
            const bool isHovered = (item->state & State_MouseOver) != 0 && isEnabled;
            if (element == PE_PanelItemViewItem && item->backgroundBrush.style() != Qt::NoBrush)
                painter->fillRect(item->rect, item->backgroundBrush);
            if (isSelected)
                painter->fillRect(item->rect, m_look.color("bg.selected"));
            else if (isHovered)
                painter->fillRect(item->rect, m_look.color("bg.hover"));
            if (isSelected && element == PE_PanelItemViewItem &&
                (item->viewItemPosition == QStyleOptionViewItem::Beginning ||
                 item->viewItemPosition == QStyleOptionViewItem::OnlyOne))
                painter->fillRect(
                    QRect(item->rect.left(), item->rect.top(), m_look.px(3), item->rect.height()),
                    m_look.color("accent.focus"));
        }
        return;
    case PE_IndicatorDockWidgetResizeHandle: {
        painter->fillRect(option->rect, m_look.color("bg.bar"));
        QRect line = option->rect;
        if (line.width() < line.height())
            line.setLeft(line.right());
        else
            line.setTop(line.bottom());
        painter->fillRect(line, m_look.color("border.normal"));
        return;
    }
    case PE_FrameTabBarBase:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void HouseStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                             const QWidget *widget) const {
    switch (element) {
    case CE_Splitter:
        painter->fillRect(option->rect, m_look.color("border.normal"));
        return;
    case CE_HeaderSection:
        painter->fillRect(option->rect, m_look.color("bg.pane"));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          m_look.color("border.subtle"));
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, m_look.color("bg.pane"));
        return;
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            painter->setPen(m_look.color("text.secondary"));
            painter->setFont(m_look.font(TextRole::Small));
            using Header = QStyleOptionHeader;
            const bool isOnly = header->position == Header::OnlyOneSection;
            const bool isFirst = isOnly || header->position == Header::Beginning;
            const bool isLast = isOnly || header->position == Header::End;
            // The label is the section less Qt's own margin, and stands over the figures below it.
            const int margin = pixelMetric(PM_HeaderMargin, option, widget);
            const QRect rect = option->rect.adjusted(m_look.px(isFirst ? 12 : 4) - margin, 0,
                                                     margin - m_look.px(isLast ? 12 : 4), 0);
            const QFontMetrics metrics = painter->fontMetrics();
            const bool isCut = metrics.horizontalAdvance(header->text) > rect.width();
            painter->drawText(rect, static_cast<int>(header->textAlignment) | Qt::AlignVCenter,
                              isCut ? metrics.elidedText(header->text, Qt::ElideRight, rect.width())
                                    : header->text);
        }
        return;
    case CE_MenuItem:
        drawMenuItem(option, painter, widget);
        return;
    case CE_ComboBoxLabel:
        // Qt cuts what has no room in the middle of a letter.
        if (const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
            QStyleOptionComboBox whole = *box;
            const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + m_look.px(4);
            const int room =
                proxy()->subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - icon - 2;
            whole.currentText =
                box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, std::max(0, room));
            QProxyStyle::drawControl(element, &whole, painter, widget);
        }
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void HouseStyle::drawMenuItem(const QStyleOption *option, QPainter *painter, const QWidget *) const {
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (item == nullptr)
        return;
    const QRect rect = item->rect;
    painter->fillRect(rect, m_look.color("bg.card"));
    if (item->menuItemType == QStyleOptionMenuItem::Separator) {
        painter->fillRect(rect.left() + 1, rect.center().y(), rect.width() - 2, 1,
                          m_look.color("border.subtle"));
        return;
    }
    const bool isEnabled = (item->state & State_Enabled) != 0;
    if ((item->state & State_Selected) != 0 && isEnabled)
        painter->fillRect(rect.adjusted(1, 0, -1, 0), m_look.color("bg.selected"));
    const int icon = m_look.px(16);
    const int edge = m_look.px(12);
    const QRect iconRect(rect.left() + edge, rect.center().y() - icon / 2 + 1, icon, icon);
    if (item->checkType == QStyleOptionMenuItem::NonExclusive) {
        // A switch is one also while it is off.
        QStyleOption box;
        box.rect = iconRect;
        box.state = (isEnabled ? State_Enabled : State_None) | (item->checked ? State_On : State_Off);
        drawPrimitive(PE_IndicatorCheckBox, &box, painter, nullptr);
    } else if (item->checkType == QStyleOptionMenuItem::Exclusive && item->checked)
        m_look.icon(QStringLiteral("accept"), m_look.color("accent.text")).paint(painter, iconRect);
    else if (!item->icon.isNull())
        item->icon.paint(painter, iconRect, Qt::AlignCenter, isEnabled ? QIcon::Normal : QIcon::Disabled);
    painter->setFont(item->font);
    const QRect text = rect.adjusted(edge + icon + m_look.px(8), 0, -edge, 0);
    const QStringList parts = item->text.split(QLatin1Char('\t'));
    painter->setPen(m_look.color(isEnabled ? "text.primary" : "text.disabled"));
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic, parts.value(0));
    painter->setPen(m_look.color(isEnabled ? "text.tertiary" : "text.disabled"));
    if (item->menuItemType == QStyleOptionMenuItem::SubMenu)
        m_look.icon(QStringLiteral("chevron-right"))
            .paint(painter, QRect(text.right() - icon, rect.center().y() - icon / 2 + 1, icon, icon));
    else if (parts.size() > 1)
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, parts[1]);
}

void HouseStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                    QPainter *painter, const QWidget *widget) const {
    if (control == CC_ScrollBar) {
        drawScrollBar(option, painter, widget);
        return;
    }
    if (control == CC_Slider) {
        drawSlider(option, painter, widget);
        return;
    }
    if (control == CC_ComboBox) {
        const bool isEnabled = (option->state & State_Enabled) != 0;
        const bool isHovered = (option->state & State_MouseOver) != 0;
        const bool hasFocus = (option->state & State_HasFocus) != 0;
        drawBox(painter, option->rect, m_look.px(5),
                m_look.color(isHovered && isEnabled ? "bg.hover" : "bg.input"),
                m_look.color(hasFocus    ? "accent.focus"
                             : isEnabled ? "border.strong"
                                         : "border.subtle"),
                hasFocus ? 2 : 1);
        const int icon = m_look.px(14);
        m_look.icon(QStringLiteral("chevron-down"))
            .paint(painter,
                   QRect(option->rect.right() - icon - m_look.px(6), option->rect.center().y() - icon / 2 + 1,
                         icon, icon),
                   Qt::AlignCenter, isEnabled ? QIcon::Normal : QIcon::Disabled);
        return;
    }
    if (control == CC_ToolButton && widget != nullptr && qobject_cast<QTabBar *>(widget->parent())) {
        // The arrows of a strip with more tabs than room: they lie over the tabs, so they hide what is below.
        const QRect below = option->rect.adjusted(0, 2, 0, -1); // the head's own lines stay
        painter->fillRect(below, m_look.color("bg.bar"));
        if ((option->state & State_Enabled) == 0)
            return;
        if ((option->state & State_MouseOver) != 0)
            painter->fillRect(below, m_look.color("bg.hover"));
        const bool isLeft = static_cast<const QToolButton *>(widget)->arrowType() == Qt::LeftArrow;
        const int size = m_look.px(12);
        painter->save();
        painter->translate(QRectF(option->rect).center());
        painter->scale(isLeft ? -1 : 1, 1);
        m_look.icon(QStringLiteral("chevron-right")).paint(painter, QRect(-size / 2, -size / 2, size, size));
        painter->restore();
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

// A groove that is seen on every ground, filled up to a handle that is larger with larger text.
void HouseStyle::drawSlider(const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const {
    const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (slider == nullptr || slider->orientation != Qt::Horizontal)
        return QProxyStyle::drawComplexControl(CC_Slider, option, painter, widget);
    const bool isEnabled = (slider->state & State_Enabled) != 0;
    const bool hasFocus = (slider->state & State_HasFocus) != 0;
    const QRect groove = proxy()->subControlRect(CC_Slider, slider, SC_SliderGroove, widget);
    const QRectF handle = proxy()->subControlRect(CC_Slider, slider, SC_SliderHandle, widget);
    const double thickness = m_look.px(4);
    const QRectF track(groove.left(), handle.center().y() - thickness / 2, groove.width(), thickness);
    drawBox(painter, track, thickness / 2, m_look.color(isEnabled ? "border.strong" : "border.subtle"), {});
    if (isEnabled)
        drawBox(painter, QRectF(track.topLeft(), QPointF(handle.center().x(), track.bottom())), thickness / 2,
                m_look.color("accent.focus"), {});
    const double side = std::min(handle.width(), handle.height());
    QRectF knob(0, 0, side, side);
    knob.moveCenter(handle.center());
    drawBox(painter, knob.adjusted(1, 1, -1, -1), side / 2, m_look.color("bg.card"),
            m_look.color(hasFocus    ? "accent.focus"
                         : isEnabled ? "text.secondary"
                                     : "border.strong"),
            hasFocus ? 2.5 : 1.5);
}

void HouseStyle::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const {
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (bar == nullptr)
        return;
    painter->fillRect(bar->rect,
                      widget != nullptr && widget->property("ground").isValid()
                          ? m_look.color(widget->property("ground").toString().toLatin1().constData())
                          : m_look.color("bg.pane"));
    if (bar->maximum <= bar->minimum)
        return;
    const QRect slider = proxy()->subControlRect(CC_ScrollBar, bar, SC_ScrollBarSlider, widget);
    const bool isActive =
        (bar->state & State_MouseOver) != 0 || (bar->activeSubControls & SC_ScrollBarSlider) != 0;
    drawBox(painter, QRectF(slider).adjusted(1, 1, -1, -1), m_look.px(3),
            m_look.color(isActive ? "text.tertiary" : "border.strong"), {});
}

QRect HouseStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                                 const QWidget *widget) const {
    if (control == CC_ScrollBar) {
        if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)
            return {};
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (bar != nullptr && (part == SC_ScrollBarGroove || part == SC_ScrollBarSlider ||
                               part == SC_ScrollBarAddPage || part == SC_ScrollBarSubPage)) {
            const bool isUpright = bar->orientation == Qt::Vertical;
            const int room = isUpright ? bar->rect.height() : bar->rect.width();
            const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
            int length = room;
            if (range > 0)
                length =
                    static_cast<int>(static_cast<qint64>(bar->pageStep) * room / (range + bar->pageStep));
            length =
                std::clamp(length, std::min(room, pixelMetric(PM_ScrollBarSliderMin, bar, widget)), room);
            const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                      room - length, bar->upsideDown);
            int from = 0;
            int to = room;
            if (part == SC_ScrollBarSlider) {
                from = start;
                to = start + length;
            } else if (part == SC_ScrollBarSubPage) {
                to = start;
            } else if (part == SC_ScrollBarAddPage) {
                from = start + length;
            }
            return isUpright ? QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), to - from)
                             : QRect(bar->rect.left() + from, bar->rect.top(), to - from, bar->rect.height());
        }
    }
    const QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    // As in a field of text.
    if (control != CC_ComboBox || part != SC_ComboBoxEditField)
        return rect;
    const QRect field = rect.adjusted(m_look.px(5), 0, 0, 0);
    // Up to the arrow, which grows with the text.
    const int arrow = option->rect.right() - m_look.px(14 + 6 + 2);
    return QRect(field.topLeft(), QPoint(std::min(field.right(), arrow), field.bottom()));
}

QRect HouseStyle::subElementRect(SubElement element, const QStyleOption *option,
                                 const QWidget *widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    if (element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0)
        return rect.adjusted(m_look.px(5), 0, -m_look.px(5), 0);
    if (element == SE_ItemViewItemText && isInDropDown(widget)) // below the field's text
        return rect.adjusted(m_look.px(6), 0, 0, 0);
    return rect;
}

QSize HouseStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                   const QWidget *widget) const {
    QSize answer = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_SpinBox:
        answer.setHeight(std::max(m_look.px(28), size.height() + m_look.px(8)));
        if (type == CT_ComboBox)
            answer.rwidth() += m_look.px(5);
        break;
    case CT_ItemViewItem: // of lists that drop down
        if (isInDropDown(widget))
            answer.setHeight(std::max(m_look.px(28), answer.height()));
        break;
    case CT_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
            item != nullptr && item->menuItemType != QStyleOptionMenuItem::Separator)
            answer = QSize(size.width() + m_look.px(72), m_look.px(28));
        break;
    default:
        break;
    }
    return answer;
}

} // namespace warpwright
