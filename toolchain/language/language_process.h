// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/cuda_words.h"
#include "toolchain/language/language_server_command.h"
#include "toolchain/language/language_values.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/json_rpc.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>

#include <deque>
#include <map>

namespace warpwright {

/// What is asked of a server, to tell whether an answer is stale. A later one of the same method takes its
/// place; files are laid out beside each other.
struct LanguageQuestion {
    QString method;
    QString capability; ///< without which the server is not asked
    QString file;

    bool operator==(const LanguageQuestion &) const = default;
};

/// The process behind a LanguageServer, what is open in it and what was asked of it: lives, deaths and the
/// protocol's order. LanguageServer says what is asked.
class LanguageProcess : public QObject {
    Q_OBJECT
public:
    using State = LanguageServerState;
    /// `problem` is empty where there is a result.
    using Answered = std::function<void(int number, Json &&result, const QString &problem)>;

    static constexpr int answerLimitMs = 10000;
    static constexpr int startLimitMs = 30000;
    static constexpr int mostDeaths = 5;
    static constexpr int deathsWithinMs = 60000;
    static constexpr int mostDeathsForLong = 10; ///< one that dies every half a minute is of no use, either
    static constexpr int deathsForLongWithinMs = 600000;

    explicit LanguageProcess(LanguageServerCommand command, QObject *parent = nullptr);
    ~LanguageProcess() override;

    void start();
    void stop();
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const QString &version() const { return m_version; }
    [[nodiscard]] const QString &why() const { return m_why; }
    [[nodiscard]] const LanguageServerCommand &command() const { return m_command; }
    [[nodiscard]] QStringList triggersOf(const char *capability) const;
    [[nodiscard]] qint64 processId() const;
    [[nodiscard]] const CudaWords &words() const { return m_words; }

    void openDocument(const QString &file, const QString &languageId, const QString &text);
    void changeDocument(const QString &file, const QString &text);
    void saveDocument(const QString &file);
    void closeDocument(const QString &file);
    [[nodiscard]] bool isOpen(const QString &file) const { return m_documents.contains(file); }
    [[nodiscard]] bool isCuda(const QString &file) const {
        return m_documents.value(file).languageId == QLatin1String("cuda-cpp");
    }
    [[nodiscard]] QString textOf(const QString &file) const { return m_documents.value(file).text; }

    /// `answered` is called once at most, and never from in here.
    void ask(const LanguageQuestion &question, const Json &params, Answered answered);
    [[nodiscard]] bool isAsked() const { return !m_asked.empty(); }
    /// Nothing has happened since it was asked that makes its answer stale. Of an answered one, too.
    [[nodiscard]] bool isCurrent(int number) const { return m_fresh.contains(number); }

signals:
    void stateChanged();
    void diagnosed(const QString &file, const std::vector<warpwright::LanguageDiagnostic> &diagnostics);

private:
    struct Document {
        QString languageId;
        QString text;
        int version = 0;
    };
    struct Asked {
        LanguageQuestion question;
        int wire = -1; ///< its number in the protocol
        qint64 at = 0;
        Answered answered;
    };

    void begin();
    void initialize();
    void ready(const Json &result);
    void take(const QByteArray &bytes);
    void die(const QString &how);
    /// `problem`: the answer to all that is asked; empty: it goes on.
    void setState(State state, const QString &why = {}, const QString &problem = {});
    void removeTemporaryWith(const ChildProcess &process);
    void dropProcess();
    void leaveProcess();
    void forget(const std::function<bool(const LanguageQuestion &)> &isMeant);
    void cancelOnWire(const Asked &asked);
    void lookAtClock();
    void tellOpen(const QString &file);
    void notify(const char *method, const Json &params);
    void heard(const QString &method, const Json &params);
    void requested(const Json &id, const QString &method, const Json &params);
    [[nodiscard]] QString lastWords() const;

    LanguageServerCommand m_command;
    State m_state = State::Off;
    QString m_why;
    QString m_version;
    Json m_capabilities;
    CudaWords m_words;
    ChildProcess *m_process = nullptr;
    JsonRpc *m_rpc = nullptr;
    QByteArray m_errors;
    int m_strays = 0;
    qint64 m_heardBytes = 0; ///< since m_heardSince
    qint64 m_heardSince = 0;
    QHash<QString, Document> m_documents;
    std::map<int, Asked> m_asked;
    QHash<int, LanguageQuestion> m_fresh;
    int m_lastNumber = 0;
    int m_lastVersion = 0;
    QElapsedTimer m_clock;
    std::deque<qint64> m_deaths; ///< within deathsForLongWithinMs
    QString m_temporary;         ///< of the process that runs
    QTimer m_restart;
    QTimer m_startLimit;
    QTimer m_tick;
};

} // namespace warpwright
