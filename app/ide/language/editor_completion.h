// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"
#include "widgets/popups/completion_list.h"

#include <QObject>
#include <QPointer>

class QKeyEvent;

namespace warpwright {

class Look;

/// Offers what could be written at the cursor: while a name is typed, after what leads to a member, and by
/// key. What was answered is filtered here while typing goes on; taking one is a single step of undo.
class EditorCompletion : public QObject {
    Q_OBJECT
public:
    EditorCompletion(const Look &look, LanguageController &controller, QWidget *window);

    /// By key: in comments and strings as well, and with nothing typed yet.
    void ask(CodeEditor &editor);
    void close();
    [[nodiscard]] CompletionList &list() const { return *m_list; }

signals:
    /// What was taken ends within the parentheses of a call.
    void callBegun(warpwright::CodeEditor *editor);
    /// It was asked by key, and no list comes.
    void nothingKnown(const QString &why);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void watch(OpenText *text);
    void typed(CodeEditor &editor, int character);
    void ask(CodeEditor &editor, const QString &trigger, bool isByKey);
    void send();
    void take(const Completion &completion);
    void follow();
    void show(const QString &typedNow);
    void accept(int row);
    [[nodiscard]] QString typedNow() const;
    [[nodiscard]] bool isInWord() const;
    [[nodiscard]] bool leadsToMember() const;
    [[nodiscard]] bool isTypedOver(const QKeyEvent &key);

    LanguageController &m_controller;
    CompletionList *m_list;
    QPointer<CodeEditor> m_editor;   ///< that was asked about last; null: nothing is offered or awaited
    QPointer<CodeEditor> m_openedIn; ///< where the last key wrote a call's parentheses
    long m_openedAt = 0;             ///< the cursor between them
    long m_start = 0;                ///< where the word begins
    TextPlace m_askedAt;             ///< the cursor, when that was asked which was answered
    QString m_trigger;
    Completion m_completion;
    std::vector<std::size_t> m_shown; ///< rows of the list, as indices into it
    QString m_shownFor;
    long m_length = 0; ///< of the text then
    JobNumber m_jobs;
    bool m_isByKey = false;
    bool m_isAwaited = false;
};

/// Its items that fit what was typed, best first: as indices, the first 200. `isMember`: keywords come last.
[[nodiscard]] std::vector<std::size_t> fittingItems(const std::vector<CompletionItem> &items,
                                                    const QString &typed, bool isMember = false);
[[nodiscard]] CompletionRow rowOf(const CompletionItem &item);

} // namespace warpwright
