// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/session_events.h"

#include "agent/review/text_change.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_summary.h"

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

Json authorToJson(const Author &author) {
    return Json{{"kind", toJson(authorKindName(author.kind))}, {"name", toJson(author.name)}};
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
    Json body{{"proposal", toJson(proposal.id)},
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
    if (proposal.series) {
        body["step"] = proposal.series->number;
        if (proposal.series->keepsUndecided)
            body["undecided"] = "keep";
        if (proposal.series->needs > 0)
            body["needs"] = proposal.series->needs;
    }
    return body;
}

Json conflictBody(const QString &proposal, const Hunk &hunk) {
    return Json{{"proposal", toJson(proposal)},
                {"hunk", hunkIdToJson(hunk.id)},
                {"mine", linesToJson(hunk.standing)},
                {"theirs", linesToJson(hunk.newLines)}};
}

Json handEditBody(const CandidateTexts &before, const CandidateTexts &after) {
    return changeToJson(textChange(before, after));
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
    Json body{{"role", toJson(messageRoleName(message.role))},
              {"id", toJson(message.id)},
              {"text", toJson(message.text)},
              {"isPartial", message.isPartial}};
    if (!message.thinking.isEmpty())
        body["thinking"] = toJson(message.thinking);
    if (!message.author.isEmpty())
        body["author"] = toJson(message.author);
    return body;
}

} // namespace warpwright
