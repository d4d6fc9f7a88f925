// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"

#include <QHash>
#include <QObject>

namespace warpwright {

class AskBar;
class Look;

/// Gives a name another one in all files of the candidate: asks for it in a line above the text, says how
/// many places it would change in which files, and changes the editors, in each as one step of undo. Nothing
/// is saved.
class SymbolRename : public QObject {
    Q_OBJECT
public:
    SymbolRename(const Look &look, LanguageController &controller, Workbench &bench,
                 CandidatePanel &candidate);

    void ask(CodeEditor &editor);

signals:
    void noticed(const QString &title, const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; ///< Esc in the question leaves the name

private:
    void askName(const QString &file, TextPlace at, const QString &name);
    void send(const QString &file, TextPlace at, const QString &name, const QString &newName);
    /// `texts`: of all files, as they were when it was asked.
    void offer(const std::vector<FileReplacements> &changes, const QHash<QString, QString> &texts,
               const QString &name, const QString &newName);
    void apply(const std::vector<FileReplacements> &changes, const QHash<QString, QString> &texts);
    [[nodiscard]] QString relative(const QString &file) const;

    LanguageController &m_controller;
    Workbench &m_bench;
    AskBar *m_bar;
    JobNumber m_jobs;
};

/// What is wrong with a name for code; empty: nothing.
[[nodiscard]] QString whyNoName(const QString &name);

} // namespace warpwright
