// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/listing_controller.h"

#include "app/ide/agent/message_list.h"
#include "app/ide/compare/compare_view.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/finding/find_page.h"
#include "app/ide/finding/listing_faces.h"
#include "app/ide/layout/dock.h"
#include "profiler_views/code_listing_view.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/find_bar.h"
#include "widgets/frame/pane.h"
#include "widgets/listing/listing_bar.h"
#include "widgets/listing/log_view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>

namespace warpwright {
namespace {

bool isSearched(const QWidget *widget) {
    if (qobject_cast<const QHeaderView *>(widget) != nullptr)
        return false;
    return qobject_cast<const QAbstractItemView *>(widget) != nullptr ||
           qobject_cast<const LogView *>(widget) != nullptr ||
           qobject_cast<const CodeListingView *>(widget) != nullptr ||
           qobject_cast<const CompareView *>(widget) != nullptr ||
           qobject_cast<const MessageList *>(widget) != nullptr ||
           qobject_cast<const CodeEditor *>(widget) != nullptr;
}

int areaOf(const QWidget *widget) {
    return widget->width() * widget->height();
}

} // namespace

ListingController::ListingController(const Look &look, CandidatePanel &candidate, QWidget *window)
    : QObject(window), m_look(look), m_candidate(candidate), m_window(window) {}

QWidget *ListingController::searchedAt(QWidget *focus) const {
    for (QWidget *room = focus; room != nullptr && !room->isWindow(); room = room->parentWidget()) {
        if (isSearched(room))
            return room;
        QWidget *largest = nullptr;
        for (QWidget *inside : room->findChildren<QWidget *>())
            if (inside->isVisible() && !inside->isWindow() && isSearched(inside) &&
                (largest == nullptr || areaOf(inside) > areaOf(largest)))
                largest = inside;
        if (largest != nullptr)
            return largest;
        // What is in other rooms is not what somebody here looks at.
        if (qobject_cast<Pane *>(room) != nullptr || qobject_cast<Dock *>(room) != nullptr)
            return nullptr;
    }
    return nullptr;
}

bool ListingController::openAt(QWidget *searched) {
    if (auto *editor = qobject_cast<CodeEditor *>(searched)) {
        if (m_editorBar == nullptr) {
            m_editorBar = new FindBar(m_look, m_window);
            m_editorBar->setObjectName(QStringLiteral("textFindBar"));
            m_editorBar->hide();
        }
        if (!placeBelow(editor, m_editorBar))
            return false;
        m_editorBar->setEditor(editor);
        m_editorBar->open(false);
        return true;
    }
    if (m_bar == nullptr)
        m_bar = new ListingBar(m_look, m_window);
    if (ListingFace *face = makeListingFace(m_look, searched, this))
        return m_bar->open(face);
    return false;
}

void ListingController::find() {
    QWidget *focus = QApplication::focusWidget();
    if (m_bar != nullptr && m_bar->isVisible() && m_bar->isAncestorOf(focus) && m_bar->listing() != nullptr)
        focus = m_bar->listing();
    for (QWidget *room = focus; room != nullptr; room = room->parentWidget())
        if (auto *page = qobject_cast<FindPage *>(room)) { // it is a search itself
            page->ask({}, false);
            return;
        }
    // The way from a place that has nothing to search leads to the candidate, as it always did.
    if (focus == nullptr || m_candidate.isAncestorOf(focus)) {
        m_candidate.find(false);
        return;
    }
    QWidget *searched = searchedAt(focus);
    if (searched == nullptr || !openAt(searched))
        m_candidate.find(false);
}

} // namespace warpwright
