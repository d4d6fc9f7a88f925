// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compare_controller.h"

#include "app/ide/compare/run_states.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/evaluation/evaluation_store.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {

CompareController::CompareController(Workbench &bench, QObject *parent)
    : QObject(parent), m_bench(bench), m_inspector(new Inspector(this)) {
    connect(m_inspector, &Inspector::finished, this, [this](const Listing &inspection) {
        listed(inspection->status == CompileStatus::Passed ? inspection : nullptr,
               inspection->status == CompileStatus::Passed ? inspection->note : tr("it does not compile"));
    });
    connect(m_inspector, &Inspector::failed, this,
            [this](const QString &message) { listed(nullptr, message); });
}

void CompareController::setToolchain(const Toolchain &toolchain) {
    m_toolchain = toolchain;
    if (!isReadingSass())
        listNext();
}

void CompareController::cancel() {
    (void)m_jobs.next();
    m_inspector->cancel();
    m_pair.reset();
    m_troubles.clear();
}

void CompareController::compare(const ComparisonChoice &left, const ComparisonChoice &right) {
    read(left, right, {});
}

void CompareController::compareInRun(const QString &run, const SharedTree &tree, const ComparisonChoice &left,
                                     const ComparisonChoice &right) {
    const auto isOfRun = [this, &tree](const ComparisonChoice &choice) {
        if (choice.kind != ComparisonChoice::Kind::Iteration)
            return false;
        const IterationRecord *recorded = tree->byNumber(choice.iteration);
        const IterationRecord *kept = m_bench.tree()->byNumber(choice.iteration);
        // Of some runs the summaries of checks were kept, not their documents: the run tells them.
        const auto isStored = [this](const EvaluationSummary &check) {
            return QFileInfo::exists(EvaluationStore(m_bench.workspace()->state).pathOf(check.id));
        };
        return recorded != nullptr &&
               (kept == nullptr || kept->iteration.textHash != recorded->iteration.textHash ||
                (recorded->latest && !isStored(*recorded->latest)));
    };
    read(left, right, isOfRun(left) || isOfRun(right) ? run : QString());
}

void CompareController::read(const ComparisonChoice &left, const ComparisonChoice &right,
                             const QString &run) {
    cancel();
    if (!m_bench.workspace())
        return emit failed(tr("No workspace is open."));
    m_isOfRun = !run.isEmpty();
    using Answer = Result<SharedPair>;
    inPool(
        this,
        [workspace = *m_bench.workspace(), left, right, listings = m_listings, run] {
            if (!run.isEmpty())
                return readRunPair(workspace, run, left, right);
            Result<std::pair<ComparedState, ComparedState>> read = readStates(workspace, left, right);
            if (!read.hasValue())
                return Answer::error(read.message());
            auto [one, other] = std::move(read).value();
            for (ComparedState *state : {&one, &other})
                if (const Listing known = listings.value(state->textHash); known && !state->choice.isArm())
                    addListing(*state, known);
            return Answer::ok(comparedPair(std::move(one), std::move(other)));
        },
        [this, number = m_jobs.next()](const Answer &answer) {
            if (m_jobs.isStale(number))
                return;
            if (!answer.hasValue())
                return emit failed(answer.message());
            m_pair = answer.value();
            listNext();
            emit compared(m_pair);
        });
}

// The text whose SASS was not asked for yet; null: none.
const ComparedState *CompareController::unlisted() const {
    for (const ComparedState *state : {&m_pair->left, &m_pair->right})
        if (!state->choice.isArm() && !state->listing && !m_listings.contains(state->textHash) &&
            !m_troubles.contains(state->textHash))
            return state;
    return nullptr;
}

void CompareController::listNext() {
    if (!m_pair || m_isOfRun || !m_bench.workspace())
        return;
    const ComparedState *state = unlisted();
    // Compilers beside a measurement would be measured, too.
    if (state == nullptr || !m_toolchain || m_bench.isRunning() || m_bench.isLent())
        return remake();
    m_listing = state->textHash;
    InspectionRequest request;
    request.path = state->path;
    request.settings = m_bench.settings();
    request.folders = m_bench.folders();
    request.toolchain = m_toolchain;
    request.iteration = state->choice.iteration;
    m_inspector->start(request);
}

void CompareController::listed(const Listing &listing, const QString &trouble) {
    if (!m_pair)
        return;
    if (listing) {
        m_listings.insert(m_listing, listing);
        m_order.push_back(m_listing);
        if (m_order.size() > mostListings) {
            m_listings.remove(m_order.front());
            m_order.pop_front();
        }
    }
    if (!trouble.isEmpty() || !listing)
        m_troubles.insert(m_listing, trouble);
    listNext();
}

// The same with what the compiler has said meanwhile.
void CompareController::remake() {
    const auto isNew = [this](const ComparedState &state) {
        return !state.choice.isArm() && !state.listing && m_listings.contains(state.textHash);
    };
    if (!isNew(m_pair->left) && !isNew(m_pair->right) && m_troubles.isEmpty())
        return;
    inPool(
        this,
        [pair = m_pair, listings = m_listings, troubles = m_troubles] {
            auto made = std::make_shared<ComparedPair>(*pair);
            QStringList said;
            for (ComparedState *state : {&made->left, &made->right}) {
                if (state->choice.isArm())
                    continue;
                if (const Listing known = listings.value(state->textHash); known && !state->listing)
                    addListing(*state, known);
                if (const QString why = troubles.value(state->textHash); !why.isEmpty())
                    said << tr("SASS of %1: %2").arg(state->side.title, why);
            }
            made->comparison = compareStates(made->left, made->right);
            for (const QString &trouble : said)
                made->comparison.missing.push_back({MissingPart::Act::None, trouble, {}});
            return SharedPair(made);
        },
        [this, number = m_jobs.next()](const SharedPair &made) {
            if (m_jobs.isStale(number))
                return;
            m_pair = made;
            emit compared(made);
        });
}

} // namespace warpwright
