// SPDX-License-Identifier: GPL-3.0-or-later
// The playbook in a resumed run: it replays what was proposed and answered, as if it were requested again,
// and so comes to where it was.
#include "agent/playbook/playbook_agent.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

QByteArray referenceIn(const CandidateTexts &texts) {
    const auto found = texts.find(QStringLiteral("model.py"));
    return found == texts.end() ? QByteArray() : found->second;
}

} // namespace

Result<void> PlaybookAgent::wasAnswered(const AnsweredProposal &answered) {
    if (m_record.empty())
        m_earlier = MeasurementTable::load(m_setup.measurementsFile, answered.since);
    m_record.push_back(answered);
    return Result<void>::ok();
}

void PlaybookAgent::recall() {
    makePlan(m_graph, [this] {
        m_at = {std::move(m_at.program), std::move(m_at.knobSets)};
        m_asked = m_request;
        m_known = m_earlier;
        std::vector<AnsweredProposal> ofThis = m_record;
        std::erase_if(ofThis, [this](const AnsweredProposal &one) {
            return referenceIn(one.request.texts) != m_reference;
        });
        if (ofThis.empty()) {
            m_record.clear(); // of another reference: useless here
            return beginAnew(
                QStringLiteral("The reference is not the one that I made this run's proposals for"));
        }
        m_record = std::move(ofThis);
        m_isRecalling = true;
        recallFrom(0);
    });
}

void PlaybookAgent::recallFrom(std::size_t index) {
    const std::vector<Feedback> feedback =
        index > 0 ? std::vector<Feedback>{m_record[index - 1].feedback} : std::vector<Feedback>();
    if (index == m_record.size()) {
        m_request = m_asked;
        return endRecall(feedback);
    }
    m_request = m_record[index].request;
    m_request.feedback = feedback;
    learn();
    think([was = m_record[index]](PlaybookChoice &choice) { choice.chooseAgain(was); },
          [this, index] {
              if (m_isProposedAgain)
                  return recallFrom(index + 1);
              m_request = m_asked;
              beginAnew(QStringLiteral("What I proposed as \"%1\" I would not write like that any more, with "
                                       "this version, on this device and with what is measured of it")
                            .arg(m_record[index].title));
          });
}

// The current text stays, and all is compared with it from now on.
void PlaybookAgent::beginAnew(const QString &why) {
    m_isRecalling = false;
    makePlan(m_graph, [this, why] {
        m_at = {std::move(m_at.program), std::move(m_at.knobSets)};
        reportOnce(QStringLiteral("anew"),
                   why + QStringLiteral(
                             ": I begin anew from the text that lies there, and leave out what was tried."));
        if (m_isWorking)
            think([record = m_record](PlaybookChoice &choice) { choice.chooseAnew(record); },
                  [this] { endRecall({}); });
    });
}

void PlaybookAgent::endRecall(const std::vector<Feedback> &feedback) {
    m_isRecalling = false;
    m_hasRecalled = true;
    m_request.feedback = feedback;
    work();
}

} // namespace warpwright
