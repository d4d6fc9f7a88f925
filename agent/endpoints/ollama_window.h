// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QObject>

#include <optional>

class QNetworkReply;

namespace warpwright {

/// A local server that speaks Chat Completions at /v1: it may be Ollama, whatever its port is.
[[nodiscard]] bool mayBeOllama(const ModelProfile &profile);
/// Out of the answer of /api/ps; empty: the model is not loaded there, or nothing is said of its window.
[[nodiscard]] std::optional<qint64> ollamaWindowIn(const QByteArray &body, const QString &model);
/// For people, a sentence: the window is smaller than the profile says, and what to do.
[[nodiscard]] QString smallOllamaWords(const ModelProfile &profile, qint64 window);

/// Asks an Ollama server with how large a window it has loaded a model: its /v1 does not say it, and cuts
/// what is longer without a word. The model has to be loaded, as it is for some minutes after an answer.
class OllamaWindow : public QObject {
    Q_OBJECT
public:
    explicit OllamaWindow(ModelProfile profile, QObject *parent = nullptr);

    /// Once; ends in one finished(), within seconds.
    void start();

signals:
    /// Tokens; empty: it is no Ollama, or does not say.
    void finished(const std::optional<qint64> &tokens);

private:
    void read(QNetworkReply &reply);

    const ModelProfile m_profile;
};

} // namespace warpwright
