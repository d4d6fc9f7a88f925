// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/listing_faces.h"

#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/message_list.h"
#include "app/ide/compare/compare_view.h"
#include "app/ide/history/run_event_list.h"
#include "profiler_views/code_listing_view.h"
#include "widgets/listing/log_view.h"

namespace warpwright {

ListingFace *makeListingFace(const Look &look, QWidget *widget, QObject *parent) {
    if (auto *log = qobject_cast<LogView *>(widget))
        return new LogFace(look, log, parent);
    if (auto *listing = qobject_cast<CodeListingView *>(widget))
        return new CodeFace(listing, parent);
    if (auto *compared = qobject_cast<CompareView *>(widget))
        return new CompareFace(compared, parent);
    if (auto *messages = qobject_cast<MessageList *>(widget))
        return new ConversationFace(messages, parent);
    if (auto *events = qobject_cast<RunEventList *>(widget))
        return new RunEventsFace(events, parent);
    auto *items = qobject_cast<QAbstractItemView *>(widget);
    return items == nullptr || items->model() == nullptr ? nullptr : new ItemFace(items, parent);
}

CodeFace::CodeFace(CodeListingView *view, QObject *parent) : ListingFace(parent), m_view(view) {
    connect(view, &CodeListingView::codeChanged, this, &ListingFace::changed);
}

QWidget *CodeFace::widget() const {
    return m_view;
}

std::function<QString()> CodeFace::read() {
    return [code = m_view->sharedCode()] {
        return code ? listingText(*code) : QString();
    };
}

int CodeFace::currentLine() const {
    return std::max(0, m_view->currentLine());
}

void CodeFace::mark(const std::vector<LineHit> &hits) {
    std::vector<int> lines;
    for (const LineHit &hit : hits)
        lines.push_back(hit.line);
    m_view->setFound(std::move(lines));
}

void CodeFace::show(const LineHit &hit) {
    m_view->setCurrentLine(hit.line);
}

CompareFace::CompareFace(CompareView *view, QObject *parent) : ListingFace(parent), m_view(view) {}

QWidget *CompareFace::widget() const {
    return m_view;
}

std::function<QString()> CompareFace::read() {
    return [rows = m_view->file().rows] {
        QString text;
        for (const ComparedRow &row : rows) {
            text += row.left + QLatin1Char('\n');
            // A line that both have is one hit, not two.
            text += (row.kind == ComparedRow::Kind::Same ? QString() : row.right) + QLatin1Char('\n');
        }
        return text;
    };
}

int CompareFace::currentLine() const {
    return 2 * std::max(0, m_view->chosenRow());
}

void CompareFace::show(const LineHit &hit) {
    m_view->showRow(hit.line / 2, hit.line % 2 == 0);
}

ConversationFace::ConversationFace(MessageList *list, QObject *parent) : ListingFace(parent), m_list(list) {
    const AgentEventModel &events = list->events();
    connect(&events, &QAbstractItemModel::modelReset, this, &ListingFace::changed);
    connect(&events, &QAbstractItemModel::rowsInserted, this, &ListingFace::changed);
    connect(&events, &QAbstractItemModel::dataChanged, this, &ListingFace::changed);
}

QWidget *ConversationFace::widget() const {
    return m_list;
}

std::function<QString()> ConversationFace::read() {
    m_text = conversationText(m_list->events());
    return [text = m_text.text] {
        return text;
    };
}

int ConversationFace::currentLine() const {
    const int row = m_list->currentRow();
    return row < 0 || row >= static_cast<int>(m_text.begins.size())
               ? 0
               : m_text.begins[static_cast<std::size_t>(row)];
}

void ConversationFace::show(const LineHit &hit) {
    m_list->showRow(m_text.rowOf(hit.line));
}

RunEventsFace::RunEventsFace(RunEventList *list, QObject *parent) : ListingFace(parent), m_list(list) {
    connect(&list->events(), &QAbstractItemModel::modelReset, this, &ListingFace::changed);
}

QWidget *RunEventsFace::widget() const {
    return m_list;
}

std::function<QString()> RunEventsFace::read() {
    return [state = m_list->events().stateFolder(), run = m_list->events().run()] {
        return runEventsText(state, run);
    };
}

int RunEventsFace::currentLine() const {
    return std::max(0, static_cast<int>(m_list->events().numberAt(m_list->currentIndex().row())) - 1);
}

void RunEventsFace::show(const LineHit &hit) {
    const RunEventModel &events = m_list->events(); // some of which may be filtered out
    m_list->setCurrentIndex(events.index(events.rowOf(hit.line + 1)));
    m_list->scrollTo(m_list->currentIndex());
}

} // namespace warpwright
