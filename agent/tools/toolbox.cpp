// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/toolbox.h"

#include "agent/tools/kept_output.h"
#include "agent/tools/tool_arguments.h"
#include "agent/tools/tool_run.h"
#include "toolchain/base/ink.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <deque>

namespace warpwright {
namespace {

const ToolSpec *specOf(const QString &name) {
    const std::vector<ToolSpec> &specs = Toolbox::specs();
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&name](const ToolSpec &spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

QString unknownTool(const QString &name) {
    QStringList names;
    for (const ToolSpec &spec : Toolbox::specs())
        names << spec.name;
    return QStringLiteral("There is no tool \"%1\". There are %2.")
        .arg(name.left(100), names.join(QStringLiteral(", ")));
}

std::vector<PlanItem> planIn(const Json &arguments) {
    std::vector<PlanItem> items;
    for (const Json &item : arguments["items"])
        items.push_back({stringIn(item, "text"), stringIn(item, "state")});
    return items;
}

/// Of an answer that our caller's window has no room for.
QString askForLess() {
    return QStringLiteral("Ask for less: offset and limit of read, a narrower pattern, head or grep in bash");
}

const ToolAnswer cancelled{ToolAnswer::Outcome::Cancelled, QStringLiteral("Cancelled."), Json()};

/// What is submitted, but for its texts; an error where nothing sensible is promised.
Result<ToolSubmission> submissionIn(const Json &arguments, const AgentRequest &request) {
    using Answer = Result<ToolSubmission>;
    ToolSubmission submission;
    submission.title = printable(stringIn(arguments, "title").simplified());
    submission.reason = printable(stringIn(arguments, "reason").trimmed());
    if (submission.title.isEmpty() || submission.reason.isEmpty())
        return Answer::error(
            QStringLiteral("Cannot submit: \"%1\" is empty. Say what was changed and why it "
                           "should help.")
                .arg(submission.title.isEmpty() ? QStringLiteral("title") : QStringLiteral("reason")));
    Prediction &prediction = submission.prediction;
    if (request.lastEvaluation)
        if (const auto candidate = summaryOf(*request.lastEvaluation).candidate)
            prediction.beforeMicroseconds = candidate->medianMicroseconds;
    for (const char *name : {"predicted_time_ratio", "predicted_us"})
        if (arguments.contains(name) && !(arguments[name].get<double>() > 0))
            return Answer::error(
                QStringLiteral("Cannot submit: \"%1\" has to be above 0.").arg(QLatin1String(name)));
    if (arguments.contains("predicted_time_ratio")) {
        prediction.timeRatio = arguments["predicted_time_ratio"].get<double>();
    } else if (arguments.contains("predicted_us")) {
        const double microseconds = arguments["predicted_us"].get<double>();
        prediction.words = QStringLiteral("%1 µs").arg(microseconds);
        if (prediction.beforeMicroseconds)
            prediction.timeRatio = microseconds / *prediction.beforeMicroseconds;
    }
    if (prediction.timeRatio &&
        !(*prediction.timeRatio >= timeRatioAtLeast && *prediction.timeRatio <= timeRatioAtMost))
        return Answer::error(
            QStringLiteral(
                "Cannot submit: the prediction says %1 of the time. It may be a millionth to a million "
                "times of it.")
                .arg(*prediction.timeRatio));
    return Answer::ok(std::move(submission));
}

struct Called {
    QString id;
    QString name;
    Json arguments;
};

/// `submit`: ends only when the toolbox is told what became of it.
class SubmitRun : public ToolRun {
    Q_OBJECT
public:
    SubmitRun(ToolContext &context, Json arguments) : ToolRun(context), m_arguments(std::move(arguments)) {}

    void start() override {
        withTexts([this](const CandidateTexts &texts) { submit(texts); });
    }
    [[nodiscard]] bool isWaiting() const { return m_isWaiting; }

signals:
    void submitted(const warpwright::ToolSubmission &submission);

private:
    void submit(const CandidateTexts &texts) {
        Result<ToolSubmission> submission = submissionIn(m_arguments, m_context.request);
        if (!submission.hasValue())
            return emit ended(failedAnswer(submission.message()));
        if (texts == m_context.request.texts)
            return emit ended(failedAnswer(
                QStringLiteral("Cannot submit: nothing differs from the text you began with. Change "
                               "model_new.py or files in kernels/ first.")));
        if (texts.count(QStringLiteral("model_new.py")) == 0)
            return emit ended(failedAnswer(QStringLiteral(
                "Cannot submit: there is no model_new.py. Write one with a class ModelNew first.")));
        ToolSubmission whole = std::move(submission).value();
        whole.texts = texts;
        m_isWaiting = true;
        emit submitted(whole);
    }

    Json m_arguments;
    bool m_isWaiting = false;
};

} // namespace

class Toolbox::Inside : public QObject {
public:
    Inside(Toolbox &owner, ToolPlace place, Measurer &measurer)
        : m_owner(owner), m_context{place, &measurer, WorkFolder(place.workspace, place.folder),
                                    {},    {},        {},
                                    {},    nullptr,   0} {}

    ToolContext &context() { return m_context; }

    void call(const Called &called) {
        m_waiting.push_back(called);
        QTimer::singleShot(0, this, [this] { startNext(); });
    }

    void cancel() {
        QStringList ids;
        if (m_run)
            ids << m_runningId;
        for (const Called &called : m_waiting)
            ids << called.id;
        m_waiting.clear();
        if (m_run) {
            m_run->stop();
            release();
            m_runningId.clear();
        }
        QTimer::singleShot(0, this, [this, ids] {
            m_done.clear();
            const QPointer<Inside> alive(this);
            for (const QString &id : ids)
                if (alive)
                    emit m_owner.ended(id, cancelled);
        });
    }

    void answerSubmission(const QString &id, const ToolAnswer &answer) {
        const auto *submit = dynamic_cast<const SubmitRun *>(m_run.get());
        if (submit != nullptr && submit->isWaiting() && id == m_runningId)
            finish(answer);
    }

private:
    void startNext() {
        if (m_run || m_isTelling || m_waiting.empty())
            return;
        const Called called = m_waiting.front();
        m_waiting.pop_front();
        m_runningId = called.id;
        const ToolSpec *spec = specOf(called.name);
        if (spec == nullptr)
            return finish(failedAnswer(unknownTool(called.name)));
        const Json arguments = argumentsAsMeant(spec->parameters, called.arguments);
        if (const QString why = whyBadArguments(called.name, spec->parameters, arguments); !why.isEmpty())
            return finish(failedAnswer(why));
        if (called.name == QLatin1String("todo")) {
            const QPointer<Inside> alive(this);
            emit m_owner.planChanged(planIn(arguments));
            if (alive)
                finish({ToolAnswer::Outcome::Ok, QStringLiteral("Taken."), Json()});
            return;
        }
        m_run = runOf(called.name, arguments);
        connect(
            m_run.get(), &ToolRun::progress, this,
            [this, id = called.id](const QString &text, int index, int count) {
                if (id == m_runningId)
                    emit m_owner.progress(id, text, index, count);
            },
            Qt::QueuedConnection);
        connect(m_run.get(), &ToolRun::ended, this, &Inside::finish);
        m_run->start();
    }

    MadeRun runOf(const QString &name, const Json &arguments) {
        static const QStringList onFiles{QStringLiteral("read"), QStringLiteral("write"),
                                         QStringLiteral("edit"), QStringLiteral("glob"),
                                         QStringLiteral("grep")};
        static const QStringList facts{QStringLiteral("device_facts"), QStringLiteral("history"),
                                       QStringLiteral("skill")};
        if (name == QLatin1String("bash"))
            return makeBashRun(m_context, arguments);
        if (onFiles.contains(name))
            return makeFileRun(m_context, name, arguments);
        if (name == QLatin1String("restore"))
            return makeRestoreRun(m_context, arguments);
        if (name == QLatin1String("inspect"))
            return makeInspectRun(m_context, arguments);
        if (name == QLatin1String("counters") || name == QLatin1String("timeline"))
            return makeCountersRun(m_context, name, arguments);
        if (name == QLatin1String("findings"))
            return makeFindingsRun(m_context, arguments);
        if (name == QLatin1String("expert"))
            return makeExpertRun(m_context, arguments);
        if (facts.contains(name))
            return makeFactsRun(m_context, name, arguments);
        if (name != QLatin1String("submit"))
            return makeMeasureRun(m_context, name);
        auto submit = std::make_unique<SubmitRun>(m_context, arguments);
        connect(
            submit.get(), &SubmitRun::submitted, this,
            [this, id = m_runningId](const ToolSubmission &submission) {
                if (id == m_runningId)
                    emit m_owner.submitted(id, submission);
            },
            Qt::QueuedConnection);
        return submit;
    }

    /// The run may be the one that says so: it goes once its signal has returned.
    void release() {
        m_run->disconnect(this);
        m_done.push_back(std::move(m_run));
    }

    /// Nobody is told from within a run: whoever hears of an end may destroy all of this.
    void finish(const ToolAnswer &answer) {
        if (m_run)
            release();
        m_isTelling = true;
        ToolAnswer told = answer;
        told.text = cutInTheMiddle(told.text, m_context.mostAnswerBytes,
                                   m_context.mostAnswerBytes < mostAnswerBytes ? askForLess() : QString());
        // What was said of how far it is comes before its end.
        QTimer::singleShot(0, this, [this, told] {
            const QString id = std::exchange(m_runningId, {});
            m_isTelling = false;
            m_done.clear();
            QTimer::singleShot(0, this, [this] { startNext(); });
            emit m_owner.ended(id, told);
        });
    }

    Toolbox &m_owner;
    ToolContext m_context;
    std::deque<Called> m_waiting;
    MadeRun m_run;
    std::vector<MadeRun> m_done; ///< that have ended, until their signals have returned
    QString m_runningId;
    bool m_isTelling = false; ///< of an end, in a moment
};

Toolbox::Toolbox(ToolPlace place, Measurer &measurer, QObject *parent)
    : QObject(parent), m_inside(std::make_unique<Inside>(*this, std::move(place), measurer)) {}

Toolbox::~Toolbox() = default;

void Toolbox::setRequest(const AgentRequest &request) {
    m_inside->context().request = request;
}

Result<void> Toolbox::setTexts(const CandidateTexts &texts) {
    ToolContext &context = m_inside->context();
    context.marks.clear();
    return context.work.layOut(texts);
}

Result<CandidateTexts> Toolbox::texts() const {
    return m_inside->context().work.texts();
}

void Toolbox::setMostAnswerBytes(qsizetype bytes) {
    m_inside->context().mostAnswerBytes = std::min(bytes, mostAnswerBytes);
}

void Toolbox::call(const QString &id, const QString &name, const Json &arguments) {
    m_inside->call({id, name, arguments});
}

void Toolbox::cancel() {
    m_inside->cancel();
}

void Toolbox::answerSubmission(const QString &id, const ToolAnswer &answer) {
    m_inside->answerSubmission(id, answer);
}

} // namespace warpwright

#include "toolbox.moc"
