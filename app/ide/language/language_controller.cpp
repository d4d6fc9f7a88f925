// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/language_controller.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace warpwright {

FoundServers findServers(const Workspace &workspace, const Toolchain &toolchain) {
    FoundServers found;
    Result<LanguageServerCommand> clangd = clangdCommand(workspace, toolchain);
    if (clangd.hasValue())
        found.clangd = std::move(clangd).value();
    else
        found.whyNoClangd = clangd.message();
    found.python = pythonServerCommand(workspace, toolchain);
    return found;
}

namespace {

// The index lies in the workspace's state, where one window writes.
void keepNoIndex(LanguageServerCommand &clangd) {
    clangd.arguments.replaceInStrings(QRegularExpression(QStringLiteral("^--background-index$")),
                                      QStringLiteral("--background-index=false"));
}

} // namespace

LanguageController::LanguageController(Workbench &bench, CandidatePanel &candidate, ReferencePanel &reference,
                                       QObject *parent)
    : QObject(parent), m_bench(bench), m_candidate(candidate), m_reference(reference) {
    connect(&bench, &Workbench::opened, this, &LanguageController::look);
    connect(&bench, &Workbench::closed, this, [this] {
        followTexts();
        look();
    });
    connect(&bench, &Workbench::filesChanged, this, [this] {
        followTexts();
        look();
    });
    connect(&candidate, &CandidatePanel::loaded, this, &LanguageController::followTexts);
    connect(&reference, &ReferencePanel::shownChanged, this, &LanguageController::followTexts);
    connect(&candidate, &CandidatePanel::saved, this, [this] {
        for (OpenText *text : m_texts)
            text->tellSaved();
    });
    connect(&m_task, &FileWatch::changed, this, &LanguageController::look);
}

LanguageController::~LanguageController() {
    for (OpenText *text : std::exchange(m_texts, {}))
        delete text; // before the servers that they tell
}

void LanguageController::setFind(Find find) {
    m_find = std::move(find);
    m_served.reset();
    look();
}

void LanguageController::setToolchain(const Toolchain &toolchain) {
    if (m_toolchain == toolchain)
        return;
    m_toolchain = toolchain;
    look();
}

void LanguageController::setSettings(const Settings &settings) {
    const bool isOff = settings.languageServer == QLatin1String("off");
    const QStringList flags = settings.nvccFlags + QStringList{QString()} + settings.cxxFlags +
                              QStringList{settings.architecture}; // what commands depend on
    const bool areOther = std::exchange(m_flags, flags) != flags;
    if (std::exchange(m_isOff, isOff) == isOff && !areOther)
        return;
    if (areOther)
        m_served.reset();
    look();
}

void LanguageController::restart() {
    m_served.reset(); // whatever was found: it is written and started anew
    look();
}

LanguageController::Kind LanguageController::kindOf(const QString &languageId) {
    return languageId == QLatin1String("python") ? Python : Clangd;
}

void LanguageController::look() {
    const int number = m_jobs.next();
    if (!m_bench.workspace() || !m_toolchain || m_isOff) {
        m_isLooking = false;
        m_found = {};
        m_served.reset();
        for (const Kind kind : {Clangd, Python})
            take(kind, std::nullopt, false);
        m_task.setFile({});
        emit stateChanged();
        return;
    }
    m_task.setFile(
        taskSettingsFile(m_bench.workspace()->folder)); // what changes from here on is looked at again
    m_isLooking = true;
    emit stateChanged();
    struct Answer {
        FoundServers found;
        Workspace workspace;
    };
    inPool(
        this,
        [find = m_find, known = *m_bench.workspace(), folders = m_bench.folders(), toolchain = *m_toolchain,
         isReadOnly = !m_bench.readOnlyReason().isEmpty()] {
            // task.json may be another one by now.
            Result<Workspace> fresh =
                Workspace::open(known.isLoneFile ? known.modelFile : known.folder, folders);
            Workspace workspace = fresh.hasValue() ? std::move(fresh).value() : known;
            FoundServers found = find(workspace, toolchain);
            if (isReadOnly && found.clangd)
                keepNoIndex(*found.clangd);
            return Answer{std::move(found), std::move(workspace)};
        },
        [this, number](Answer &&answer) {
            if (!m_jobs.isStale(number))
                adopt(answer.found, answer.workspace);
        });
}

void LanguageController::adopt(const FoundServers &found, const Workspace &workspace) {
    m_isLooking = false;
    m_found = found;
    const bool isOther = m_served != workspace || m_servedBy != m_toolchain;
    m_served = workspace;
    m_servedBy = m_toolchain;
    take(Clangd, found.clangd, isOther);
    take(Python, found.python, isOther);
    followTexts();
    emit stateChanged();
}

void LanguageController::take(Kind kind, const std::optional<LanguageServerCommand> &command, bool isOther) {
    std::unique_ptr<LanguageServer> &server = m_servers[kind];
    const bool isSame = server && command && server->command() == *command;
    if (isSame && !isOther)
        return;
    if (isSame) {
        server->stop();
        server->start();
        return;
    }
    for (OpenText *text : m_texts)
        if (kindOf(text->languageId()) == kind) {
            text->setServer(nullptr);
            emit diagnosed(text, {});
        }
    if (server)
        server.release()->deleteLater(); // it may be what is telling us something now
    if (!command)
        return;
    server = std::make_unique<LanguageServer>(*command);
    connect(server.get(), &LanguageServer::stateChanged, this, [this, kind, from = server.get()] {
        if (m_servers[kind].get() != from)
            return;
        if (from->state() == LanguageServer::State::Failed || from->state() == LanguageServer::State::Off)
            for (OpenText *text : m_texts)
                if (text->server() == from)
                    emit diagnosed(text, {});
        emit stateChanged();
    });
    connect(server.get(), &LanguageServer::diagnosed, this,
            [this, from = server.get()](const QString &file, const std::vector<LanguageDiagnostic> &said) {
                OpenText *text = textOf(file);
                if (text != nullptr && text->server() == from && !text->isGuest())
                    emit diagnosed(text, said);
            });
    server->start();
    for (OpenText *text : m_texts)
        if (kindOf(text->languageId()) == kind)
            text->setServer(server.get());
}

void LanguageController::followTexts() {
    struct Wanted {
        CodeEditor *editor;
        QString file;
        bool isGuest = false;
    };
    std::map<const QObject *, Wanted> wanted;
    if (m_bench.workspace()) {
        const Workspace &workspace = *m_bench.workspace();
        QStringList files;
        for (const SourceFile &source : workspace.sources)
            files << workspace.pathOf(source);
        if (!workspace.modelNewFile.isEmpty())
            files << workspace.modelNewFile;
        for (const QString &file : std::as_const(files))
            if (CodeEditor *editor = m_candidate.editorOf(file.mid(workspace.folder.size() + 1));
                editor != nullptr)
                wanted[editor] = {editor, file};
        // Beside the reference's tab there may be one of another file; what can be edited is read there.
        const bool showsOpened = m_reference.showsOpened();
        const QString shown = showsOpened ? m_reference.openedFile() : workspace.modelFile;
        if (!files.contains(shown))
            wanted[m_reference.editor()] = {m_reference.editor(), shown, showsOpened};
    }
    for (OpenText *text : std::vector(m_texts)) {
        const auto found = wanted.find(text->editor());
        const bool isWanted = found != wanted.end() && found->second.file == text->file();
        if (isWanted)
            wanted.erase(found);
        else if (!text->isGuest() || found != wanted.end() || !m_bench.workspace())
            remove(text);
    }
    for (const auto &[key, one] : wanted)
        if (const QString language = languageIdOf(one.file);
            !language.isEmpty() && !(one.isGuest && textOf(one.file) != nullptr))
            add(*one.editor, one.file, language, one.isGuest);
}

void LanguageController::followGuest(CodeEditor &editor, const QString &file) {
    if (OpenText *before = textOf(&editor); before != nullptr)
        remove(before);
    if (textOf(file) != nullptr)
        return; // it is open in the candidate as well, where it can be edited
    // Headers of the standard library have no suffix.
    const QString language = QFileInfo(file).suffix().isEmpty() ? QStringLiteral("cpp") : languageIdOf(file);
    if (!language.isEmpty())
        add(editor, file, language, true);
}

void LanguageController::add(CodeEditor &editor, const QString &file, const QString &languageId,
                             bool isGuest) {
    auto *text = new OpenText(editor, file, languageId, isGuest, this);
    m_texts.push_back(text);
    connect(&editor, &QObject::destroyed, text, [this, text] { remove(text); });
    text->setServer(m_servers[kindOf(languageId)].get());
    emit textAdded(text);
}

void LanguageController::remove(OpenText *text) {
    m_texts.erase(std::remove(m_texts.begin(), m_texts.end(), text), m_texts.end());
    text->setServer(nullptr);
    text->disconnect();
    text->deleteLater();
}

OpenText *LanguageController::textOf(const QObject *editor) const {
    const auto found = std::find_if(m_texts.begin(), m_texts.end(),
                                    [editor](const OpenText *text) { return text->editor() == editor; });
    return editor == nullptr || found == m_texts.end() ? nullptr : *found;
}

OpenText *LanguageController::textOf(const QString &file) const {
    const auto found = std::find_if(m_texts.begin(), m_texts.end(),
                                    [&file](const OpenText *text) { return text->file() == file; });
    return found == m_texts.end() ? nullptr : *found;
}

void LanguageController::tellAll() const {
    for (OpenText *text : m_texts)
        (void)text->asked();
}

const LanguageServer *LanguageController::serverOf(const QObject *editor) const {
    const OpenText *text = textOf(editor);
    if (text != nullptr && text->server() != nullptr)
        return text->server();
    return m_servers[Clangd].get();
}

QString LanguageController::stateOf(const QObject *editor) const {
    const LanguageServer *server = serverOf(editor);
    if (server == nullptr)
        return m_found.whyNoClangd.isEmpty() ? QString() : tr("no clangd");
    const QString name = server->command().name;
    switch (server->state()) {
    case LanguageServer::State::Off:
        return {};
    case LanguageServer::State::Starting:
        return tr("%1 starts").arg(name);
    case LanguageServer::State::Ready:
        return server->version().isEmpty() ? name : server->version();
    case LanguageServer::State::Restarting:
        return tr("%1 starts again").arg(name);
    case LanguageServer::State::Failed:
        return server->why().isEmpty() ? tr("%1 ended").arg(name) : server->why();
    }
    return {};
}

bool LanguageController::isTrouble(const QObject *editor) const {
    const LanguageServer *server = serverOf(editor);
    return server != nullptr && server->state() == LanguageServer::State::Failed;
}

QString LanguageController::whyNot(const QObject *editor) const {
    if (!m_bench.workspace())
        return tr("no workspace is open");
    if (m_isOff)
        return tr("the language server is off in the settings");
    const OpenText *text = textOf(editor);
    if (text == nullptr)
        return tr("no language server reads this text");
    if (text->server() == nullptr) {
        if (m_isLooking || !m_toolchain)
            return tr("the language server is being looked for");
        return kindOf(text->languageId()) == Python ? tr("no language server for Python was found")
               : m_found.whyNoClangd.isEmpty()      ? tr("no clangd was found")
                                                    : m_found.whyNoClangd;
    }
    return text->server()->state() == LanguageServer::State::Ready ? QString() : stateOf(editor);
}

QString LanguageController::foundText(bool *isGood) const {
    *isGood = true;
    if (m_isOff || !m_bench.workspace() || m_isLooking || !m_toolchain)
        return {};
    *isGood = m_found.clangd.has_value();
    QStringList parts{m_found.clangd ? m_found.clangd->program : m_found.whyNoClangd};
    parts << (m_found.python ? tr("for Python: %1").arg(m_found.python->program)
                             : tr("none for Python (basedpyright, pyright or pylsp)"));
    return parts.join(QLatin1Char('\n'));
}

} // namespace warpwright
