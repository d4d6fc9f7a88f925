// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_place.h"

#include "agent/interface/agent_name.h"
#include "agent/tools/project_rules.h"
#include "agent/tools/skill_pages.h"

namespace warpwright {
namespace {

/// What it is told of SKILL.md and of the project's rules, which lie in its copy: it looks for these itself.
void readGuides(const AcpPlaceRequest &request, AcpPlace &place) {
    const Skill skill = readSkill(request.workspace, request.folders.resources);
    place.guides = {skill.words(), skill.isOwn, {}};
    if (skill.isOwn)
        place.remarks << QStringLiteral("The workspace's own SKILL.md is the skill of this run.");
    place.remarks << skill.remarks;
    for (const ProjectRules &rules : readProjectRules(request.workspace)) {
        place.remarks << rules.remarks();
        if (rules.file.isRead())
            place.guides.rules << rules.file.name;
    }
}

/// The candidate as the folder holds it, the task's files as `texts` has them.
CandidateTexts keptTexts(const WorkFolder &work, const CandidateTexts &texts) {
    const Result<CandidateTexts> there = work.texts();
    if (!there.hasValue() || there.value().empty())
        return texts;
    CandidateTexts kept = there.value();
    for (const auto &[path, text] : texts)
        if (!isCandidatePath(path))
            kept[path] = text;
    return kept;
}

} // namespace

Result<AcpPlace> prepareAcpPlace(const AcpPlaceRequest &request) {
    using Answer = Result<AcpPlace>;
    const Result<Workspace> workspace = Workspace::open(request.workspace, request.folders);
    if (!workspace.hasValue())
        return Answer::error(workspace.message());
    const QString folder = WorkFolder::placeFor(workspace.value(), request.folders,
                                                AgentName{AuthorKind::Acp, request.agent}.text());
    // Of a program that was killed the folder has all there is.
    AcpPlace place{workspace.value(), WorkFolder(workspace.value(), folder), request.texts, {}, {}, {}, {}};
    readGuides(request, place);
    if (request.unfinished)
        place.texts = *request.unfinished;
    else if (request.keepsWork)
        place.texts = keptTexts(place.work, request.texts);
    if (const Result<void> laid = place.work.layOut(place.texts); !laid.hasValue())
        return Answer::error(laid.message());
    const Result<AcpSandbox> sandbox =
        makeAcpSandbox({folder}, {workspace.value().folder, workspace.value().state}, request.folders,
                       QProcessEnvironment::systemEnvironment());
    if (sandbox.hasValue())
        place.sandbox = sandbox.value();
    else
        place.whyNoSandbox = sandbox.message();
    return Answer::ok(std::move(place));
}

Result<AcpWork> takeAcpWork(const WorkFolder &work) {
    AcpWork taken;
    taken.putBack = work.putBack();
    Result<CandidateTexts> texts = work.texts();
    if (!texts.hasValue())
        return Result<AcpWork>::error(texts.message());
    taken.texts = std::move(texts).value();
    return Result<AcpWork>::ok(std::move(taken));
}

} // namespace warpwright
