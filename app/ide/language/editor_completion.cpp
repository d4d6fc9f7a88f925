// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/editor_completion.h"

#include "app/ide/language/text_places.h"
#include "widgets/editor/auto_close.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/steady_undo.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

constexpr std::size_t mostRows = 200;
constexpr int leastLetters = 2;

bool isNameChar(QChar c) {
    return c.isLetterOrNumber() || c == u'_';
}

bool isName(const QString &text) {
    return std::all_of(text.begin(), text.end(), isNameChar);
}

QString words(const char *text) {
    return QCoreApplication::translate("EditorCompletion", text);
}

/// The characters that lead to a member or into a namespace: the last ones typed end with one.
QString triggerIn(const CodeEditor &editor, long position, int character) {
    const QString before = textBetween(editor, std::max(0L, position - 2), position);
    if (character == '.') {
        // The point of a number leads nowhere.
        const auto [from, to] = nameAt(editor, position - 1);
        return to > from && textBetween(editor, from, from + 1).at(0).isDigit() ? QString()
                                                                                : QStringLiteral(".");
    }
    if (character == '>' && before == QLatin1String("->"))
        return QStringLiteral(">");
    if (character == ':' && before == QLatin1String("::"))
        return QStringLiteral(":");
    return {};
}

} // namespace

std::vector<std::size_t> fittingItems(const std::vector<CompletionItem> &items, const QString &typed,
                                      bool isMember) {
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QString &name = items[i].filterText.isEmpty() ? items[i].label : items[i].filterText;
        if (const int fit = completionFit(name.trimmed(), typed); fit >= 0)
            ranked.emplace_back(fit, i);
    }
    // Behind «.» clangd gives «template» first, which hardly anyone means: a member comes before a keyword.
    const auto isLast = [&items, isMember](std::size_t i) {
        return items[i].isFar || (isMember && items[i].kind == SymbolKind::Keyword);
    };
    // The server's own order within what fits as well.
    std::stable_sort(ranked.begin(), ranked.end(), [&isLast](const auto &a, const auto &b) {
        return std::pair(isLast(a.second), a.first) < std::pair(isLast(b.second), b.first);
    });
    ranked.resize(std::min(ranked.size(), mostRows));
    std::vector<std::size_t> fitting;
    for (const auto &[fit, i] : ranked)
        fitting.push_back(i);
    return fitting;
}

CompletionRow rowOf(const CompletionItem &item) {
    CompletionRow row;
    const auto dress = [&row](const char *letter, const char *token, const QString &kind) {
        row.letter = QString::fromLatin1(letter);
        row.token = token;
        row.kind = kind;
    };
    switch (item.kind) {
    case SymbolKind::Text:
        dress("a", "text.tertiary", words("text"));
        break;
    case SymbolKind::Function:
        dress("f", "syntax.function", words("function"));
        break;
    case SymbolKind::Type:
        dress("T", "syntax.type", words("type"));
        break;
    case SymbolKind::Variable:
        dress("v", "syntax.text", words("variable"));
        break;
    case SymbolKind::Field:
        dress("m", "syntax.text", words("member"));
        break;
    case SymbolKind::Constant:
        dress("c", "syntax.number", words("constant"));
        break;
    case SymbolKind::Enum:
        dress("e", "syntax.type", words("enumeration"));
        break;
    case SymbolKind::Macro:
        dress("#", "syntax.preproc", words("macro"));
        break;
    case SymbolKind::Namespace:
        dress("N", "syntax.type", words("namespace"));
        break;
    case SymbolKind::Keyword:
        dress("k", "syntax.keyword", words("keyword"));
        break;
    case SymbolKind::Snippet:
        dress("s", "syntax.keyword", words("snippet"));
        break;
    case SymbolKind::File:
        dress("h", "syntax.string", words("file"));
        break;
    }
    row.label = item.label;
    row.signature = item.signature;
    row.type = item.type;
    row.documentation = item.documentation;
    row.isDeprecated = item.isDeprecated;
    return row;
}

EditorCompletion::EditorCompletion(const Look &look, LanguageController &controller, QWidget *window)
    : QObject(window), m_controller(controller), m_list(new CompletionList(look, window)) {
    connect(&controller, &LanguageController::textAdded, this, &EditorCompletion::watch);
    connect(m_list, &CompletionList::taken, this, &EditorCompletion::accept);
    connect(m_list, &CompletionList::dismissed, this, &EditorCompletion::close);
}

void EditorCompletion::watch(OpenText *text) {
    CodeEditor *editor = text->editor();
    if (text->isGuest() || editor == nullptr)
        return;
    editor->installEventFilter(this);
    editor->viewport()->installEventFilter(this);
    connect(editor, &QsciScintillaBase::SCN_CHARADDED, text,
            [this, editor](int character) { typed(*editor, character); });
    connect(editor, &QsciScintilla::cursorPositionChanged, text, [this, editor] {
        if (editor == m_editor)
            follow();
    });
    connect(editor->verticalScrollBar(), &QScrollBar::valueChanged, text, [this, editor] {
        if (editor == m_editor && m_list->isVisible())
            close();
    });
    connect(editor, &QObject::destroyed, this, [this] {
        if (!m_editor && m_list->isVisible())
            close();
    });
    connect(text, &OpenText::told, this, [this, editor] {
        if (editor == m_editor && m_isAwaited)
            send(); // what was asked of the text before is not answered any more
    });
}

void EditorCompletion::typed(CodeEditor &editor, int character) {
    if (editor.isReadOnly() || editor.sci(Sci::SCI_GETSELECTIONS) > 1)
        return;
    const long position = editor.sci(Sci::SCI_GETCURRENTPOS);
    const QChar letter(character > 0 && character < 0x10000 ? static_cast<char16_t>(character) : u'\0');
    if (!isNameChar(letter)) {
        const QString trigger = triggerIn(editor, position, character);
        if (trigger.isEmpty())
            close();
        else if (!isProse(editor, position))
            ask(editor, trigger, false);
        return;
    }
    if (&editor == m_editor && (m_isAwaited || m_list->isVisible()))
        return follow();
    const auto [from, to] = nameAt(editor, position);
    const QString name = textBetween(editor, from, position);
    if (name.size() < leastLetters || name.front().isDigit() || isProse(editor, position))
        return;
    ask(editor, {}, false);
}

void EditorCompletion::ask(CodeEditor &editor) {
    if (!editor.isReadOnly())
        ask(editor, {}, true);
}

void EditorCompletion::ask(CodeEditor &editor, const QString &trigger, bool isByKey) {
    close();
    const long position = editor.sci(Sci::SCI_GETCURRENTPOS);
    m_editor = &editor;
    m_start = trigger.isEmpty() ? std::min(position, nameAt(editor, position).first) : position;
    m_trigger = trigger;
    m_isByKey = isByKey;
    send();
}

void EditorCompletion::send() {
    const int number = m_jobs.next();
    OpenText *text = m_controller.textOf(m_editor);
    m_isAwaited = false; // while the text is told
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return close();
    const bool isTrigger = server->completionTriggers().contains(m_trigger) && typedNow().isEmpty();
    m_isAwaited = true;
    const TextPlace at = cursorOf(*m_editor);
    server->complete(
        text->file(), at, isTrigger ? m_trigger : QString(),
        [self = QPointer(this), number, at](const Completion &completion, const QString &problem) {
            if (!self || self->m_jobs.isStale(number))
                return;
            self->m_isAwaited = false;
            if (!problem.isEmpty() || !self->m_editor) {
                if (self->m_isByKey && self->m_editor)
                    emit self->nothingKnown(problem);
                return self->close();
            }
            self->m_askedAt = at;
            self->take(completion);
        });
}

void EditorCompletion::take(const Completion &completion) {
    if (!isInWord())
        return close();
    m_completion = completion;
    const bool wasShown = m_list->isVisible();
    show(typedNow());
    if (m_isByKey && !wasShown && !m_list->isVisible())
        emit nothingKnown(tr("nothing is known that could stand here"));
}

QString EditorCompletion::typedNow() const {
    return textBetween(*m_editor, m_start, m_editor->sci(Sci::SCI_GETCURRENTPOS));
}

// Asked by key or by letters of the word, too.
bool EditorCompletion::leadsToMember() const {
    const QString before = textBetween(*m_editor, std::max(0L, m_start - 2), m_start);
    return before.endsWith(QLatin1Char('.')) || before == QLatin1String("->") ||
           before == QLatin1String("::");
}

// The cursor still stands in the word that was begun, or behind it.
bool EditorCompletion::isInWord() const {
    const long position = m_editor->sci(Sci::SCI_GETCURRENTPOS);
    return position >= m_start &&
           m_editor->sci(Sci::SCI_LINEFROMPOSITION, position) ==
               m_editor->sci(Sci::SCI_LINEFROMPOSITION, m_start) &&
           isName(typedNow());
}

void EditorCompletion::follow() {
    if (!m_list->isVisible() && !m_isAwaited)
        return;
    if (!isInWord())
        return close();
    const QString now = typedNow();
    if (!m_list->isVisible() || now == m_shownFor)
        return;
    if (m_editor->sci(Sci::SCI_GETLENGTH) == m_length)
        return close(); // nothing was typed: the cursor went elsewhere
    // All letters taken back: only who asked, or leads to a member, still sees the list.
    if (now.isEmpty() && !m_isByKey && m_trigger.isEmpty())
        return close();
    show(now);
    if (m_completion.isIncomplete && m_editor)
        send();
}

void EditorCompletion::show(const QString &typedNow) {
    m_shownFor = typedNow;
    m_length = m_editor->sci(Sci::SCI_GETLENGTH);
    m_shown = fittingItems(m_completion.items, typedNow, leadsToMember());
    const bool isWritten =
        m_shown.size() == 1 && !m_isByKey && m_completion.items[m_shown.front()].insertText == typedNow;
    if ((m_shown.empty() && !m_completion.isIncomplete) || isWritten)
        return close();
    std::vector<CompletionRow> rows;
    for (const std::size_t i : m_shown)
        rows.push_back(rowOf(m_completion.items[i]));
    m_list->showRows(std::move(rows), typedNow, m_editor->window(),
                     rectOf(*m_editor, m_start, m_editor->sci(Sci::SCI_GETCURRENTPOS)));
    // Others have come to listen since, as the find bar does: Esc closes the list first.
    m_editor->installEventFilter(this);
}

void EditorCompletion::close() {
    (void)m_jobs.next();
    m_isAwaited = false;
    m_editor.clear();
    m_completion = {};
    m_shown.clear();
    m_list->hide();
}

void EditorCompletion::accept(int row) {
    if (!m_editor || row < 0 || static_cast<std::size_t>(row) >= m_shown.size() || m_editor->isReadOnly() ||
        !isInWord())
        return close();
    CodeEditor &editor = *m_editor;
    const CompletionItem item = m_completion.items[m_shown[static_cast<std::size_t>(row)]];
    const QString written = typedNow();
    const TextPlace cursor = cursorOf(editor);
    const TextPlace asked = m_askedAt;
    close();
    // What was typed since it was asked lies between; places behind it are that much further on.
    const auto now = [&](TextPlace place) {
        if (place.line == cursor.line && place.column >= asked.column)
            place.column += cursor.column - asked.column;
        return place;
    };
    std::vector<TextReplacement> all{{{item.replaced.from, now(item.replaced.to)}, item.insertText}};
    const TextReplacement own = all.front();
    for (const TextReplacement &also : item.also)
        all.push_back({{now(also.range.from), now(also.range.to)}, also.text});
    std::stable_sort(all.begin(), all.end(), [](const TextReplacement &a, const TextReplacement &b) {
        return a.range.from < b.range.from;
    });
    const bool isMany = editor.sci(Sci::SCI_GETSELECTIONS) > 1;
    const auto writeAtEach = [&] {
        // The same at each cursor that stands behind the same letters.
        const QByteArray before = written.toUtf8();
        const QByteArray text = item.insertText.toUtf8();
        const auto length = static_cast<long>(before.size());
        for (long i = editor.sci(Sci::SCI_GETSELECTIONS) - 1; i >= 0; --i) {
            const long caret = editor.sci(Sci::SCI_GETSELECTIONNCARET, i);
            if (textBetween(editor, std::max(0L, caret - length), caret) != written)
                continue;
            editor.sci(Sci::SCI_SETTARGETRANGE, caret - length, caret);
            editor.sci(Sci::SCI_REPLACETARGET, text.size(), reinterpret_cast<long>(text.constData()));
            const long behind = caret - length + static_cast<long>(text.size());
            editor.sci(Sci::SCI_SETSELECTIONNCARET, i, behind);
            editor.sci(Sci::SCI_SETSELECTIONNANCHOR, i, behind);
        }
        replaceIn(editor, item.also);
    };
    if (isMany) {
        editor.decorator<SteadyUndo>().keepingPlace(writeAtEach);
    } else {
        editor.sci(Sci::SCI_BEGINUNDOACTION);
        // From the end on: those before it keep their places, and the cursor moves with the text.
        for (auto one = all.rbegin(); one != all.rend(); ++one) {
            replaceIn(editor, {*one});
            if (*one == own) {
                const int inside =
                    item.cursorInside < 0 ? static_cast<int>(item.insertText.size()) : item.cursorInside;
                editor.sci(Sci::SCI_SETEMPTYSELECTION,
                           positionOf(editor, own.range.from) + item.insertText.left(inside).toUtf8().size());
            }
        }
        editor.sci(Sci::SCI_ENDUNDOACTION);
    }
    editor.sci(Sci::SCI_CHOOSECARETX);
    if (item.cursorInside > 0 && item.insertText.at(item.cursorInside - 1) == u'(') {
        editor.decorator<AutoClose>().adopt();
        m_openedIn = &editor;
        m_openedAt = editor.sci(Sci::SCI_GETCURRENTPOS);
        emit callBegun(&editor);
    }
}

// The parenthesis is written already; who types it out of habit means that one. Only the very next key.
bool EditorCompletion::isTypedOver(const QKeyEvent &key) {
    const bool isModifier = key.key() == Qt::Key_Shift || key.key() == Qt::Key_Control ||
                            key.key() == Qt::Key_Alt || key.key() == Qt::Key_AltGr ||
                            key.key() == Qt::Key_Meta;
    if (isModifier || !m_openedIn)
        return false;
    const CodeEditor &editor = *std::exchange(m_openedIn, nullptr);
    return key.text() == QLatin1String("(") && editor.sci(Sci::SCI_GETSELECTIONS) == 1 &&
           editor.sci(Sci::SCI_GETSELECTIONEMPTY) != 0 && editor.sci(Sci::SCI_GETCURRENTPOS) == m_openedAt;
}

bool EditorCompletion::eventFilter(QObject *watched, QEvent *event) {
    if (m_openedIn && watched == m_openedIn) {
        if (event->type() == QEvent::FocusOut)
            m_openedIn.clear();
        else if (event->type() == QEvent::KeyPress && isTypedOver(*static_cast<QKeyEvent *>(event)))
            return true;
    }
    if (!m_editor || (watched != m_editor && watched != m_editor->viewport()))
        return false;
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        // Then it comes as a key, and not to a shortcut of the window.
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
            if (!m_list->isVisible())
                return false;
            event->accept();
            return true;
        default:
            return false;
        }
    case QEvent::KeyPress: {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool ends = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        // Who has written the whole name wants the next line.
        if (ends && m_list->isVisible() && !m_shown.empty() && m_list->current() >= 0 &&
            m_completion.items[m_shown[static_cast<std::size_t>(m_list->current())]].insertText ==
                typedNow()) {
            close();
            return false;
        }
        if (!m_list->isVisible() && key->key() == Qt::Key_Escape) {
            close(); // what is awaited
            return false;
        }
        return m_list->handleKey(*key);
    }
    case QEvent::FocusOut:
    case QEvent::Hide:
    case QEvent::MouseButtonPress:
        close();
        return false;
    default:
        return false;
    }
}

} // namespace warpwright
