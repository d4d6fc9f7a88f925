// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/workspace_tools.h"

#include "toolchain/history/iteration_store.h"
#include "toolchain/process/in_pool.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

namespace warpwright {
namespace {

constexpr int deepest = 4;
constexpr int mostListed = 200;
constexpr int mostLooked = 20'000;

Json workspaceProperty() {
    return Json{{"type", "string"},
                {"description",
                 "The workspace, a folder below the root, as list_workspaces names it. May be left out "
                 "where the root is itself a workspace."}};
}

/// What a client's own list is for is left out; each other tool says which workspace it is for.
std::vector<ToolSpec> specsWithWorkspace() {
    const auto ofOurs = [](const char *name, const char *title, const char *description, Json properties) {
        ToolSpec spec;
        spec.name = QLatin1String(name);
        spec.title = QLatin1String(title);
        spec.description = QLatin1String(description);
        spec.parameters = {
            {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
        return spec;
    };
    std::vector<ToolSpec> specs{ofOurs("list_workspaces", "List workspaces",
                                       "Lists the workspaces below the root: folders with a model.py, the "
                                       "PyTorch reference, and a candidate, "
                                       "model_new.py and kernels/, that is to be faster.",
                                       Json::object()),
                                ofOurs("open_workspace", "Open a workspace",
                                       "Lays your own copy of a workspace out anew, with its text as it is "
                                       "now; what you had changed in the "
                                       "copy and not submitted is lost. Gives its files and the iterations "
                                       "so far. Every other tool opens a "
                                       "workspace by itself when it is first used.",
                                       Json{{"workspace", workspaceProperty()}})};
    specs.back().isReadOnly = false;
    specs.back().isDestructive = true;
    for (ToolSpec spec : Toolbox::specs()) {
        if (spec.name == QLatin1String("todo"))
            continue;
        if (spec.name == QLatin1String("submit"))
            spec.description =
                QStringLiteral("Measures your copy's candidate as profile does (not again what was "
                               "just profiled), and where it is right writes it into the "
                               "workspace as its next iteration, and into its files. Refused "
                               "while a person has the workspace open, and where its text has "
                               "changed since your copy was made.");
        spec.parameters["properties"]["workspace"] = workspaceProperty();
        specs.push_back(std::move(spec));
    }
    return specs;
}

void look(const QDir &folder, const QString &name, int depth, int &looked, QStringList &found) {
    if (++looked > mostLooked || found.size() >= mostListed)
        return;
    if (folder.exists(QStringLiteral("model.py"))) {
        found << (name.isEmpty() ? QStringLiteral(".") : name);
        return;
    }
    if (depth == deepest)
        return;
    for (const QString &below :
         folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name))
        look(QDir(folder.filePath(below)), name.isEmpty() ? below : name + QLatin1Char('/') + below,
             depth + 1, looked, found);
}

ToolAnswer listed(const QString &root, const DataFolders &folders) {
    QStringList found;
    int looked = 0;
    look(QDir(root), {}, 0, looked, found);
    QStringList lines;
    Json list = Json::array();
    for (const QString &name : found) {
        const Result<Workspace> workspace = Workspace::open(root + QLatin1Char('/') + name, folders);
        if (!workspace.hasValue())
            continue;
        const int iteration = IterationStore(workspace.value().state).current();
        lines << QStringLiteral("- %1, %2")
                     .arg(name, iteration == 0 ? QStringLiteral("no iterations yet")
                                               : QStringLiteral("iteration %1").arg(iteration));
        list.push_back({{"workspace", toJson(name)}, {"iteration", iteration}});
    }
    if (lines.isEmpty())
        lines << QStringLiteral(
                     "There is no workspace below \"%1\": no folder with a model.py. A person makes one with "
                     "wright new.")
                     .arg(root);
    return {ToolAnswer::Outcome::Ok, lines.join(QLatin1Char('\n')),
            Json{{"root", toJson(root)}, {"workspaces", list}}};
}

/// The workspace of this name; not what a link below the root leads to elsewhere.
Result<Workspace> workspaceBelow(const QString &root, const QString &name, const DataFolders &folders) {
    using Answer = Result<Workspace>;
    const QString path = QFileInfo(QDir(root).absoluteFilePath(name)).canonicalFilePath();
    const bool isBelow = path == root || path.startsWith(root + QLatin1Char('/'));
    if (path.isEmpty() || !isBelow || !QFileInfo(path).isDir())
        return Answer::error(
            QStringLiteral("\"%1\" is no folder below \"%2\". Call list_workspaces.").arg(name, root));
    if (!QFileInfo::exists(path + QStringLiteral("/model.py")))
        return Answer::error(
            name == QLatin1String(".")
                ? QStringLiteral("Say which workspace: \"%1\" is none itself. Call list_workspaces.")
                      .arg(root)
                : QStringLiteral("\"%1\" is no workspace: it has no model.py. Call list_workspaces.")
                      .arg(name));
    return Workspace::open(path, folders);
}

} // namespace

WorkspaceTools::WorkspaceTools(QString root, EvaluationRequest request, QObject *parent)
    : McpTools(parent), m_root(std::move(root)), m_request(std::move(request)) {}

WorkspaceTools::~WorkspaceTools() = default;

const std::vector<ToolSpec> &WorkspaceTools::specs() const {
    static const std::vector<ToolSpec> all = specsWithWorkspace();
    return all;
}

QString WorkspaceTools::instructions() const {
    return QStringLiteral("Tools that make GPU kernels right and fast. A workspace is a folder with model.py "
                          "(the PyTorch "
                          "reference, to read only) and a candidate: model_new.py and kernels/. The tools "
                          "work in a copy of it that "
                          "is yours: read, write and edit change the copy; compile, verify and profile judge "
                          "it; submit writes it "
                          "into the workspace as an iteration, unless a person has it open. Begin with "
                          "list_workspaces under \"%1\", "
                          "then open_workspace. compile and profile may take minutes: raise your client's "
                          "limit for tools, and ask "
                          "for progress.")
        .arg(m_root);
}

void WorkspaceTools::answerLater(const QString &id, const ToolAnswer &answer) {
    QTimer::singleShot(0, this, [this, id, answer] {
        if (m_calls.erase(id) > 0)
            emit ended(id, answer);
    });
}

void WorkspaceTools::call(const QString &id, const QString &name, const Json &arguments,
                          const QString &client) {
    m_calls[id] = {};
    if (name == QLatin1String("list_workspaces"))
        return listWorkspaces(id);
    if (const auto given = arguments.find("workspace"); given != arguments.end() && !given->is_string())
        return answerLater(
            id, {ToolAnswer::Outcome::Failed, QStringLiteral("\"workspace\" has to be a text."), Json()});
    const QString wanted = stringIn(arguments, "workspace", QStringLiteral("."));
    Json rest = arguments;
    rest.erase("workspace");
    inPool(
        this,
        [root = m_root, wanted, folders = m_request.folders] {
            return workspaceBelow(root, wanted, folders);
        },
        [this, id, name, rest, client](const Result<Workspace> &workspace) {
            callIn(id, workspace, name, rest, client);
        });
}

void WorkspaceTools::listWorkspaces(const QString &id) {
    inPool(
        this, [root = m_root, folders = m_request.folders] { return listed(root, folders); },
        [this, id](const ToolAnswer &answer) { answerLater(id, answer); });
}

void WorkspaceTools::callIn(const QString &id, const Result<Workspace> &workspace, const QString &name,
                            const Json &arguments, const QString &client) {
    if (m_calls.count(id) == 0) // it was cancelled
        return;
    if (!workspace.hasValue())
        return answerLater(id, {ToolAnswer::Outcome::Failed, workspace.message(), Json()});
    const QString folder = workspace.value().folder;
    std::unique_ptr<ServedWorkspace> &served = m_served[folder];
    if (!served) {
        served = std::make_unique<ServedWorkspace>(workspace.value(), m_request);
        connect(served.get(), &ServedWorkspace::progress, this, &WorkspaceTools::progress);
        connect(served.get(), &ServedWorkspace::ended, this,
                [this](const QString &ofCall, const ToolAnswer &answer) {
                    if (m_calls.erase(ofCall) > 0)
                        emit ended(ofCall, answer);
                });
    }
    m_calls[id] = folder;
    served->call(id, name, arguments, client);
}

void WorkspaceTools::cancel(const QString &id) {
    const auto found = m_calls.find(id);
    if (found == m_calls.end())
        return;
    if (const auto served = m_served.find(found->second); served != m_served.end())
        return served->second->cancel(id);
    // Its workspace is being looked for: it is not called there any more.
    m_calls.erase(found);
    QTimer::singleShot(0, this, [this, id] {
        emit ended(id, {ToolAnswer::Outcome::Cancelled, QStringLiteral("Cancelled."), Json()});
    });
}

} // namespace warpwright
