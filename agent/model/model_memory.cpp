// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_memory.h"

#include "agent/review/text_change.h"

namespace warpwright {

Json ModelMemory::setTexts(const CandidateTexts &texts, const CandidateTexts &base) {
    Json entry;
    if (m_base != base)
        entry["base"] = changeToJson(textChange(m_base, base));
    if (m_texts != texts)
        entry["texts"] = changeToJson(textChange(base, texts));
    m_base = base;
    m_texts = texts;
    return entry;
}

Json ModelMemory::submitted(const QString &call, const Proposal &proposal,
                            const std::vector<ChatResult> &results) {
    m_waiting = Waiting{call, proposal, results, std::nullopt};
    ChatMessage message;
    message.role = ChatMessage::Role::Results;
    message.results = results;
    return Json{
        {"submitted",
         {{"call", toJson(call)},
          {"proposal", toJson(proposal.id)},
          {"base", proposal.baseIteration},
          {"title", toJson(proposal.title)},
          {"reason", toJson(proposal.reason)},
          {"prediction", predictionToJson(proposal.prediction)},
          {"author",
           {{"kind", toJson(authorKindName(proposal.author.kind))}, {"name", toJson(proposal.author.name)}}},
          {"results", chatMessageToJson(message)},
          {"change", changeToJson(textChange(proposal.base, proposal.proposed))}}}};
}

Json ModelMemory::answered() {
    if (!m_waiting)
        return {};
    m_waiting.reset();
    return Json{{"answered", true}};
}

Json ModelMemory::turned() {
    return Json{{"turns", ++m_turns}};
}

Result<void> ModelMemory::recall(const Json &entry) {
    const auto broken = [](const QString &why) {
        return Result<void>::error(
            QStringLiteral("its record of what the model had in hand is broken: %1").arg(why));
    };
    for (const char *what : {"base", "texts"}) {
        const auto found = entry.find(what);
        if (found == entry.end())
            continue;
        const Result<TextChange> change = changeFromJson(*found);
        if (!change.hasValue())
            return broken(change.message());
        const Result<CandidateTexts> now = applyChange(change.value(), m_base);
        if (!now.hasValue())
            return broken(now.message());
        (*what == 'b' ? m_base : m_texts.emplace()) = now.value();
    }
    if (const auto submitted = entry.find("submitted"); submitted != entry.end()) {
        const auto found = submitted->find("change");
        const Result<TextChange> change = changeFromJson(found == submitted->end() ? Json() : *found);
        if (!change.hasValue())
            return broken(change.message());
        // What it is a change of is what the copy was begun from.
        const Result<CandidateTexts> proposed = applyChange(change.value(), m_base);
        if (!proposed.hasValue())
            return broken(proposed.message());
        Proposal proposal;
        proposal.id = stringIn(*submitted, "proposal");
        proposal.baseIteration = submitted->value("base", 0);
        proposal.title = stringIn(*submitted, "title");
        proposal.reason = stringIn(*submitted, "reason");
        if (const auto prediction = submitted->find("prediction"); prediction != submitted->end())
            proposal.prediction = predictionFromJson(*prediction);
        if (const auto author = submitted->find("author"); author != submitted->end())
            proposal.author = {authorKindFromName(stringIn(*author, "kind")), stringIn(*author, "name")};
        proposal.base = m_base;
        proposal.proposed = proposed.value();
        const auto said = submitted->find("results");
        Result<ChatMessage> results = chatMessageFromJson(said == submitted->end() ? Json() : *said);
        if (!results.hasValue())
            return broken(results.message());
        m_waiting = Waiting{stringIn(*submitted, "call"), std::move(proposal),
                            std::move(results).value().results, std::nullopt};
    }
    if (entry.contains("answered"))
        m_waiting.reset();
    if (const auto turns = entry.find("turns"); turns != entry.end() && turns->is_number_integer())
        m_turns = turns->get<int>();
    return Result<void>::ok();
}

void ModelMemory::recallFeedback(const Feedback &feedback) {
    if (m_waiting && m_waiting->proposal.id == feedback.proposal)
        m_waiting->feedback = feedback;
}

} // namespace warpwright
