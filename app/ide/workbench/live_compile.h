// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/check/evaluation_thread.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/evaluation/evaluation.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace warpwright {

/// What the compilers said of a saved text that was not checked.
struct CompiledText {
    int number = 0; ///< counts the texts, so that a view knows a new one
    QString textHash;
    CompileSection compile;
    OrderedJson environment;
    QString log;
};

/// Compiles the saved text again and again while it is being written, in a thread of its own: diagnostics and
/// resources without a check. A newer text ends the work on an older one; its objects are those that the next
/// check finds. A compiler or a folder that is missing is no news here: a check says so.
class LiveCompile : public QObject {
    Q_OBJECT
public:
    /// `request`: what a check of the text on disk would ask for; asked when the work begins. Empty path:
    /// there is nothing to compile now.
    LiveCompile(std::function<EvaluationRequest()> request, QObject *parent = nullptr);

    /// The text on disk is another now. Several in a row are one.
    void textSaved();
    /// A check has compiled the text, and goes on.
    void take(const Evaluation &soFar, const QString &log);
    /// Another text is shown now, or a check has said more of this one.
    void forget();
    [[nodiscard]] const std::optional<CompiledText> &latest() const { return m_latest; }
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning() || m_soon.isActive(); }

signals:
    void changed();

private:
    void begin();

    std::function<EvaluationRequest()> m_request;
    EvaluationThread m_runner{QStringLiteral("compile")};
    QTimer m_soon;
    QString m_log;
    std::optional<CompiledText> m_latest;
    int m_count = 0;
    bool m_isOutdated = false; ///< what runs is of a text that was replaced
    bool m_isWanted = false;   ///< and the newer one is to follow
};

} // namespace warpwright
