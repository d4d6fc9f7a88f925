// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of workbench.h: a text is kept, evaluated, and what was found is linked to it.
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/figures.h"
#include "toolchain/history/iteration_store.h"

namespace warpwright {
namespace {

bool wasCompiled(const Evaluation &evaluation) {
    return evaluation.compile.status == StageStatus::Passed ||
           evaluation.compile.status == StageStatus::Failed;
}

} // namespace

void Workbench::check(Tier tier, LastStage lastStage) {
    want({tier, lastStage});
}

void Workbench::checkConfigs() {
    want({Tier::Quick, LastStage::Profile, true});
}

void Workbench::want(const Wanted &wanted) {
    if (!m_workspace || m_isLent)
        return;
    const bool sweepsToo = m_wanted && m_wanted->sweepsConfigs && wanted.tier == Tier::Quick;
    m_wanted = wanted;
    m_wanted->sweepsConfigs = m_wanted->sweepsConfigs || sweepsToo;
    m_wantsStop = false;
    // A text that is just being kept may be older than this wish: it is looked at once more afterwards.
    if (!m_isPreparing)
        prepare();
}

void Workbench::prepare() {
    const Wanted wanted = *std::exchange(m_wanted, {});
    m_isPreparing = true;
    if (!m_runner.isRunning()) {
        m_passedStages.clear();
        m_progress = {QStringLiteral("prepare"), tr("keep this text as an iteration"), 0, 0, 0, {}};
    }
    emit runChanged();
    struct Kept {
        QString textHash;
        Result<IterationStore::Committed> committed;
        std::optional<CheckedParent> parent;
    };
    const bool mayCommit = m_readOnlyReason.isEmpty();
    inPool(
        this,
        [workspace = *m_workspace, parent = m_liveIteration, mayCommit] {
            using Committed = Result<IterationStore::Committed>;
            const Result<CandidateTexts> texts = readCandidateTexts(workspace);
            if (!texts.hasValue())
                return Kept{{}, Committed::error(texts.message()), {}};
            const IterationStore store(workspace.state);
            Kept kept{textHashOf(texts.value()),
                      mayCommit ? store.commit(texts.value(), parent, Author{}) : Committed::ok({}),
                      {}};
            if (kept.committed.hasValue())
                kept.parent = store.checkedParent(kept.committed.value().iteration.number);
            return kept;
        },
        [this, wanted, state = m_workspace->state](const Kept &kept) {
            m_isPreparing = false;
            if (m_workspace && m_workspace->state != state && m_wanted)
                return prepare(); // another workspace was opened meanwhile, and is to be checked
            if (!m_workspace || m_workspace->state != state || m_wantsStop) {
                emit runChanged();
                return;
            }
            Prepared text{wanted, state, 0, kept.textHash, kept.parent};
            if (kept.committed.hasValue()) {
                text.iteration = kept.committed.value().iteration.number;
                if (!kept.committed.value().notice.isEmpty())
                    emit noticed(tr("History"), kept.committed.value().notice);
            } else {
                // The history is no reason not to measure; but it has to be said.
                emit failed(tr("This text could not be kept in the history"), kept.committed.message());
            }
            prepared(text);
        });
}

void Workbench::prepared(const Prepared &text) {
    if (text.iteration > 0)
        m_liveIteration = text.iteration;
    if (m_wanted) {
        prepare();
    } else if (!m_runner.isRunning()) {
        startRun(text);
    } else if (isAnsweredByRun(text)) {
        m_next.reset();
        emit logged(tr("This text is being checked already"));
        emit runChanged();
    } else if (isOfRunningText(text) && text.wanted.sweepsConfigs && m_running.wanted.tier == Tier::Certify) {
        emit noticed(tr("Not now"),
                     tr("A certify run of this text goes on. Try every config when it has ended."));
        emit runChanged();
    } else {
        m_next = text;
        m_runner.stop();
        emit logged(isOfRunningText(text)
                        ? tr("More is asked of iteration %1: its check begins again").arg(m_running.iteration)
                        : tr("A newer text: the check of iteration %1 is stopped").arg(m_running.iteration));
        emit runChanged();
    }
}

bool Workbench::isOfRunningText(const Prepared &text) const {
    return !m_runner.isStopping() && !text.textHash.isEmpty() && text.textHash == m_running.textHash;
}

bool Workbench::isAnsweredByRun(const Prepared &text) const {
    return isOfRunningText(text) && text.wanted.tier <= m_running.wanted.tier &&
           text.wanted.lastStage <= m_running.wanted.lastStage &&
           text.wanted.sweepsConfigs <= m_running.wanted.sweepsConfigs;
}

void Workbench::startRun(const Prepared &text) {
    m_running = text;
    m_passedStages.clear();
    const int iteration = text.iteration;
    EvaluationRequest asked = request();
    asked.tier = text.wanted.tier;
    asked.lastStage = text.wanted.lastStage;
    asked.sweepsConfigs = text.wanted.sweepsConfigs;
    asked.parent = text.parent;
    emit logged(
        tr("Check of iteration %1, %2 tier%3")
            .arg(iteration)
            .arg(tierName(text.wanted.tier), asked.sweepsConfigs ? tr(", every config tried") : QString()));
    m_runner.start(asked);
    reloadIterations(m_shown.isEarlier ? m_shown.iteration : iteration, m_shown.isEarlier, std::nullopt);
    emit runChanged();
}

int Workbench::checkedIteration() const {
    const bool isOurs = m_workspace && m_running.state == m_workspace->state;
    return isOurs && m_runner.isRunning() ? m_running.iteration : 0;
}

void Workbench::textSaved() {
    if (m_workspace && !m_workspace->isLoneFile && !isRunning() && !m_isLent &&
        m_settings.compileOn != QLatin1String("never"))
        m_live.textSaved();
}

const CompiledText *Workbench::compiledText() const {
    if (m_shown.isEarlier || !m_live.latest())
        return nullptr;
    // Of the text that was checked the evaluation says the same, and more.
    const bool isChecked = m_shown.evaluation && wasCompiled(*m_shown.evaluation) &&
                           !m_live.latest()->textHash.isEmpty() &&
                           stringIn(m_shown.evaluation->workspace, "textHash") == m_live.latest()->textHash;
    return isChecked ? nullptr : &*m_live.latest();
}

const CompileSection *Workbench::compileShown() const {
    if (const CompiledText *compiled = compiledText())
        return &compiled->compile;
    return m_shown.evaluation ? &m_shown.evaluation->compile : nullptr;
}

void Workbench::stop() {
    m_wantsStop = true;
    m_wanted.reset();
    m_next.reset();
    if (m_runner.isRunning())
        m_runner.stop();
    else if (m_isPreparing)
        emit runChanged();
}

// A first check builds the judge after that, for minutes. One that does not compile ends at once.
void Workbench::runCompiled(const QString &log, const Evaluation &soFar) {
    const bool isOurs = m_workspace && m_workspace->state == m_running.state && !m_runner.isStopping();
    if (isOurs && soFar.compile.status == StageStatus::Passed)
        m_live.take(soFar, log);
}

void Workbench::takeCompiled(const QString &log, const Evaluation &soFar) {
    if (m_workspace && m_isLent && soFar.compile.status == StageStatus::Passed)
        m_live.take(soFar, log);
}

void Workbench::runEnded(const Evaluation &evaluation, const QString &storedAt) {
    emit logged(tr("%1%2").arg(
        verdictName(evaluation.verdict),
        evaluation.message.isEmpty() ? QString() : QStringLiteral(": ") + plainText(evaluation.message)));
    const Prepared ended = std::exchange(m_running, {});
    const int iteration = ended.iteration;
    if (wasCompiled(evaluation))
        m_live.forget(); // this says the same of the text, and more
    const bool isLeft = !m_workspace || m_workspace->state != ended.state;
    // Nobody waits for it: another one follows. (One that is being prepared has saved its text already, and a
    // check that was still compiling may have ended because of that.)
    const bool isReplaced = !isLeft && (m_next.has_value() || m_isPreparing);
    const bool isSuperseded = isLeft || isReplaced;
    // Of a check that the person cancelled, also by leaving the workspace, the history says so, unless more
    // was known of the text before; of one that a newer text ended, nothing.
    const bool isLinked =
        iteration > 0 && !storedAt.isEmpty() && (evaluation.verdict != Verdict::Cancelled || !isReplaced);
    if (storedAt.isEmpty() && !ended.state.isEmpty() && evaluation.verdict != Verdict::Cancelled) {
        connect(&m_unkept, &UnkeptEvaluations::kept, this, &Workbench::lookAgain, Qt::UniqueConnection);
        m_unkept.add(ended.state, iteration, evaluation);
    }
    if (!isSuperseded)
        emit checked(evaluation);
    inPool(
        this,
        [state = ended.state, iteration, isLinked, id = evaluation.id] {
            return isLinked ? IterationStore(state).link(iteration, id) : Result<void>::ok();
        },
        [this, iteration, evaluation, isSuperseded](const Result<void> &linked) {
            if (!linked.hasValue())
                emit failed(tr("The evaluation could not be noted in the history"), linked.message());
            if (!isSuperseded)
                reloadIterations(m_shown.isEarlier ? m_shown.iteration : iteration, m_shown.isEarlier,
                                 evaluation);
        });
    if (m_next && m_workspace)
        startRun(*std::exchange(m_next, {}));
    else
        emit runChanged();
}

void Workbench::lookAgain() {
    if (!m_workspace || isRunning())
        return;
    inPool(
        this,
        [state = m_workspace->state, tree = m_tree] {
            const Result<std::vector<IterationRecord>> records = IterationStore(state).list();
            return records.hasValue() && records.value() != tree->records;
        },
        [this, state = m_workspace->state, tree = m_tree](bool hasChanged) {
            if (m_workspace && m_workspace->state == state && !isRunning() && hasChanged && tree == m_tree)
                reloadIterations(m_shown.iteration, m_shown.isEarlier, std::nullopt);
        });
}

QString Workbench::readOnlyWords() const {
    if (m_readOnlyReason.isEmpty())
        return {};
    const qint64 process = m_lock ? m_lock->holder().processId : 0;
    return process > 0 ? tr("read-only: open in process %1").arg(process) : tr("read-only: open elsewhere");
}

} // namespace warpwright
