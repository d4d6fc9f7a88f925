// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `restore`: the candidate, or one file of it, as it was.
#include "agent/tools/tool_run.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {
namespace {

struct Wanted {
    QString path;      ///< empty: the whole candidate
    int iteration = 0; ///< 0: the text that the caller began with
};

QString sourceText(int iteration) {
    return iteration == 0 ? QStringLiteral("the text you began with")
                          : QStringLiteral("iteration %1").arg(iteration);
}

/// Files of the candidate that differ between two texts.
QStringList differing(const CandidateTexts &one, const CandidateTexts &other) {
    QStringList paths;
    for (const auto *texts : {&one, &other})
        for (const auto &[path, text] : *texts) {
            const auto here = one.find(path);
            const auto there = other.find(path);
            const bool isSame = here != one.end() && there != other.end() && here->second == there->second;
            if (isCandidatePath(path) && !isSame && !paths.contains(path))
                paths << path;
        }
    return paths;
}

ToolAnswer restoreAnswer(const WorkFolder &work, const CandidateTexts &wanted, const Wanted &what) {
    const Result<CandidateTexts> now = work.texts();
    if (!now.hasValue())
        return failedAnswer(now.message());
    CandidateTexts texts = wanted;
    if (!what.path.isEmpty()) {
        if (const QString why = work.whyNotWritable(what.path); !why.isEmpty())
            return deniedAnswer(why);
        const auto there = wanted.find(what.path);
        if (there == wanted.end() && now.value().count(what.path) == 0)
            return failedAnswer(QStringLiteral("Cannot restore \"%1\": it is neither in %2 nor in the work "
                                               "folder.")
                                    .arg(what.path.left(200), sourceText(what.iteration)));
        texts = now.value();
        texts.erase(what.path);
        if (there != wanted.end())
            texts[what.path] = there->second;
    }
    const QStringList changed = differing(now.value(), texts);
    if (const Result<void> put = work.putCandidate(texts); !put.hasValue())
        return failedAnswer(put.message());
    return {ToolAnswer::Outcome::Ok,
            changed.isEmpty() ? QStringLiteral("Nothing differed from %1.").arg(sourceText(what.iteration))
                              : QStringLiteral("As in %1 again: %2.")
                                    .arg(sourceText(what.iteration), changed.join(QStringLiteral(", "))),
            Json()};
}

class RestoreRun : public ToolRun {
public:
    RestoreRun(ToolContext &context, const Json &arguments)
        : ToolRun(context), m_wanted{stringIn(arguments, "path"), arguments.value("iteration", 0)} {}

    void start() override {
        inPool(
            this,
            [work = m_context.work, wanted = m_wanted, begun = m_context.request.texts,
             state = m_context.place.workspace.state] {
                if (wanted.iteration == 0)
                    return restoreAnswer(work, begun, wanted);
                const Result<CandidateTexts> texts = IterationStore(state).texts(wanted.iteration);
                return texts.hasValue() ? restoreAnswer(work, texts.value(), wanted)
                                        : failedAnswer(texts.message());
            },
            [this](const ToolAnswer &answer) { emit ended(answer); });
    }

private:
    Wanted m_wanted;
};

} // namespace

MadeRun makeRestoreRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<RestoreRun>(context, arguments);
}

} // namespace warpwright
