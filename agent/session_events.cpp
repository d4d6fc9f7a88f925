// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session_events.h"

#include "toolchain/evaluation_json.h"
#include "toolchain/evaluation_summary.h"

#include <set>

namespace warpwright {
namespace {

Json hunkToJson(const QString &file, int start, const TextLines &oldLines, const TextLines &newLines) {
    return Json{{"file", toJson(file)},
                {"oldStart", start},
                {"oldLines", linesToJson(oldLines)},
                {"newLines", linesToJson(newLines)}};
}

const char *wordOf(EvaluationSubject::Of of) {
    switch (of) {
    case EvaluationSubject::Of::Proposal:
        return "proposal";
    case EvaluationSubject::Of::Hunk:
        return "hunk";
    case EvaluationSubject::Of::WithoutHunk:
        return "without-hunk";
    case EvaluationSubject::Of::Iteration:
        break;
    }
    return "iteration";
}

} // namespace

Json hunkIdToJson(int hunk) {
    return toJson(QString::number(hunk));
}

Json linesToJson(const TextLines &lines) {
    Json array = Json::array();
    for (const QByteArray &line : lines) {
        const bool isText = QString::fromUtf8(line).toUtf8() == line;
        array.push_back(isText ? Json(line.toStdString()) : Json{{"base64", line.toBase64().toStdString()}});
    }
    return array;
}

Json authorToJson(const Author &author) {
    return Json{{"kind", toJson(authorKindName(author.kind))}, {"name", toJson(author.name)}};
}

Json hunksBetween(const CandidateTexts &before, const CandidateTexts &after) {
    Json hunks = Json::array();
    std::set<QString> paths;
    for (const CandidateTexts *side : {&before, &after})
        for (const auto &[path, text] : *side)
            paths.insert(path);
    for (const QString &path : paths) {
        const auto was = before.find(path);
        const auto is = after.find(path);
        const TextLines oldLines = was == before.end() ? TextLines() : linesOf(was->second);
        const TextLines newLines = is == after.end() ? TextLines() : linesOf(is->second);
        if (was == before.end() || is == after.end()) {
            Json hunk = hunkToJson(path, 0, oldLines, newLines);
            hunk[was == before.end() ? "oldFile" : "newFile"] = false;
            hunks.push_back(std::move(hunk));
            continue;
        }
        for (const TextEdit &edit : editsBetween(oldLines, newLines))
            hunks.push_back(hunkToJson(
                path, edit.start,
                TextLines(oldLines.begin() + edit.start, oldLines.begin() + edit.start + edit.removed),
                edit.inserted));
    }
    return hunks;
}

Json proposalBody(const ProposalReview &review) {
    const Proposal &proposal = review.proposal();
    const ProposalReview fresh(proposal, proposal.base); // as it was meant, before anybody's answers
    Json hunks = Json::array();
    Json renames = Json::array();
    for (const ReviewedFile &file : fresh.files()) {
        if (file.name)
            for (const Hunk &hunk : file.name->hunks())
                renames.push_back(Json{{"id", hunkIdToJson(hunk.id)},
                                       {"from", toJson(file.from)},
                                       {"to", toJson(QString::fromUtf8(joined(hunk.newLines)))}});
        for (const Hunk &hunk : file.lines.hunks()) {
            // Renamings are carried out first.
            const QString path =
                file.name ? QString::fromUtf8(joined(file.name->hunks().front().newLines)) : file.from;
            Json json = hunkToJson(path, hunk.start, hunk.oldLines, hunk.newLines);
            json["id"] = hunkIdToJson(hunk.id);
            if (file.change == ReviewedFile::Change::Added)
                json["oldFile"] = false;
            if (file.change == ReviewedFile::Change::Deleted)
                json["newFile"] = false;
            hunks.push_back(std::move(json));
        }
    }
    return Json{{"proposal", toJson(proposal.id)},
                {"iteration", proposal.baseIteration},
                {"title", toJson(proposal.title)},
                {"reason", toJson(proposal.reason)},
                {"move", toJson(proposal.move)},
                {"prediction", predictionToJson(proposal.prediction)},
                {"author", authorToJson(proposal.author)},
                {"hunks", std::move(hunks)},
                {"renames", std::move(renames)},
                {"baseHash", toJson(textHashOf(proposal.base))},
                {"resultHash", toJson(textHashOf(fresh.textsAccepted()))}};
}

Json conflictBody(const QString &proposal, const Hunk &hunk) {
    return Json{{"proposal", toJson(proposal)},
                {"hunk", hunkIdToJson(hunk.id)},
                {"mine", linesToJson(hunk.standing)},
                {"theirs", linesToJson(hunk.newLines)}};
}

Json handEditBody(const CandidateTexts &before, const CandidateTexts &after) {
    return Json{{"hunks", hunksBetween(before, after)},
                {"baseHash", toJson(textHashOf(before))},
                {"resultHash", toJson(textHashOf(after))}};
}

Json appliedBody(const QString &proposal, const CandidateTexts &before, const CandidateTexts &after) {
    Json body = handEditBody(before, after);
    body["proposal"] = toJson(proposal);
    return body;
}

Json restoredBody(int iteration, const QString &why, const CandidateTexts &before,
                  const CandidateTexts &after) {
    Json body = handEditBody(before, after);
    body["iteration"] = iteration;
    body["why"] = toJson(why);
    return body;
}

Json iterationBody(const Iteration &iteration) {
    return Json{{"number", iteration.number},
                {"parent", iteration.parent},
                {"author", authorToJson(iteration.author)},
                {"textHash", toJson(iteration.textHash)},
                {"note", toJson(iteration.note)}};
}

Json evaluationBody(const EvaluationSubject &subject, const Evaluation &evaluation, const QString &textHash) {
    Json body{{"of", wordOf(subject.of)},
              {"iteration", subject.iteration},
              {"textHash", toJson(textHash)},
              {"evaluation", toJson(evaluation.id)},
              {"summary", summaryToJson(summaryOf(evaluation))}};
    if (!subject.proposal.isEmpty())
        body["proposal"] = toJson(subject.proposal);
    if (subject.hunk > 0)
        body["hunk"] = hunkIdToJson(subject.hunk);
    Json resources = Json::array();
    for (const KernelResources &kernel : evaluation.compile.kernels)
        resources.push_back(Json(kernelToJson(kernel)));
    body["resources"] = std::move(resources);
    return body;
}

Json usageBody(const AgentUsage &usage) {
    return Json{{"tokensIn", usage.tokensIn},         {"tokensOut", usage.tokensOut},
                {"tokensCached", usage.tokensCached}, {"cost", usage.cost},
                {"currency", toJson(usage.currency)}, {"isEstimated", usage.isEstimated}};
}

Json toolCallBody(const ToolCall &call) {
    return Json{{"id", toJson(call.id)},           {"name", toJson(call.name)},
                {"arguments", call.arguments},     {"seconds", call.seconds},
                {"outcome", toJson(call.outcome)}, {"result", toJson(call.result)}};
}

Json planBody(const std::vector<PlanItem> &items) {
    Json array = Json::array();
    for (const PlanItem &item : items)
        array.push_back(Json{{"text", toJson(item.text)}, {"state", toJson(item.state)}});
    return Json{{"items", std::move(array)}};
}

Json messageBody(const AgentMessage &message) {
    return Json{{"role", toJson(messageRoleName(message.role))},
                {"id", toJson(message.id)},
                {"text", toJson(message.text)},
                {"isPartial", message.isPartial}};
}

} // namespace warpwright
