// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/found.h"
#include "app/ide/workbench/job.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// Looks for words in many texts, one after the other, in the pool. Tells hits as they come. stop() and a new
/// start() end it at once: nothing more is heard of what was begun before. Every start() ends in one
/// finished(), unless the next one has come before.
class TextHunt : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~TextHunt() override;

    struct Ending {
        bool isCut = false;     ///< there are more than mostHits
        bool isStopped = false; ///< by stop()
        std::size_t texts = 0;  ///< that were looked through
    };

    void start(std::vector<SearchedText> texts, const Question &question);
    void stop();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

signals:
    void found(const std::vector<warpwright::FoundHit> &hits);
    void finished(const warpwright::TextHunt::Ending &ending);

private:
    void end(const Ending &ending);

    JobNumber m_jobs;
    std::shared_ptr<std::atomic_bool> m_stops;
    bool m_isRunning = false;
};

} // namespace warpwright
