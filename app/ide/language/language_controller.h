// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/files/file_watch.h"
#include "app/ide/language/open_text.h"
#include "app/ide/workbench/job.h"
#include "toolchain/base/settings.h"
#include "toolchain/language/language_commands.h"

#include <QObject>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

class CandidatePanel;
class ReferencePanel;
class Workbench;

/// Which servers a workspace can have, found in the pool.
struct FoundServers {
    std::optional<LanguageServerCommand> clangd;
    QString whyNoClangd; ///< and what brings it
    std::optional<LanguageServerCommand> python;
};

[[nodiscard]] FoundServers findServers(const Workspace &workspace, const Toolchain &toolchain);

/// The language servers of the open workspace and the texts that they read: those of the candidate and the
/// reference as they are in the editors. They start once the workspace is open and the toolchain known, anew
/// when task.json, the files or the toolchain are others, and end with the workspace.
class LanguageController : public QObject {
    Q_OBJECT
public:
    using Find = std::function<FoundServers(const Workspace &, const Toolchain &)>;

    LanguageController(Workbench &bench, CandidatePanel &candidate, ReferencePanel &reference,
                       QObject *parent);
    ~LanguageController() override;

    /// Other servers than those of this machine. Called in the pool.
    void setFind(Find find);
    void setToolchain(const Toolchain &toolchain);
    void setSettings(const Settings &settings);
    void restart();

    /// Null: no server could read it.
    [[nodiscard]] OpenText *textOf(const QObject *editor) const;
    [[nodiscard]] OpenText *textOf(const QString &file) const;
    [[nodiscard]] const std::vector<OpenText *> &texts() const { return m_texts; }
    /// A file that is only read, in an editor of its own: the one that was followed there before is left.
    void followGuest(CodeEditor &editor, const QString &file);
    void tellAll() const;

    /// Of the server that reads this editor, or of clangd: "clangd 22.1.1", "clangd starts"; empty: there is
    /// none.
    [[nodiscard]] QString stateOf(const QObject *editor) const;
    [[nodiscard]] bool isTrouble(const QObject *editor) const;
    /// Why nothing can be asked about this editor's text; empty: it can.
    [[nodiscard]] QString whyNot(const QObject *editor) const;
    /// For the settings: which servers there are; empty: nobody has looked. `isGood`: clangd is there.
    [[nodiscard]] QString foundText(bool *isGood) const;

signals:
    void stateChanged();
    void textAdded(warpwright::OpenText *text);
    /// Takes the place of what was said of this text before.
    void diagnosed(warpwright::OpenText *text,
                   const std::vector<warpwright::LanguageDiagnostic> &diagnostics);

private:
    enum Kind { Clangd, Python, Kinds };

    void look();
    void adopt(const FoundServers &found, const Workspace &workspace);
    void take(Kind kind, const std::optional<LanguageServerCommand> &command, bool isOther);
    void followTexts();
    void add(CodeEditor &editor, const QString &file, const QString &languageId, bool isGuest);
    void remove(OpenText *text);
    [[nodiscard]] static Kind kindOf(const QString &languageId);
    [[nodiscard]] const LanguageServer *serverOf(const QObject *editor) const;

    Workbench &m_bench;
    CandidatePanel &m_candidate;
    ReferencePanel &m_reference;
    Find m_find = findServers;
    std::optional<Toolchain> m_toolchain;
    std::optional<Workspace> m_served; ///< what the servers were started for
    std::optional<Toolchain> m_servedBy;
    QStringList m_flags; ///< of the settings
    FoundServers m_found;
    std::array<std::unique_ptr<LanguageServer>, Kinds> m_servers;
    std::vector<OpenText *> m_texts;
    FileWatch m_task;
    JobNumber m_jobs;
    bool m_isOff = false;
    bool m_isLooking = false;
};

} // namespace warpwright
