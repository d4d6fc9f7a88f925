// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/language_server.h"

#include "toolchain/language/far_names.h"
#include "toolchain/language/language_json.h"
#include "toolchain/language/language_process.h"
#include "toolchain/process/in_pool.h"

#include <QSet>

namespace warpwright {
namespace {

constexpr std::size_t manyEntries = 20; // turned into values in the pool

/// How many entries an answer has, as far as it matters for where it is read.
std::size_t entriesIn(const Json &json) {
    if (json.is_object())
        if (const auto items = json.find("items"); items != json.end())
            return items->size();
    return json.size();
}

} // namespace

class LanguageServer::Private {
public:
    Private(LanguageServer *server, LanguageServerCommand given)
        : q(server), process(std::move(given), server) {}

    /// Asks, and tells the answer unless it became stale; `read` makes the value of the JSON (of values, in
    /// any thread).
    template <typename T, typename Read>
    void ask(const char *method, const char *capability, const QString &file, Json params, Read read,
             LanguageAnswer<T> then) {
        params["textDocument"] = Json{{"uri", uriOf(file)}};
        process.ask({QString::fromLatin1(method), QString::fromLatin1(capability), file}, params,
                    [this, read, then](int asked, Json &&result, const QString &problem) {
                        if (!problem.isEmpty())
                            then(T(), problem);
                        else if (entriesIn(result) < manyEntries)
                            then(read(result), QString());
                        else
                            inPool(
                                q,
                                [read, kept = std::make_shared<const Json>(std::move(result))] {
                                    return read(*kept);
                                },
                                [this, asked, then](const T &value) {
                                    if (process.isCurrent(asked))
                                        then(value, QString());
                                });
                    });
    }

    [[nodiscard]] std::optional<TextRange> nameAtPlace(const QString &file, TextPlace at) const {
        return nameAt(process.textOf(file), at);
    }
    [[nodiscard]] QString words(const QString &name) const { return process.words().markdownOf(name); }

    LanguageServer *q;
    LanguageProcess process;
};

LanguageServer::LanguageServer(LanguageServerCommand command, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(command))) {
    connect(&d->process, &LanguageProcess::stateChanged, this, [this] { emit stateChanged(state()); });
    connect(&d->process, &LanguageProcess::diagnosed, this, &LanguageServer::diagnosed);
}

LanguageServer::~LanguageServer() = default;

void LanguageServer::start() {
    d->process.start();
}

void LanguageServer::stop() {
    d->process.stop();
}

LanguageServer::State LanguageServer::state() const {
    return d->process.state();
}

QString LanguageServer::version() const {
    return d->process.version();
}

QString LanguageServer::why() const {
    return d->process.why();
}

const LanguageServerCommand &LanguageServer::command() const {
    return d->process.command();
}

QStringList LanguageServer::completionTriggers() const {
    return d->process.triggersOf("completionProvider");
}

QStringList LanguageServer::signatureTriggers() const {
    return d->process.triggersOf("signatureHelpProvider");
}

qint64 LanguageServer::processId() const {
    return d->process.processId();
}

void LanguageServer::openDocument(const QString &file, const QString &languageId, const QString &text) {
    d->process.openDocument(file, languageId, text);
}

void LanguageServer::changeDocument(const QString &file, const QString &text) {
    d->process.changeDocument(file, text);
}

void LanguageServer::saveDocument(const QString &file) {
    d->process.saveDocument(file);
}

void LanguageServer::closeDocument(const QString &file) {
    d->process.closeDocument(file);
}

bool LanguageServer::isOpen(const QString &file) const {
    return d->process.isOpen(file);
}

bool LanguageServer::isAsked() const {
    return d->process.isAsked();
}

void LanguageServer::complete(const QString &file, TextPlace at, const QString &trigger,
                              LanguageAnswer<Completion> then) {
    Json params{{"position", placeToJson(at)}, {"context", {{"triggerKind", trigger.isEmpty() ? 1 : 2}}}};
    if (!trigger.isEmpty())
        params["context"]["triggerCharacter"] = toJson(trigger);
    const auto name = d->nameAtPlace(file, at);
    const TextRange typed{name ? std::min(name->from, at) : at, at};
    const TextPlace behind = name ? name->to : at;
    const bool isCall =
        textIn(d->process.textOf(file), {behind, {behind.line, behind.column + 1}}) == QLatin1String("(");
    const QString prefix = textIn(d->process.textOf(file), typed);
    const bool isHidden = prefix.startsWith(QLatin1String("__")) && d->process.isCuda(file);
    const auto read = [typed, isCall, prefix, isHidden, words = d->process.words(),
                       text = d->process.textOf(file)](const Json &json) {
        Completion completion = completionFrom(json, typed, isCall);
        QSet<QString> labels;
        for (CompletionItem &item : completion.items) {
            labels.insert(item.label);
            if (item.documentation.isEmpty())
                if (const CudaWord *word = words.find(item.label))
                    item.documentation = word->text;
        }
        // clang does not offer names of system headers that begin with two underscores: CUDA's intrinsics.
        if (isHidden)
            for (CompletionItem &item : words.completionsOf(prefix, typed, isCall))
                if (!labels.contains(item.label))
                    completion.items.push_back(std::move(item));
        markFarNames(completion, text);
        return completion;
    };
    d->ask<Completion>("textDocument/completion", "completionProvider", file, params, read, std::move(then));
}

void LanguageServer::hover(const QString &file, TextPlace at, LanguageAnswer<std::optional<HoverText>> then) {
    const auto name = d->nameAtPlace(file, at);
    const QString said = name ? d->words(textIn(d->process.textOf(file), *name)) : QString();
    const auto read = [name, said](const Json &json) {
        auto hover = hoverFrom(json);
        if (said.isEmpty())
            return hover;
        if (!hover)
            return std::optional<HoverText>({said, name});
        hover->markdown += QStringLiteral("\n\n---\n\n") + said;
        return hover;
    };
    d->ask<std::optional<HoverText>>("textDocument/hover", "hoverProvider", file,
                                     Json{{"position", placeToJson(at)}}, read, std::move(then));
}

void LanguageServer::signatureHelp(const QString &file, TextPlace at, LanguageAnswer<SignatureHelp> then) {
    const auto read = [words = d->process.words()](const Json &json) {
        SignatureHelp help = signatureHelpFrom(json);
        for (SignatureText &signature : help.signatures)
            if (signature.documentation.isEmpty())
                if (const CudaWord *word = words.find(signature.label.section(QLatin1Char('('), 0, 0)))
                    signature.documentation = word->text;
        return help;
    };
    d->ask<SignatureHelp>("textDocument/signatureHelp", "signatureHelpProvider", file,
                          Json{{"position", placeToJson(at)}}, read, std::move(then));
}

void LanguageServer::definition(const QString &file, TextPlace at,
                                LanguageAnswer<std::vector<SourcePlace>> then) {
    d->ask<std::vector<SourcePlace>>("textDocument/definition", "definitionProvider", file,
                                     Json{{"position", placeToJson(at)}}, placesFrom, std::move(then));
}

void LanguageServer::references(const QString &file, TextPlace at,
                                LanguageAnswer<std::vector<SourcePlace>> then) {
    const Json params{{"position", placeToJson(at)}, {"context", {{"includeDeclaration", true}}}};
    d->ask<std::vector<SourcePlace>>("textDocument/references", "referencesProvider", file, params,
                                     placesFrom, std::move(then));
}

void LanguageServer::prepareRename(const QString &file, TextPlace at,
                                   LanguageAnswer<std::optional<TextRange>> then) {
    const auto read = [name = d->nameAtPlace(file, at)](const Json &json) {
        return renameRangeFrom(json, name);
    };
    d->ask<std::optional<TextRange>>("textDocument/prepareRename", "renameProvider", file,
                                     Json{{"position", placeToJson(at)}}, read, std::move(then));
}

void LanguageServer::rename(const QString &file, TextPlace at, const QString &newName,
                            LanguageAnswer<std::vector<FileReplacements>> then) {
    const Json params{{"position", placeToJson(at)}, {"newName", toJson(newName)}};
    d->ask<std::vector<FileReplacements>>("textDocument/rename", "renameProvider", file, params,
                                          replacementsFrom, std::move(then));
}

void LanguageServer::format(const QString &file, std::optional<TextRange> only,
                            LanguageAnswer<std::vector<TextReplacement>> then) {
    Json params{{"options", {{"tabSize", 4}, {"insertSpaces", true}}}};
    if (only)
        params["range"] = rangeToJson(*only);
    d->ask<std::vector<TextReplacement>>(only ? "textDocument/rangeFormatting" : "textDocument/formatting",
                                         only ? "documentRangeFormattingProvider"
                                              : "documentFormattingProvider",
                                         file, params, editsFrom, std::move(then));
}

void LanguageServer::symbols(const QString &file, LanguageAnswer<std::vector<DocumentSymbol>> then) {
    d->ask<std::vector<DocumentSymbol>>("textDocument/documentSymbol", "documentSymbolProvider", file,
                                        Json::object(), symbolsFrom, std::move(then));
}

} // namespace warpwright
