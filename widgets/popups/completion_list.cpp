// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/completion_list.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/popups/markdown_text.h"
#include "widgets/popups/text_popup.h"

#include <QAbstractListModel>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextEdit>

#include <algorithm>
#include <functional>

namespace warpwright {
namespace {

constexpr int shownRows = 9;
constexpr int rowHeight = 24;
constexpr int textWidth = 320;

bool beginsPart(const QString &name, qsizetype at) {
    return at == 0 || !name[at - 1].isLetterOrNumber() || (name[at].isUpper() && !name[at - 1].isUpper());
}

} // namespace

int completionFit(const QString &name, const QString &typed) {
    if (name.startsWith(typed))
        return 0;
    if (name.startsWith(typed, Qt::CaseInsensitive))
        return 1;
    for (qsizetype at = name.indexOf(typed, 1, Qt::CaseInsensitive); at > 0;
         at = name.indexOf(typed, at + 1, Qt::CaseInsensitive))
        if (beginsPart(name, at))
            return 2;
    qsizetype at = 0;
    for (const QChar letter : typed) {
        at = name.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return -1;
        ++at;
    }
    return 3;
}

class CompletionList::Model : public QAbstractListModel {
public:
    Model(const std::vector<CompletionRow> &rows, QObject *parent)
        : QAbstractListModel(parent), m_rows(rows) {}

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override {
        if (!index.isValid())
            return {};
        const CompletionRow &row = m_rows[static_cast<std::size_t>(index.row())];
        if (role == Qt::DisplayRole)
            return row.label;
        if (role == Qt::AccessibleTextRole)
            return QStringList({row.label + row.signature, row.type, row.kind}).join(QStringLiteral(", "));
        return {};
    }
    void change(const std::function<void()> &how) {
        beginResetModel();
        how();
        endResetModel();
    }

private:
    const std::vector<CompletionRow> &m_rows;
};

class CompletionList::Delegate : public QStyledItemDelegate {
public:
    Delegate(const CompletionList &list) : QStyledItemDelegate(list.m_list), m_of(list) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        const CompletionRow &row = m_of.m_rows[static_cast<std::size_t>(index.row())];
        const Look &look = m_of.m_look;
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect, look.color(isSelected ? "bg.selected" : "bg.card"));
        if (isSelected)
            painter->fillRect(option.rect.left(), option.rect.top(), look.px(3), option.rect.height(),
                              look.color("accent.focus"));
        const int side = look.px(16);
        const QRect box(option.rect.left() + look.px(8), option.rect.center().y() - side / 2, side, side);
        drawBox(painter, box, look.px(3), {}, look.color("border.normal"));
        painter->setFont(look.font(TextRole::Axis, QFont::DemiBold));
        painter->setPen(look.color(row.token));
        painter->drawText(box, Qt::AlignCenter, row.letter);

        int right = option.rect.right() - look.px(8);
        painter->setFont(look.font(TextRole::Small));
        const QString type =
            painter->fontMetrics().elidedText(row.type, Qt::ElideRight, option.rect.width() / 3);
        right -= painter->fontMetrics().horizontalAdvance(type);
        painter->setPen(look.color("text.tertiary"));
        painter->drawText(QRect(right, option.rect.top(), option.rect.width(), option.rect.height()),
                          Qt::AlignVCenter | Qt::AlignLeft, type);
        int x = box.right() + look.px(8);
        const auto draw = [&](const QString &text, QFont::Weight weight, const char *ink) {
            QFont font = look.font(TextRole::Code, weight);
            font.setStrikeOut(row.isDeprecated);
            painter->setFont(font);
            painter->setPen(look.color(ink));
            const int room = std::max(0, right - look.px(8) - x);
            const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room);
            painter->drawText(QRect(x, option.rect.top(), room, option.rect.height()),
                              Qt::AlignVCenter | Qt::AlignLeft, shown);
            x += painter->fontMetrics().horizontalAdvance(shown);
        };
        const qsizetype at =
            m_of.m_typed.isEmpty() ? -1 : row.label.indexOf(m_of.m_typed, 0, Qt::CaseInsensitive);
        if (at >= 0) {
            draw(row.label.left(at), QFont::Normal, "text.primary");
            draw(row.label.mid(at, m_of.m_typed.size()), QFont::DemiBold, "text.primary");
            draw(row.label.mid(at + m_of.m_typed.size()), QFont::Normal, "text.primary");
        } else {
            draw(row.label, QFont::Normal, "text.primary");
        }
        draw(row.signature, QFont::Normal, "text.secondary");
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {m_of.m_look.px(200), m_of.m_look.px(rowHeight)};
    }

private:
    const CompletionList &m_of;
};

CompletionList::CompletionList(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_model(new Model(m_rows, this)),
      m_list(new QListView(this)),
      m_text(new QTextEdit(this)) {
    setObjectName(QStringLiteral("completionList"));
    setAccessibleName(tr("Completions"));
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_list->setObjectName(QStringLiteral("completionRows"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new Delegate(*this));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_text->setTextInteractionFlags(Qt::NoTextInteraction);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex &index) { emit taken(index.row()); });
}

void CompletionList::showRows(std::vector<CompletionRow> rows, const QString &typed, QWidget *over,
                              const QRect &word) {
    if (parentWidget() != over)
        setParent(over);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    palette.setColor(QPalette::Text, m_look.color("text.primary"));
    m_list->setPalette(palette);
    m_text->setPalette(palette);
    m_model->change([&] {
        m_rows = std::move(rows);
        m_typed = typed;
    });
    m_word = QRect(over->mapFromGlobal(word.topLeft()), word.size());
    if (m_rows.empty()) {
        hide();
        return;
    }
    choose(0);
    place();
    show();
    raise();
}

int CompletionList::current() const {
    return m_list->currentIndex().row();
}

void CompletionList::choose(int row) {
    m_list->setCurrentIndex(m_model->index(row, 0));
    describe();
}

// The room for a documentation is kept as long as any row has one: nothing jumps from row to row.
void CompletionList::place() {
    const QWidget *ground = parentWidget();
    const int count = std::min(shownRows, static_cast<int>(m_rows.size()));
    const QFontMetrics code(m_look.font(TextRole::Code));
    int widest = 0;
    for (const CompletionRow &row : m_rows)
        widest = std::max(widest, code.horizontalAdvance(row.label + row.signature + row.type));
    const int listWidth = std::clamp(widest + m_look.px(64), m_look.px(240), m_look.px(520));
    const int listHeight = count * m_look.px(rowHeight);
    const bool hasText = std::any_of(m_rows.begin(), m_rows.end(),
                                     [](const CompletionRow &row) { return !row.documentation.isEmpty(); });
    const bool isBeside = hasText && listWidth + m_look.px(textWidth) + 2 <= ground->width();
    const int textHeight = isBeside ? std::max(listHeight, m_look.px(5 * rowHeight)) : m_look.px(96);
    QSize size(listWidth + 2, listHeight + 2);
    if (isBeside)
        size = {size.width() + m_look.px(textWidth), textHeight + 2};
    else if (hasText)
        size.rheight() += textHeight;
    setGeometry(besideRect(ground->rect(), m_word, size));
    m_text->setVisible(hasText);
    const int inside = std::max(0, width() - 2);
    m_list->setGeometry(1, 1, std::min(listWidth, inside), std::min(listHeight, std::max(0, height() - 2)));
    const int pad = m_look.px(8);
    const QRect text = isBeside ? QRect(listWidth + 1, 1, inside - listWidth, std::max(0, height() - 2))
                                : QRect(1, listHeight + 1, inside, std::max(0, height() - 2 - listHeight));
    m_text->setGeometry(text.adjusted(pad, pad / 2, -pad, -pad / 2));
}

void CompletionList::describe() {
    const int row = current();
    const QString text = row < 0 ? QString() : m_rows[static_cast<std::size_t>(row)].documentation;
    setPlainMarkdown(*m_text->document(), text, m_look);
}

bool CompletionList::handleKey(const QKeyEvent &key) {
    if (!isVisible() || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const int last = static_cast<int>(m_rows.size()) - 1;
    const int row = current();
    switch (key.key()) {
    case Qt::Key_Down:
        choose(row >= last ? 0 : row + 1);
        return true;
    case Qt::Key_Up:
        choose(row <= 0 ? last : row - 1);
        return true;
    case Qt::Key_PageDown:
        choose(std::min(last, row + shownRows));
        return true;
    case Qt::Key_PageUp:
        choose(std::max(0, row - shownRows));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        emit taken(row);
        return true;
    case Qt::Key_Escape:
        emit dismissed();
        return true;
    default:
        return false;
    }
}

void CompletionList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
}

} // namespace warpwright
