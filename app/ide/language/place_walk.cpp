// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/place_walk.h"

#include "app/ide/language/source_window.h"
#include "app/ide/language/text_places.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/text/character_column.h"
#include "toolchain/text/source_text.h"
#include "toolchain/workspace/candidate_texts.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/pick_list.h"

#include <QApplication>
#include <QHash>
#include <QMouseEvent>

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

QString iconOf(SymbolKind kind) {
    switch (kind) {
    case SymbolKind::Function:
        return QStringLiteral("run");
    case SymbolKind::Type:
    case SymbolKind::Enum:
    case SymbolKind::Namespace:
        return QStringLiteral("file");
    default:
        return QStringLiteral("minus");
    }
}

struct ReadPlace {
    QString line;
    StoodAt place;
};

/// What stands on the lines of these places, and where it is for the editor. `texts`: of open files; others
/// are read.
std::vector<ReadPlace> readPlaces(const std::vector<SourcePlace> &places,
                                  const QHash<QString, QString> &texts) {
    QHash<QString, QStringList> lines;
    std::vector<ReadPlace> found;
    for (const SourcePlace &place : places) {
        if (!lines.contains(place.file)) {
            const auto open = texts.constFind(place.file);
            Result<SourceText> read =
                open == texts.cend() ? readSourceText(place.file) : Result<SourceText>::ok(SourceText{});
            const QString text = open != texts.cend() ? *open
                                 : read.hasValue()    ? read.value().text
                                                      : QString();
            lines[place.file] = text.split(QLatin1Char('\n'));
        }
        const auto [at, column] = place.range.from;
        const QString line = lines[place.file].value(at - 1);
        found.push_back({line.trimmed().left(200), {place.file, at, characterColumn(line, column)}});
    }
    return found;
}

void addPlacesOf(const QString &name, const QString &file, const QString &text,
                 std::vector<SourcePlace> &places) {
    const auto isOfName = [](QChar sign) {
        return sign.isLetterOrNumber() || sign == QLatin1Char('_');
    };
    int number = 0;
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        ++number;
        for (qsizetype at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
            const qsizetype end = at + name.size();
            if ((at > 0 && isOfName(line[at - 1])) || (end < line.size() && isOfName(line[end])))
                continue;
            places.push_back(
                {file, {{number, static_cast<int>(at) + 1}, {number, static_cast<int>(end) + 1}}});
        }
    }
}

/// As it was shown then, unless the place would be out of sight: of another size, or with other folds.
void scrollTo(CodeEditor &editor, const StoodAt &place) {
    if (place.firstLine < 1)
        return;
    const long first = editor.sci(Sci::SCI_VISIBLEFROMDOCLINE, place.firstLine - 1);
    const long row = editor.sci(Sci::SCI_VISIBLEFROMDOCLINE, place.line - 1);
    if (row < first || row >= first + editor.sci(Sci::SCI_LINESONSCREEN))
        return;
    editor.sci(Sci::SCI_SETFIRSTVISIBLELINE, first);
    editor.sci(Sci::SCI_SETXOFFSET, place.leftPixels);
}

} // namespace

StoodAt stoodAt(const QString &file, const CodeEditor &editor) {
    const EditorView view = editor.viewState();
    return {file, view.cursor.line, view.cursor.column, view.firstLine, view.leftPixels};
}

PlaceWalk::PlaceWalk(const Look &look, LanguageController &controller, Workbench &bench, Window window)
    : QObject(window.widget),
      m_controller(controller),
      m_bench(bench),
      m_parts(std::move(window)),
      m_window(new SourceWindow(look, m_parts.widget)),
      m_list(new PickList(look, m_parts.widget)) {
    connect(&controller, &LanguageController::textAdded, this, &PlaceWalk::watch);
    connect(&bench, &Workbench::closed, this, [this] {
        (void)m_jobs.next();
        if (m_list->isVisible())
            m_list->closeAndReturn();
        m_trail.clear();
        emit trailChanged();
        m_window->close();
    });
    connect(m_window, &SourceWindow::failed, this,
            [this](const QString &message) { emit noticed(tr("Not opened"), message); });
    connect(m_window, &SourceWindow::shown, this,
            [this](const QString &file) { m_controller.followGuest(*m_window->editor(), file); });
    connect(m_list, &PickList::picked, this, [this](int row) {
        if (static_cast<std::size_t>(row) < m_offered.size())
            jump(m_offered[static_cast<std::size_t>(row)]);
    });
}

// Ctrl and a click lead to the definition; with a drag between they select, as before.
void PlaceWalk::watch(OpenText *text) {
    if (CodeEditor *editor = text->editor(); editor != nullptr)
        editor->viewport()->installEventFilter(this);
}

bool PlaceWalk::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease)
        return false;
    auto *editor = qobject_cast<CodeEditor *>(watched->parent());
    const auto *mouse = static_cast<QMouseEvent *>(event);
    const QPoint point = mouse->position().toPoint();
    if (event->type() == QEvent::MouseButtonPress) {
        const bool isAsked = mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::ControlModifier;
        m_pressed = isAsked ? editor : nullptr;
        m_pressedAt = point;
        return false;
    }
    if (editor == nullptr || m_pressed != editor ||
        (point - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        return false;
    m_pressed.clear();
    const long position = editor->sci(Sci::SCI_POSITIONFROMPOINTCLOSE, point.x(), point.y());
    if (position < 0 || !m_controller.whyNot(editor).isEmpty())
        return false;
    const auto [from, to] = nameAt(*editor, position);
    if (from == to)
        return false;
    // Behind the editor's own handling, which sets a second cursor here.
    QMetaObject::invokeMethod(
        editor,
        [this, editor, position] {
            editor->sci(Sci::SCI_SETEMPTYSELECTION, position);
            definition(*editor);
        },
        Qt::QueuedConnection);
    return false;
}

StoodAt PlaceWalk::here() const {
    const CodeEditor *other = m_window->editor();
    if (m_window->isActiveWindow() && other->hasFocus())
        return stoodAt(m_window->file(), *other);
    return m_parts.here();
}

void PlaceWalk::leave() {
    if (m_isWalking)
        return;
    const StoodAt place = here();
    if (place.file.isEmpty())
        return;
    m_trail.leave(place);
    emit trailChanged();
}

void PlaceWalk::go(const StoodAt &place) {
    m_isWalking = true;
    const bool isHere = m_parts.goTo(place.file, place.line, place.column);
    m_isWalking = false;
    if (!isHere)
        return m_window->open(place.file, place.line, place.column);
    if (m_window->isActiveWindow())
        m_parts.widget->activateWindow();
    if (const OpenText *text = m_controller.textOf(place.file); text != nullptr && text->editor() != nullptr)
        scrollTo(*text->editor(), place);
}

void PlaceWalk::jump(const StoodAt &place) {
    leave();
    go(place);
}

void PlaceWalk::back() {
    const std::optional<StoodAt> place = m_trail.back(here());
    if (place)
        go(*place);
    emit trailChanged();
}

void PlaceWalk::forward() {
    const std::optional<StoodAt> place = m_trail.forward(here());
    if (place)
        go(*place);
    emit trailChanged();
}

void PlaceWalk::definition(CodeEditor &editor) {
    OpenText *text = m_controller.textOf(&editor);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return emit noticed(tr("No definition"), m_controller.whyNot(&editor));
    const int number = m_jobs.next();
    const auto [from, to] = nameAt(editor, editor.sci(Sci::SCI_GETCURRENTPOS));
    server->definition(
        text->file(), cursorOf(editor),
        [self = QPointer(this), number, name = textBetween(editor, from, to)](
            const std::vector<SourcePlace> &places, const QString &problem) {
            if (!self || self->m_jobs.isStale(number))
                return;
            if (places.empty())
                return emit self->noticed(tr("No definition"),
                                          !problem.isEmpty() ? problem
                                          : name.isEmpty()   ? tr("The cursor stands at no name.")
                                                             : tr("None of \"%1\" was found.").arg(name));
            if (places.size() > 1)
                return self->pick(tr("Definitions of %1").arg(name), places);
            inPool(
                self,
                [places, texts = self->openTexts(places)] { return readPlaces(places, texts).front().place; },
                [self, number](const StoodAt &place) {
                    if (!self->m_jobs.isStale(number))
                        self->jump(place);
                });
        });
}

void PlaceWalk::references(CodeEditor &editor) {
    OpenText *text = m_controller.textOf(&editor);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return emit noticed(tr("No references"), m_controller.whyNot(&editor));
    m_controller.tellAll(); // they lie in other files as well
    const int number = m_jobs.next();
    const auto [from, to] = nameAt(editor, editor.sci(Sci::SCI_GETCURRENTPOS));
    const Asked asked{number, text->file(), cursorOf(editor), textBetween(editor, from, to)};
    server->references(
        asked.file, asked.at,
        [self = QPointer(this), asked, server = QPointer(server)](const std::vector<SourcePlace> &places,
                                                                  const QString &problem) {
            if (!self || self->m_jobs.isStale(asked.number))
                return;
            if (!places.empty())
                return self->pick(tr("References to %1").arg(asked.name), places);
            if (!problem.isEmpty() || asked.name.isEmpty() || !server)
                return emit self->noticed(tr("No references"),
                                          !problem.isEmpty() ? problem : tr("The cursor stands at no name."));
            self->referencesOfDefinition(*server, asked);
        });
}

// At a call that depends on a template's parameters clangd knows where the name leads, and no more.
void PlaceWalk::referencesOfDefinition(LanguageServer &server, const Asked &asked) {
    server.definition(asked.file, asked.at,
                      [self = QPointer(this), asked,
                       at = QPointer(&server)](const std::vector<SourcePlace> &places, const QString &) {
                          if (!self || self->m_jobs.isStale(asked.number))
                              return;
                          if (places.size() != 1 || !at)
                              return self->placesOfName(asked);
                          at->references(
                              places.front().file, places.front().range.from,
                              [self, asked](const std::vector<SourcePlace> &found, const QString &) {
                                  if (!self || self->m_jobs.isStale(asked.number))
                                      return;
                                  if (found.empty())
                                      return self->placesOfName(asked);
                                  self->pick(tr("References to %1").arg(asked.name), found);
                              });
                      });
}

void PlaceWalk::placesOfName(const Asked &asked) {
    const auto none = [this, name = asked.name] {
        emit noticed(tr("No references"), tr("None to \"%1\" were found.").arg(name));
    };
    if (!m_bench.workspace())
        return none();
    QHash<QString, QString> open;
    for (const OpenText *text : m_controller.texts())
        if (text->editor() != nullptr)
            open[text->file()] = text->editor()->content();
    inPool(
        this,
        [workspace = *m_bench.workspace(), open, name = asked.name] {
            std::vector<SourcePlace> places;
            const Result<CandidateTexts> texts = readCandidateTexts(workspace);
            if (!texts.hasValue())
                return places;
            for (const auto &[path, bytes] : texts.value()) {
                const QString file = workspace.folder + QLatin1Char('/') + path;
                const auto shown = open.constFind(file);
                addPlacesOf(name, file, shown == open.cend() ? QString::fromUtf8(bytes) : *shown, places);
            }
            return places;
        },
        [this, asked, none](const std::vector<SourcePlace> &places) {
            if (m_jobs.isStale(asked.number))
                return;
            if (places.empty())
                return none();
            pick(tr("%1 by name: the language server knows no references").arg(asked.name), places);
        });
}

QHash<QString, QString> PlaceWalk::openTexts(const std::vector<SourcePlace> &places) const {
    QHash<QString, QString> texts;
    for (const SourcePlace &place : places)
        if (const OpenText *text = texts.contains(place.file) ? nullptr : m_controller.textOf(place.file);
            text != nullptr && text->editor() != nullptr)
            texts[place.file] = text->editor()->content();
    return texts;
}

void PlaceWalk::pick(const QString &prompt, std::vector<SourcePlace> places) {
    std::sort(places.begin(), places.end(), [](const SourcePlace &a, const SourcePlace &b) {
        return std::tie(a.file, a.range.from) < std::tie(b.file, b.range.from);
    });
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const int number = m_jobs.next();
    inPool(
        this, [places, texts = openTexts(places)] { return readPlaces(places, texts); },
        [this, number, prompt](const std::vector<ReadPlace> &read) {
            if (m_jobs.isStale(number))
                return;
            const QString folder =
                m_bench.workspace() ? m_bench.workspace()->folder + QLatin1Char('/') : QString();
            const StoodAt now = here();
            std::vector<StoodAt> offered;
            std::vector<PickRow> rows;
            int current = 0;
            for (std::size_t i = 0; i < read.size(); ++i) {
                const StoodAt &place = read[i].place;
                const bool isOurs = !folder.isEmpty() && place.file.startsWith(folder);
                const QString name = isOurs ? place.file.mid(folder.size()) : place.file;
                if (place.file == now.file && place.line == now.line)
                    current = static_cast<int>(i);
                rows.push_back({QStringLiteral("file"), QStringLiteral("%1:%2").arg(name).arg(place.line),
                                read[i].line, true, 0});
                offered.push_back(place);
            }
            offer(prompt, std::move(offered), std::move(rows), current);
        });
}

void PlaceWalk::symbols(CodeEditor &editor) {
    OpenText *text = m_controller.textOf(&editor);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return emit noticed(tr("No symbols"), m_controller.whyNot(&editor));
    const int number = m_jobs.next();
    const int line = editor.cursorPlace().line;
    server->symbols(text->file(), [self = QPointer(this), number, line, file = text->file(),
                                   asked = QPointer(&editor)](const std::vector<DocumentSymbol> &symbols,
                                                              const QString &problem) {
        if (!self || !asked || self->m_jobs.isStale(number))
            return;
        if (symbols.empty())
            return emit self->noticed(tr("No symbols"),
                                      problem.isEmpty() ? tr("This file defines none.") : problem);
        std::vector<StoodAt> offered;
        std::vector<PickRow> rows;
        int current = 0;
        for (const DocumentSymbol &symbol : symbols) {
            // The innermost around the cursor is where one is.
            if (symbol.range.from.line <= line && line <= symbol.range.to.line)
                current = static_cast<int>(rows.size());
            rows.push_back({iconOf(symbol.kind), symbol.name,
                            symbol.detail.isEmpty()
                                ? tr("line %1").arg(symbol.nameRange.from.line)
                                : tr("%1  line %2").arg(symbol.detail).arg(symbol.nameRange.from.line),
                            false, symbol.depth});
            const auto [at, column] = symbol.nameRange.from;
            offered.push_back({file, at, characterColumn(asked->text(at - 1), column)});
        }
        self->offer(tr("Go to a symbol of this file"), std::move(offered), std::move(rows), current);
    });
}

void PlaceWalk::offer(const QString &prompt, std::vector<StoodAt> places, std::vector<PickRow> rows,
                      int current) {
    if (m_window->isActiveWindow()) // asked there; the list lies over the window
        m_parts.widget->activateWindow();
    m_offered = std::move(places);
    m_list->open(prompt, std::move(rows), current);
}

} // namespace warpwright
