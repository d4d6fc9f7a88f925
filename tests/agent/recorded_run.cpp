// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/recorded_run.h"

using namespace warpwright;

CandidateTexts textSaying(const QByteArray &words) {
    return {{"model.py", "class Model: pass\n"},
            {"model_new.py", "class ModelNew: pass\n"},
            {"kernels/a.cu", "// a kernel\n" + words + "\n// its end"}};
}

RecordedRun::RecordedRun(const QString &stateFolder) {
    Result<TrajectoryWriter> writer = TrajectoryWriter::beginRun(stateFolder);
    if (!writer.hasValue())
        qFatal("%s", qPrintable(writer.message()));
    m_writer.emplace(std::move(writer).value());
    m_folder = m_writer->folder();
}

void RecordedRun::append(const char *kind, const Json &body) {
    const Result<void> done = m_writer->append(QString::fromLatin1(kind), body);
    if (!done.hasValue())
        qFatal("%s", qPrintable(done.message()));
}

void RecordedRun::change(const char *kind, const CandidateTexts &texts, Json body) {
    body.update(changeToJson(textChange(m_texts, texts)));
    append(kind, body);
    m_texts = texts;
}

void RecordedRun::begin(const CandidateTexts &texts, int start) {
    m_iteration = m_parent = start;
    Json body = {{"schema", "warpwright.trajectory/1"},
                 {"run", toJson(m_writer->run())},
                 {"workspace", "rows"},
                 {"agent", {{"kind", "script"}, {"name", "series"}, {"version", "1"}}},
                 {"mode", "review"},
                 {"iteration", start},
                 {"program", "0.1.0 (test)"},
                 {"hunks", changeToJson(textChange({}, texts))["hunks"]},
                 {"baseHash", toJson(textHashOf(texts))}};
    append("run-began", body);
    m_texts = texts;
}

int RecordedRun::accept(const CandidateTexts &proposed, double speedUp, const QString &title) {
    const std::string id = "p" + std::to_string(++m_proposals);
    const QString name = title.isEmpty() ? QStringLiteral("change %1").arg(m_proposals) : title;
    const Json change = changeToJson(textChange(m_texts, proposed));
    Json proposal = change;
    for (std::size_t i = 0; i < proposal["hunks"].size(); ++i)
        proposal["hunks"][i]["id"] = "h" + std::to_string(i + 1);
    proposal.update(Json{{"proposal", id},
                         {"iteration", m_parent},
                         {"title", toJson(name)},
                         {"reason", "because **less** is read"},
                         {"move", "vectorize-loads"},
                         {"prediction", {{"timeRatio", 0.5}, {"words", "half"}}},
                         {"author", {{"kind", "playbook"}, {"name", "series"}}}});
    append("message", {{"role", "agent"}, {"id", "m" + id}, {"text", "I read four at a time."}});
    append("proposal", proposal);
    append("decision", {{"proposal", id}, {"answer", "accept"}, {"by", "person"}, {"reason", ""}});
    Json applied = change;
    applied["proposal"] = id;
    append("applied", applied);
    m_texts = proposed;
    append("iteration", {{"number", ++m_iteration},
                         {"parent", m_parent},
                         {"author", {{"kind", "playbook"}, {"name", "series"}}},
                         {"textHash", toJson(textHashOf(proposed))},
                         {"note", toJson(name)}});
    m_parent = m_iteration;
    measure(m_iteration, speedUp);
    return m_iteration;
}

void RecordedRun::measure(int iteration, double speedUp) {
    EvaluationSummary summary;
    summary.id = QStringLiteral("20261121T201500.%1Z-abcdef").arg(iteration % 1000, 3, 10, QLatin1Char('0'));
    summary.startedAt = QDateTime::currentDateTimeUtc();
    summary.verdict = Verdict::Pass;
    summary.reward = 2;
    summary.eager = SpeedUp{speedUp, speedUp * 0.99, speedUp * 1.01, QStringLiteral("eager")};
    summary.sameClass = summary.eager;
    summary.candidate = ArmTiming{100 / speedUp, 99 / speedUp, 101 / speedUp, 1600, true};
    append("evaluation", {{"of", "iteration"},
                          {"iteration", iteration},
                          {"textHash", toJson(textHashOf(m_texts))},
                          {"evaluation", toJson(summary.id)},
                          {"summary", summaryToJson(summary)}});
}

void RecordedRun::editByHand(const CandidateTexts &texts) {
    change("hand-edit", texts, Json::object());
}

void RecordedRun::restore(int iteration, const CandidateTexts &texts) {
    change("restored", texts, {{"iteration", iteration}, {"why", "branch"}});
    m_parent = iteration;
}

void writeTwoRuns(const QString &stateFolder) {
    RecordedRun first(stateFolder);
    first.begin(textSaying("0"));
    first.accept(textSaying("1"), 1.2, "read four floats");
    first.accept(textSaying("2"), 1.5);
    first.accept(textSaying("3"), 1.4);
    first.append("run-stopped", {{"why", "the person asked for it"}});
    QThread::msleep(2); // ids sort by time
    RecordedRun second(stateFolder);
    second.begin(textSaying("3"));
    second.append("mode-changed", {{"from", "review"}, {"to", "auto"}});
    second.append("of-the-future", {{"text", "100 % new_words of nobody's \"kind\""}});
}
