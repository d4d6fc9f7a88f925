// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/symbol_rename.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/language/text_places.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/ask_bar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QRegularExpression>

namespace warpwright {

QString whyNoName(const QString &name) {
    static const QRegularExpression valid(QStringLiteral("^[A-Za-z_][A-Za-z_0-9]*$"));
    return valid.match(name).hasMatch()
               ? QString()
               : SymbolRename::tr("A name has letters, digits and _, and begins with no digit.");
}

SymbolRename::SymbolRename(const Look &look, LanguageController &controller, Workbench &bench,
                           CandidatePanel &candidate)
    : QObject(&candidate), m_controller(controller), m_bench(bench), m_bar(new AskBar(look, &candidate)) {
    m_bar->setObjectName(QStringLiteral("renameBar"));
    candidate.setBar(m_bar);
    m_bar->installEventFilter(this);
    // Who goes on elsewhere in the window has left the question: an answer would be about another text.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        if (now == nullptr || m_bar->isHidden() || now == m_bar || m_bar->isAncestorOf(now) ||
            now->window() != m_bar->window())
            return;
        (void)m_jobs.next();
        m_bar->hide();
    });
    connect(&bench, &Workbench::closed, this, [this] {
        (void)m_jobs.next();
        m_bar->hide();
    });
}

bool SymbolRename::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_bar || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
        return QObject::eventFilter(watched, event);
    m_bar->close();
    return true;
}

QString SymbolRename::relative(const QString &file) const {
    const QString folder = m_bench.workspace() ? m_bench.workspace()->folder + QLatin1Char('/') : QString();
    return !folder.isEmpty() && file.startsWith(folder) ? file.mid(folder.size()) : file;
}

void SymbolRename::ask(CodeEditor &editor) {
    OpenText *text = m_controller.textOf(&editor);
    if (editor.isReadOnly())
        return emit noticed(tr("Not renamed"), editor.readOnlyReason());
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return emit noticed(tr("Not renamed"), m_controller.whyNot(&editor));
    const int number = m_jobs.next();
    const TextPlace at = cursorOf(editor);
    server->prepareRename(
        text->file(), at,
        [self = QPointer(this), number, at, file = text->file(),
         editor = QPointer(&editor)](const std::optional<TextRange> &range, const QString &problem) {
            if (!self || !editor || self->m_jobs.isStale(number))
                return;
            if (!range)
                return emit self->noticed(tr("Not renamed"),
                                          problem.isEmpty()
                                              ? tr("Nothing at the cursor has a name that can be changed.")
                                              : problem);
            self->askName(
                file, at,
                textBetween(*editor, positionOf(*editor, range->from), positionOf(*editor, range->to)));
        });
}

void SymbolRename::askName(const QString &file, TextPlace at, const QString &name) {
    m_bar->ask(tr("New name of %1").arg(name), name, [this, file, at, name](const QString &typed) {
        const QString newName = typed.trimmed();
        if (newName == name)
            return tr("That is its name now.");
        const QString wrong = whyNoName(newName);
        if (wrong.isEmpty()) // the bar closes first, and what is offered opens it again
            QMetaObject::invokeMethod(
                this, [=, this] { send(file, at, name, newName); }, Qt::QueuedConnection);
        return wrong;
    });
}

void SymbolRename::send(const QString &file, TextPlace at, const QString &name, const QString &newName) {
    m_controller.tellAll();
    OpenText *text = m_controller.textOf(file);
    LanguageServer *server = text == nullptr ? nullptr : text->asked();
    if (server == nullptr)
        return emit noticed(tr("Not renamed"), text == nullptr ? tr("The file is not open any more.")
                                                               : m_controller.whyNot(text->editor()));
    const int number = m_jobs.next();
    QHash<QString, QString> texts; // of other files too: what is typed into them makes no answer stale
    for (const OpenText *one : m_controller.texts())
        if (one->editor() != nullptr)
            texts[one->file()] = one->editor()->content();
    server->rename(file, at, newName,
                   [self = QPointer(this), number, name, newName,
                    texts](const std::vector<FileReplacements> &changes, const QString &problem) {
                       if (!self || self->m_jobs.isStale(number))
                           return;
                       if (changes.empty())
                           return emit self->noticed(
                               tr("Not renamed"),
                               problem.isEmpty() ? tr("\"%1\" is used nowhere.").arg(name) : problem);
                       self->offer(changes, texts, name, newName);
                   });
}

void SymbolRename::offer(const std::vector<FileReplacements> &changes, const QHash<QString, QString> &texts,
                         const QString &name, const QString &newName) {
    QStringList places;
    std::size_t count = 0;
    for (const FileReplacements &change : changes) {
        const OpenText *text = m_controller.textOf(change.file);
        const CodeEditor *editor = text == nullptr || text->isGuest() ? nullptr : text->editor();
        // Half a rename would be a broken text: all of it, or nothing.
        if (editor == nullptr)
            return emit noticed(
                tr("Not renamed"),
                tr("\"%1\" is used in %2 as well, which is no file of the candidate that is open here.")
                    .arg(name, relative(change.file)));
        if (editor->isReadOnly())
            return emit noticed(tr("Not renamed"),
                                tr("\"%1\" is used in %2 as well: %3")
                                    .arg(name, relative(change.file), editor->readOnlyReason()));
        count += change.replacements.size();
        places << tr("%1 (%2)").arg(relative(change.file)).arg(change.replacements.size());
    }
    const QString rename = tr("Rename");
    m_bar->offer(tr("%1 becomes %2 in %3: %4")
                     .arg(name, newName, count == 1 ? tr("one place") : tr("%1 places").arg(count),
                          places.join(QStringLiteral(", "))),
                 {{rename,
                   [this, changes, texts] {
                       apply(changes, texts);
                   }},
                  {tr("Leave it"), [] {
                   }}});
    if (auto *button = m_bar->findChild<QAbstractButton *>(QStringLiteral("choice:") + rename);
        button != nullptr)
        button->setFocus(Qt::OtherFocusReason); // Enter goes on, as it did in the field
}

void SymbolRename::apply(const std::vector<FileReplacements> &changes, const QHash<QString, QString> &texts) {
    std::vector<CodeEditor *> editors;
    for (const FileReplacements &change : changes) {
        const OpenText *text = m_controller.textOf(change.file);
        CodeEditor *editor = text == nullptr ? nullptr : text->editor();
        if (editor == nullptr || editor->isReadOnly() || editor->content() != texts[change.file])
            return emit noticed(tr("Not renamed"),
                                tr("%1 was changed meanwhile. Ask once more.").arg(relative(change.file)));
        editors.push_back(editor);
    }
    for (std::size_t i = 0; i < changes.size(); ++i)
        replaceIn(*editors[i], changes[i].replacements);
}

} // namespace warpwright
