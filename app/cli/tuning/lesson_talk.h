// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/lessons/lesson_story.h"
#include "agent/session/recorder.h"
#include "toolchain/base/ink.h"
#include "toolchain/workspace/lessons.h"

#include <functional>
#include <memory>

namespace warpwright {

/// What a terminal tells of a lesson besides its proposals: the goal before the first, where one is, what
/// each step taught, and at the end what was predicted and measured. Reads what is recorded, and hands it on.
class LessonTalk : public Recorder {
public:
    struct Places {
        QString workspace; ///< its folder
        QString state;     ///< and its state's
        QString resources;
        Terminal terminal;
        int words = 1; ///< the descriptor that is written to
    };
    /// Null: `source` is no lesson of this workspace. `continues`: the newest run of it goes on.
    [[nodiscard]] static std::unique_ptr<LessonTalk> of(const Places &places, const QString &source,
                                                        bool continues, Recorder &kept);

    [[nodiscard]] Result<void> append(const QString &kind, const Json &body) override;
    /// Whether the agent's message is one of a lesson's; then it is written.
    void hear(const AgentMessage &message);
    /// Before anything is written: what takes a progress away that stands in the line.
    void setBeforeWords(std::function<void()> clear) { m_clear = std::move(clear); }
    void begin() const;
    /// A row a step: predicted, measured, what was decided.
    void end() const;

private:
    LessonTalk(Places places, Lesson lesson, LessonStory story, Recorder &kept);
    void tell(const QString &text) const;

    Places m_places;
    Lesson m_lesson;
    LessonStory m_story;
    Recorder &m_kept;
    std::function<void()> m_clear;
};

} // namespace warpwright
