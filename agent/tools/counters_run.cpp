// SPDX-License-Identifier: GPL-3.0-or-later
// counters, timeline: what is kept of the work folder's text, else measured through the one queue.
#include "agent/tools/counters_answer.h"
#include "agent/tools/file_tools.h"
#include "agent/tools/tool_arguments.h"
#include "agent/tools/tool_run.h"
#include "toolchain/base/evaluation_message.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/in_pool.h"
#include "toolchain/timeline/timeline_store.h"

namespace warpwright {
namespace {

/// Counters of the set that was asked for, or of more. Sections that a person chose may hold anything.
bool holdsSet(const Counters &counters, const QString &set) {
    return counters.set == set || counters.set == QLatin1String("full");
}

class CountersRun : public ToolRun {
public:
    CountersRun(ToolContext &context, QString name, const Json &arguments)
        : ToolRun(context),
          m_name(std::move(name)),
          m_set(stringIn(arguments, "set", QStringLiteral("basic"))),
          m_isAnew(boolArgument(arguments, "anew")) {
        m_question.kernel = stringIn(arguments, "kernel");
        m_question.against = intArgument(arguments, "against", 0);
    }
    ~CountersRun() override { CountersRun::stop(); }

    void start() override {
        withTexts([this](const CandidateTexts &texts) {
            m_texts = texts;
            isTimeline() ? lookForTimeline() : lookForCounters();
        });
    }

    void stop() override {
        if (const int number = std::exchange(m_number, 0); number != 0) {
            m_context.measurer->disconnect(this);
            m_context.measurer->cancel(number);
        }
    }

private:
    [[nodiscard]] bool isTimeline() const { return m_name == QLatin1String("timeline"); }
    [[nodiscard]] QString state() const { return m_context.place.workspace.state; }

    void lookForTimeline() {
        if (m_isAnew)
            return measure();
        inPool(
            this,
            [state = state(), texts = m_texts] { return TimelineStore(state).latestOf(textHashOf(texts)); },
            [this](const std::optional<Timeline> &kept) {
                if (!kept)
                    return measure();
                tell([timeline = *kept] { return timelineAnswer(timeline, true); });
            });
    }

    void lookForCounters() {
        inPool(
            this,
            [state = state(), texts = m_texts] {
                std::optional<Counters> found = CounterStore(state).latestOf(textHashOf(texts));
                return found ? makeShared(std::move(*found)) : SharedCounters();
            },
            [this](const SharedCounters &kept) {
                const bool hasIt = kept && hasKernel(*kept, m_question.kernel);
                // What a call launches after its first kernels is counted when it is asked for by name.
                if (kept && !hasIt && !kept->isWholeCall)
                    m_onlyKernel = m_question.kernel;
                if (!m_isAnew && kept && holdsSet(*kept, m_set) && (hasIt || kept->isWholeCall)) {
                    m_question.isKept = true;
                    return tellCounters(kept);
                }
                measure();
            });
    }

    void measure() {
        Measurement measurement;
        measurement.texts = m_texts;
        measurement.lastStage = LastStage::Verify;
        measurement.traces = isTimeline();
        if (!measurement.traces) {
            CollectRequest asked;
            asked.set = m_set;
            asked.kernel = m_onlyKernel;
            measurement.collect = asked;
        }
        Measurer *measurer = m_context.measurer;
        connect(measurer, &Measurer::progress, this, [this](int number, const StageProgress &now) {
            if (number == m_number)
                emit progress(QStringLiteral("%1: %2").arg(now.stage, now.step), now.index, now.count);
        });
        connect(measurer, &Measurer::collected, this, [this](int number, const SharedCounters &counters) {
            if (number == m_number)
                m_counters = counters;
        });
        connect(measurer, &Measurer::traced, this, [this](int number, const Timeline &timeline) {
            if (number == m_number)
                m_timeline = timeline;
        });
        connect(measurer, &Measurer::measured, this, &CountersRun::take);
        m_number = measurer->measure(measurement);
        emit progress(QStringLiteral("%1: waits for its turn").arg(m_name), 0, 0);
    }

    void take(int number, const Evaluation &evaluation, const QString &log) {
        if (number != m_number || m_number == 0)
            return;
        m_number = 0;
        m_context.measurer->disconnect(this);
        if (m_counters)
            return tellCounters(m_counters);
        if (m_timeline)
            return tell([timeline = *m_timeline] { return timelineAnswer(timeline, false); });
        if (evaluation.verdict == Verdict::Cancelled)
            return emit ended({ToolAnswer::Outcome::Cancelled, plainText(evaluation.message), Json()});
        if (!isTimeline() && stringIn(evaluation.device, "kind") == QLatin1String("cpu"))
            return emit ended(failedAnswer(QStringLiteral(
                "Nothing was counted: Nsight Compute counts what a GPU does, and this run measures on the "
                "CPU. What is missing: an NVIDIA GPU with its driver, Nsight Compute and a torch with CUDA. "
                "findings and inspect need none of them.")));
        QString why = plainText(evaluation.message);
        why.remove(m_context.place.workspace.folder + QLatin1Char('/'));
        if (evaluation.compile.status == StageStatus::Failed)
            why += QStringLiteral(" compile shows what the compilers say.");
        if (why.isEmpty())
            why = QStringLiteral("Nothing was measured. %1").arg(log.left(2000));
        emit ended(failedAnswer(why));
    }

    void tellCounters(const SharedCounters &counters) {
        tell([counters, question = m_question, texts = m_texts, state = state()]() mutable {
            if (question.against > 0) {
                const Result<CandidateTexts> earlier = IterationStore(state).texts(question.against);
                if (!earlier.hasValue())
                    return failedAnswer(earlier.message());
                question.before = CounterStore(state).latestOf(textHashOf(earlier.value()));
            }
            return countersAnswer(*counters, question, texts);
        });
    }

    template <typename Words>
    void tell(Words words) {
        inPool(this, std::move(words), [this](const ToolAnswer &answer) { emit ended(answer); });
    }

    QString m_name;
    QString m_set;
    bool m_isAnew;
    CountersQuestion m_question;
    QString m_onlyKernel; ///< that is counted; empty: the whole call
    CandidateTexts m_texts;
    SharedCounters m_counters;
    std::optional<Timeline> m_timeline;
    int m_number = 0; // of what is being measured; 0: nothing
};

} // namespace

MadeRun makeCountersRun(ToolContext &context, const QString &name, const Json &arguments) {
    return std::make_unique<CountersRun>(context, name, arguments);
}

} // namespace warpwright
