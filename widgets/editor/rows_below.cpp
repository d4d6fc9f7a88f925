// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/rows_below.h"

#include "widgets/editor/code_editor.h"

#include <algorithm>

namespace warpwright {

RowsBelow::RowsBelow(CodeEditor &editor) : EditorDecorator(editor) {
    editor.setAnnotationDisplay(QsciScintilla::AnnotationStandard);
    connect(&editor, &QsciScintilla::linesChanged, this, &RowsBelow::refresh);
}

void RowsBelow::setSource(Owner owner, Source source) {
    m_sources[owner] = std::move(source);
}

void RowsBelow::enabledChanged() {
    editor().setAnnotationDisplay(isEnabled() ? QsciScintilla::AnnotationStandard
                                              : QsciScintilla::AnnotationHidden);
}

int RowsBelow::countAbove(Owner owner, int line) const {
    int count = 0;
    for (int before = 0; before < owner; ++before)
        count += m_counts[static_cast<std::size_t>(before)].value(line);
    return count;
}

void RowsBelow::refresh() {
    if (m_isRefreshing || !isEnabled())
        return;
    m_isRefreshing = true;
    QHash<int, QStringList> rows;
    for (std::size_t owner = 0; owner < Owners; ++owner) {
        m_counts[owner].clear();
        if (!m_sources[owner])
            continue;
        const QHash<int, QStringList> own = m_sources[owner]();
        for (auto row = own.cbegin(); row != own.cend(); ++row) {
            m_counts[owner][row.key()] = static_cast<int>(row->size());
            rows[row.key()] += row.value();
        }
    }
    const auto sci = [this](unsigned message, long a = 0, long b = 0) {
        return editor().sci(message, a, b);
    };
    const long top = sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    const long topLine = sci(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, top);
    const long below = top - sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, topLine);
    const int count = editor().lines();
    for (int line = 0; line < count; ++line) {
        const QStringList wanted = rows.value(line);
        const long has = sci(QsciScintillaBase::SCI_ANNOTATIONGETLINES, line);
        if (has == 0 && wanted.isEmpty())
            continue;
        const QByteArray words = wanted.join(u'\n').toUtf8();
        if (has == wanted.size() && editor().annotation(line).toUtf8() == words)
            continue;
        sci(QsciScintillaBase::SCI_ANNOTATIONSETTEXT, line,
            wanted.isEmpty() ? 0 : reinterpret_cast<long>(words.constData()));
    }
    const long kept = std::min(below, sci(QsciScintillaBase::SCI_ANNOTATIONGETLINES, topLine));
    const long wantedTop = sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, topLine) + kept;
    if (wantedTop != sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE))
        sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, wantedTop);
    m_isRefreshing = false;
    emit refreshed();
    editor().viewport()->update();
}

} // namespace warpwright
