// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/checked_text.h"

#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_lock.h"

namespace warpwright {

CheckedText::CheckedText(const QString &path, const DataFolders &folders) {
    const Result<Workspace> workspace = Workspace::open(path, folders);
    if (!workspace.hasValue() || workspace.value().isLoneFile || workspace.value().modelNewFile.isEmpty())
        return; // the check itself says what is wrong
    m_state = workspace.value().state;
    const Result<CandidateTexts> texts = readCandidateTexts(workspace.value());
    if (!texts.hasValue())
        return;
    const IterationStore store(m_state);
    WorkspaceLock lock(m_state);
    lock.take();
    if (!lock.mayWrite()) {
        const Result<std::vector<IterationRecord>> records = store.list();
        if (records.hasValue())
            for (const IterationRecord &record : records.value())
                if (record.iteration.textHash == textHashOf(texts.value()))
                    m_iteration = record.iteration.number;
        return;
    }
    const Result<IterationStore::Committed> kept = store.commit(texts.value(), store.current(), Author{});
    if (kept.hasValue()) {
        m_iteration = kept.value().iteration.number;
        m_notice = kept.value().notice;
    } else {
        m_notice = kept.message();
    }
}

std::optional<CheckedParent> CheckedText::parent() const {
    return m_iteration > 0 ? IterationStore(m_state).checkedParent(m_iteration) : std::nullopt;
}

void CheckedText::link(const Evaluation &evaluation) {
    if (m_iteration == 0)
        return;
    const Result<void> linked = IterationStore(m_state).link(m_iteration, evaluation.id);
    if (!linked.hasValue())
        m_notice = linked.message();
}

} // namespace warpwright
