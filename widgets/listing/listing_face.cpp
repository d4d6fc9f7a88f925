// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/listing_face.h"

#include "widgets/look/look.h"

#include <QAbstractItemView>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTextBlock>
#include <QTreeView>

namespace warpwright {
namespace {

/// A text view goes through all of them at each painting.
constexpr std::size_t mostMarks = 1000;
/// Beyond that reading the cells takes longer than a key may.
constexpr std::size_t mostRows = 5000;

} // namespace

LogFace::LogFace(const Look &look, QPlainTextEdit *log, QObject *parent)
    : ListingFace(parent), m_look(look), m_log(log) {
    connect(log, &QPlainTextEdit::textChanged, this, &ListingFace::changed);
}

QWidget *LogFace::widget() const {
    return m_log;
}

std::function<QString()> LogFace::read() {
    return [text = m_log->toPlainText()] {
        return text;
    };
}

int LogFace::currentLine() const {
    return m_log->textCursor().blockNumber();
}

void LogFace::mark(const std::vector<LineHit> &hits) {
    QList<QTextEdit::ExtraSelection> marks;
    for (std::size_t i = 0; i < std::min(hits.size(), mostMarks); ++i) {
        const QTextBlock block = m_log->document()->findBlockByNumber(hits[i].line);
        if (!block.isValid())
            break;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + hits[i].start);
        mark.cursor.setPosition(block.position() + hits[i].start + hits[i].length, QTextCursor::KeepAnchor);
        mark.format.setBackground(m_look.color("verdictBg.inconclusive"));
        mark.format.setFontUnderline(true); // the colour is not the only sign
        marks << mark;
    }
    m_log->setExtraSelections(marks);
}

void LogFace::show(const LineHit &hit) {
    const QTextBlock block = m_log->document()->findBlockByNumber(hit.line);
    if (!block.isValid())
        return;
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + hit.start);
    cursor.setPosition(std::min(block.position() + hit.start + hit.length,
                                block.position() + static_cast<int>(block.length()) - 1),
                       QTextCursor::KeepAnchor);
    m_log->setTextCursor(cursor);
    m_log->centerCursor();
}

ItemFace::ItemFace(QAbstractItemView *view, QObject *parent) : ListingFace(parent), m_view(view) {
    const QAbstractItemModel *model = view->model();
    const auto forget = [this] {
        m_rows.clear();
        emit changed();
    };
    connect(model, &QAbstractItemModel::modelReset, this, forget);
    connect(model, &QAbstractItemModel::layoutChanged, this, forget);
    connect(model, &QAbstractItemModel::rowsInserted, this, forget);
    connect(model, &QAbstractItemModel::rowsRemoved, this, forget);
    connect(model, &QAbstractItemModel::dataChanged, this, &ListingFace::changed);
}

QWidget *ItemFace::widget() const {
    return m_view;
}

std::function<QString()> ItemFace::read() {
    m_rows.clear();
    m_isWhole = true;
    QString text;
    collect(m_view->rootIndex(), text);
    return [text] {
        return text;
    };
}

void ItemFace::collect(const QModelIndex &parent, QString &text) {
    const QAbstractItemModel &model = *m_view->model();
    const auto *table = qobject_cast<QTableView *>(m_view);
    const auto *tree = qobject_cast<QTreeView *>(m_view);
    const bool isWide = table != nullptr || tree != nullptr;
    const int columns = isWide ? model.columnCount(parent) : 1;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        m_isWhole = m_isWhole && m_rows.size() < mostRows;
        if (!m_isWhole)
            return;
        for (int column = 0; column < columns; ++column) {
            if ((table != nullptr && table->isColumnHidden(column)) ||
                (tree != nullptr && tree->isColumnHidden(column)))
                continue;
            text += model.index(row, column, parent).data().toString().replace(u'\n', u' ') + u'\t';
        }
        text += u'\n';
        const QModelIndex first = model.index(row, 0, parent);
        m_rows.push_back(first);
        if (tree != nullptr && model.hasChildren(first))
            collect(first, text);
    }
}

int ItemFace::currentLine() const {
    const QModelIndex now = m_view->currentIndex().siblingAtColumn(0);
    for (std::size_t line = 0; line < m_rows.size(); ++line)
        if (m_rows[line] == now)
            return static_cast<int>(line);
    return 0;
}

void ItemFace::show(const LineHit &hit) {
    const auto line = static_cast<std::size_t>(hit.line);
    if (line >= m_rows.size())
        return; // it has changed, and is read again soon
    const QModelIndex row = m_rows[line];
    if (auto *tree = qobject_cast<QTreeView *>(m_view))
        for (QModelIndex above = row.parent(); above.isValid(); above = above.parent())
            tree->expand(above);
    const int column = std::max(0, m_view->currentIndex().column());
    const QModelIndex cell = row.siblingAtColumn(column);
    m_view->setCurrentIndex(cell.isValid() ? cell : row);
    m_view->scrollTo(row, QAbstractItemView::PositionAtCenter);
}

} // namespace warpwright
