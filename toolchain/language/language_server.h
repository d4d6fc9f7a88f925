// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_server_command.h"
#include "toolchain/language/language_values.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

namespace warpwright {

/// An answer, or why there is none. A request that became stale (its file was changed or closed meanwhile,
/// another of its kind was asked) is not answered at all.
template <typename T>
using LanguageAnswer = std::function<void(const T &value, const QString &problem)>;

/// One process that speaks the Language Server Protocol 3.17 over its standard streams, and the documents
/// that are open in it. Knows nothing of editors.
///
/// Guarantees: nothing here blocks (writes are queued, answers are parsed in the pool where they are long); a
/// process that dies is started again with the same documents and their newest texts (after 0.25 s, doubled
/// up to 8 s; five deaths within a minute, or ten within ten, end it, and stateChanged() says why); what was
/// asked meanwhile is answered with a problem. Texts live here, so nothing is lost with the process.
class LanguageServer : public QObject {
    Q_OBJECT
public:
    using State = LanguageServerState;

    explicit LanguageServer(LanguageServerCommand command, QObject *parent = nullptr);
    /// Ends the process: asked first, killed after a second, without waiting here.
    ~LanguageServer() override;

    void start();
    /// Off; the documents are kept, and start() opens them anew.
    void stop();
    [[nodiscard]] State state() const;
    /// "clangd 22.1.1"; empty until it is Ready.
    [[nodiscard]] QString version() const;
    /// Of Failed, Restarting and Starting: a sentence for people.
    [[nodiscard]] QString why() const;
    [[nodiscard]] const LanguageServerCommand &command() const;
    /// Single characters after which completion is asked, and signature help.
    [[nodiscard]] QStringList completionTriggers() const;
    [[nodiscard]] QStringList signatureTriggers() const;
    /// -1: no process runs.
    [[nodiscard]] qint64 processId() const;

    /// `file` is absolute; `languageId` "cuda-cpp", "cpp" or "python". Opening an open file is a change.
    void openDocument(const QString &file, const QString &languageId, const QString &text);
    void changeDocument(const QString &file, const QString &text);
    void saveDocument(const QString &file);
    void closeDocument(const QString &file);
    [[nodiscard]] bool isOpen(const QString &file) const;

    /// Something that is still awaited.
    [[nodiscard]] bool isAsked() const;
    /// `trigger`: the character that asked, empty: a key or a letter of a name.
    void complete(const QString &file, TextPlace at, const QString &trigger, LanguageAnswer<Completion> then);
    void hover(const QString &file, TextPlace at, LanguageAnswer<std::optional<HoverText>> then);
    void signatureHelp(const QString &file, TextPlace at, LanguageAnswer<SignatureHelp> then);
    void definition(const QString &file, TextPlace at, LanguageAnswer<std::vector<SourcePlace>> then);
    void references(const QString &file, TextPlace at, LanguageAnswer<std::vector<SourcePlace>> then);
    /// Where a rename would begin: the name's range; none: nothing here has a name that can be changed.
    void prepareRename(const QString &file, TextPlace at, LanguageAnswer<std::optional<TextRange>> then);
    void rename(const QString &file, TextPlace at, const QString &newName,
                LanguageAnswer<std::vector<FileReplacements>> then);
    /// `only`: these lines; none: the whole file.
    void format(const QString &file, std::optional<TextRange> only,
                LanguageAnswer<std::vector<TextReplacement>> then);
    void symbols(const QString &file, LanguageAnswer<std::vector<DocumentSymbol>> then);

signals:
    void stateChanged(warpwright::LanguageServerState state);
    /// Takes the place of all earlier ones of this file; of the text that changeDocument() was last told of
    /// (older ones are dropped).
    void diagnosed(const QString &file, const std::vector<warpwright::LanguageDiagnostic> &diagnostics);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace warpwright
