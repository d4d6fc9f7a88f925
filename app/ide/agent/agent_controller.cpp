// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_controller.h"

#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/agent/budget_editor.h"
#include "app/ide/agent/review_controller.h"
#include "app/ide/agent/run_words.h"
#include "app/ide/agent/shown_budgets.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/run_buttons.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/lesson/bet_words.h"
#include "app/ide/lesson/lesson_contents.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/review/hunk_numbers.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/figures.h"
#include "widgets/editor/code_editor.h"

#include <QAction>

namespace warpwright {
AgentController::AgentController(const Look &look, Places places, QObject *parent)
    : QObject(parent),
      m_places(places),
      m_review(new ReviewController(look, places.candidate, places.actions, this)),
      m_talk(new AgentTalk(places.panel, this)),
      m_numbers(new HunkNumbers(this)) {
    connect(m_numbers, &HunkNumbers::found, &places.profile, &ProfilePanel::showHunks);
    connect(m_talk, &AgentTalk::changed, this, &AgentController::showTalk);
    connect(m_talk, &AgentTalk::asked, this, [this] {
        show();
        const ShownPrompt prompt = m_talk->prompt().value_or(ShownPrompt());
        emit asked(prompt.who, prompt.question);
    });
    connect(m_review, &ReviewController::refused, this,
            [this](const QString &message) { emit noticed(tr("Not answered"), message, true); });
    connect(m_review, &ReviewController::outOfSight, this, &AgentController::reviewAsked);
    connect(m_review, &ReviewController::mergeLeft, this, [this](int number, const QString &text) {
        m_talk->say(tr("run"), tr("The merge of hunk %1 that you had begun, not taken over:").arg(number) +
                                   QStringLiteral("\n\n```\n%1\n```").arg(text));
    });
    connect(m_review, &ReviewController::fileLeft, this, [this](const QString &file, const QString &text) {
        m_talk->say(tr("run"), tr("What you had made of the new file %1, not taken over:").arg(file) +
                                   QStringLiteral("\n\n```\n%1\n```").arg(text));
    });
    connect(&m_places.profile, &ProfilePanel::hunkPicked, m_review, &ReviewController::goTo);
    connect(&m_places.bench, &Workbench::closed, this, [this] { stop(); });
    connect(&m_places.bench, &Workbench::shownChanged, this, [this] {
        const bool isEarlier = m_places.candidate.showsEarlier();
        if (std::exchange(m_showsEarlier, isEarlier) != isEarlier && m_run &&
            m_run->session().review() != nullptr)
            showReview(); // nobody answers what is not in sight
    });
    // A file that the step has made is in the editors only now.
    connect(&m_places.candidate, &CandidatePanel::loaded, this, [this] {
        if (m_run)
            showStep();
    });
    m_budgets = new BudgetEditor(look, places.topBar.window());
    connect(m_budgets, &BudgetEditor::accepted, this, &AgentController::takeBudgets);
    connectActions();
    connectPanel();
}

AgentController::~AgentController() = default;

void AgentController::connectActions() {
    Actions &actions = m_places.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(actions.run, [this] { goOn(); });
    on(actions.pause, [this] {
        if (m_run)
            m_run->session().pause();
    });
    on(actions.stop, [this] { stop(); });
    on(actions.modeReview, [this] { setMode(SessionMode::Review); });
    on(actions.modeStep, [this] { setMode(SessionMode::Step); });
    on(actions.modeAuto, [this] { setMode(SessionMode::Auto); });
    on(actions.measureHunks, [this] { measureHunks(); });
    on(actions.keepStep, [this] { answerStep(StepAnswer::Keep); });
    on(actions.branchStep, [this] { answerStep(StepAnswer::Branch); });
    on(actions.undoStep, [this] { answerStep(StepAnswer::Undo); });
    on(actions.bet, [this] { askBet(); });
    // Another workspace has its own answer: it tells nothing of a run that is left with the one before.
    connect(actions.betsFirst, &QAction::toggled, this, [this](bool isOn) {
        if (m_run && m_places.bench.workspace() && m_run->session().state() < SessionState::Stopping)
            betFirst(isOn);
    });
    on(actions.budgets, [this] { openBudgets(); });
}

void AgentController::connectPanel() {
    AgentPanel &panel = m_places.panel;
    connect(&panel, &AgentPanel::acceptAllAsked, m_review, &ReviewController::acceptAll);
    connect(&panel, &AgentPanel::rejectRestAsked, m_review, &ReviewController::rejectRest);
    connect(&panel, &AgentPanel::goOnAsked, m_places.actions.run, &QAction::trigger);
    connect(&panel, &AgentPanel::hunkPicked, m_review, &ReviewController::goTo);
    connect(&panel, &AgentPanel::keepAsked, m_places.actions.keepStep, &QAction::trigger);
    connect(&panel, &AgentPanel::branchAsked, m_places.actions.branchStep, &QAction::trigger);
    connect(&panel, &AgentPanel::revertAsked, m_places.actions.undoStep, &QAction::trigger);
    connect(&panel, &AgentPanel::betAsked, m_places.actions.bet, &QAction::trigger);
    connect(&panel, &AgentPanel::betPlaced, this, &AgentController::placeBet);
    connect(&panel, &AgentPanel::betTakenBack, this, [this] {
        if (!m_run || m_run->session().review() == nullptr)
            return;
        m_bet.clear();
        if (const Result<void> done = m_run->session().bet(whoBets(), {}); !done.hasValue())
            emit noticed(tr("No bet"), done.message(), true);
        showReview();
    });
    connect(&panel, &AgentPanel::revealAsked, this, [this] {
        if (m_run)
            m_run->session().showResult(QStringLiteral("the person asked for it"));
    });
    connect(&m_places.topBar.budgets(), &BudgetMeters::budgetsAsked, this, &AgentController::openBudgets);
}

void AgentController::answerStep(StepAnswer answer) {
    if (!m_run)
        return;
    const ProposalReview *step = m_run->session().review();
    const int proposal = step == nullptr ? 0 : numberOf(step->proposal().id);
    if (const Result<void> done = m_run->session().answerStep(answer); !done.hasValue())
        return emit noticed(tr("The step is not answered"), done.message(), true);
    m_talk->say(tr("run"), stepWords(proposal, answer, m_run->session().iteration()));
    const CandidateTexts &texts = m_run->session().texts();
    m_places.candidate.setChecked(texts, texts);
}

// Of the proposal at hand, too, as far as nothing of it was shown; what is hidden is shown again.
void AgentController::betFirst(bool isOn) {
    Session &session = m_run->session();
    session.setBetsFirst(isOn);
    if (!isOn)
        return session.showResult(QStringLiteral("bets before results were switched off"));
    if (session.evidence() == nullptr && session.hideResult().hasValue())
        showReview();
}

void AgentController::askBet() {
    if (!m_run)
        return;
    if (const Result<void> hidden = m_run->session().hideResult(); !hidden.hasValue())
        return emit noticed(tr("No bet"), hidden.message(), false);
    m_places.panel.focusBet();
}

void AgentController::placeBet(double difference, double low, double high) {
    if (!m_run || m_run->session().review() == nullptr)
        return;
    const std::optional<double> before = timeBefore(m_run->session());
    if (!before || !(*before + difference > 0))
        return emit noticed(tr("Not a bet"),
                            before ? tr("The text before takes %1; %2 less would leave no time at all.")
                                         .arg(timeText(*before), timeText(-difference))
                                   : tr("The text before was not timed, so there is nothing to bet against. "
                                        "Show the result without a bet."),
                            true);
    Bet bet{*before + difference, {}, {}};
    if (low<high && * before + low> 0) {
        bet.low = *before + low;
        bet.high = *before + high;
    }
    m_bet = betText(bet, *before);
    if (const Result<void> done = m_run->session().bet(whoBets(), predictionOf(bet, *before));
        !done.hasValue()) {
        m_bet.clear();
        emit noticed(tr("No bet"), done.message(), true);
    }
    showReview();
}

void AgentController::setMode(SessionMode mode) {
    if (m_run) {
        Session &session = m_run->session();
        session.setMode(mode);
        if (mode == SessionMode::Auto && m_places.actions.betsFirst->isChecked())
            m_talk->say(tr("run"),
                        tr("Auto asks for no bets: predictions and results are shown as they come."));
        const ProposalReview *review = session.review();
        const int left = review == nullptr ? 0 : review->count().unanswered();
        if (mode == SessionMode::Auto && session.state() == SessionState::AwaitingReview && left > 0 &&
            left < review->count().total())
            m_talk->say(tr("run"),
                        tr("You have answered a part of proposal %1: answer the rest (%2), and the "
                           "run goes on by itself from there.")
                            .arg(numberOf(review->proposal().id))
                            .arg(countText(left, tr("hunk"))));
    }
    show();
}

void AgentController::listen() {
    Session *session = &m_run->session();
    connect(session, &Session::stateChanged, this, [this](SessionState state) {
        sayWork(state);
        showReview();
    });
    connect(session, &Session::progress, this, [this](const StageProgress &now) {
        m_step = now;
        emit worked();
    });
    connect(session, &Session::modeChanged, this, [this] { show(); });
    connect(session, &Session::pausedChanged, this, [this] { show(); });
    connect(session, &Session::meterChanged, this, [this] { show(); });
    connect(session, &Session::reviewChanged, this, &AgentController::showReview);
    connect(session, &Session::evidenceChanged, this, [this] {
        if (m_step.wait) // what waited has been measured, or was stopped
            m_step = {};
        m_places.bench.followRun(0); // the text before may have been measured for it
        showReview();
    });
    connect(session, &Session::textMeasured, this, [this] { m_places.bench.followRun(0); });
    connect(session, &Session::hunkMeasured, this,
            [this](int hunk, bool isWithout, const Evidence &evidence) {
                (isWithout ? m_evidences[hunk].allBut : m_evidences[hunk].alone) = evidence;
                showReview();
            });
    connect(session, &Session::iterationMade, this, [this](const Iteration &iteration) {
        m_places.candidate.expectReload(iteration.author.kind == AuthorKind::You ? CandidateTexts()
                                                                                 : m_run->session().texts());
        // What a step has changed is marked until somebody says that it stays.
        const Session &now = m_run->session();
        const bool isStep = now.mode() == SessionMode::Step && now.review() != nullptr &&
                            iteration.author.kind != AuthorKind::You;
        m_places.candidate.setChecked(now.texts(), isStep ? now.review()->proposal().base : now.texts());
        m_places.bench.followRun(now.iteration()); // one beside the text is in the tree alone
        if (iteration.author.kind != AuthorKind::You)
            showStep();
    });
    connect(session, &Session::textRestored, this, [this](int iteration) {
        const CandidateTexts &texts = m_run->session().texts();
        m_places.candidate.expectReload(texts);
        m_places.candidate.setChecked(texts, texts);
        m_places.bench.followRun(iteration);
    });
    connect(session, &Session::scored, this, [this](const ScoredProposal &scored) {
        m_places.bench.followRun(0);
        const ProposalReview *review = m_run->session().review();
        m_talk->say(tr("run"), scoredWords(scored, review == nullptr ? ReviewCount() : review->count(),
                                           m_run->session().stepBase() > 0));
    });
    connect(session, &Session::trouble, this,
            [this](const QString &message) { emit noticed(tr("The run"), message, true); });
    connect(session, &Session::ended, this, &AgentController::end, Qt::QueuedConnection);
    connect(
        m_run.get(), &AgentRun::ledgerChanged, this, [this] { show(); }, Qt::QueuedConnection);
}

// In Step a proposal is applied before anybody has read it: what it changed comes into sight.
void AgentController::showStep() {
    const ProposalReview *review = m_run->session().review();
    if (m_run->session().mode() != SessionMode::Step || review == nullptr)
        return;
    for (const int hunk : review->hunkIds())
        if (!review->isRename(hunk) && m_places.candidate.showFile(review->fileOf(hunk))) {
            CodeEditor *editor = m_places.candidate.currentEditor();
            const int line = review->hunk(hunk)->start + 1;
            EditorView view = editor->viewState();
            const int inSight = static_cast<int>(editor->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
            // Who looks at it already is not disturbed, and nobody's keys are taken away.
            if (line >= view.firstLine && line < view.firstLine + inSight)
                return;
            view.firstLine = std::max(1, line - inSight / 3);
            view.cursor = {line, 1};
            return editor->restoreViewState(view);
        }
}

// What Run means now: go on from a pause, keep the step, or write what was answered.
void AgentController::goOn() {
    if (!m_run)
        return;
    Session &session = m_run->session();
    if (session.isPaused())
        return session.resume();
    if (session.state() == SessionState::Scored)
        return answerStep(StepAnswer::Keep);
    m_review->takeTyped();
    m_review->keepReason();
    if (const Result<void> done = session.apply(); !done.hasValue())
        emit noticed(tr("The run waits"), done.message(), false);
}

void AgentController::measureHunks() {
    const ProposalReview *review = m_run ? m_run->session().review() : nullptr;
    if (review == nullptr)
        return;
    for (const int id : review->hunkIds()) {
        m_evidences[id].isAsked = true;
        if (isUnexercised(m_run->session(), id))
            continue;
        for (const bool isWithout : {false, true})
            if (const Result<void> asked = m_run->session().measureHunk(id, isWithout); !asked.hasValue())
                return emit noticed(tr("Not measured"), asked.message(), true);
    }
    m_places.profile.showPage(QStringLiteral("hunks"));
    showReview();
}

void AgentController::stop() {
    if (m_run)
        m_run->session().stop();
}

void AgentController::showReview() {
    const ProposalReview *review = m_run ? m_run->session().review() : nullptr;
    const QString proposal = review == nullptr ? QString() : review->proposal().id;
    if (std::exchange(m_reviewed, proposal) != proposal)
        forgetProposal();
    const HunkEvidences shown =
        review == nullptr ? HunkEvidences() : shownEvidences(m_run->session(), m_evidences);
    if (review == nullptr)
        m_numbers->clear();
    else
        m_numbers->ask(m_run->session(), shown);
    // Only what a person is asked about is shown in the editors.
    const bool isAsked = review != nullptr && m_run->session().state() == SessionState::AwaitingReview;
    if (isAsked || review == nullptr)
        m_review->show(shown);
    else
        m_review->lock(tr("the run is %1").arg(sessionStateName(m_run->session().state())));
    if (isAsked && std::exchange(m_asked, proposal) != proposal)
        m_review->goTo(firstToRead(m_run->session()));
    show();
}

void AgentController::forgetRun() {
    if (isRunning())
        return;
    m_lastRun.clear();
    m_places.panel.events().clear();
    m_places.panel.setView({});
}

void AgentController::forgetProposal() {
    m_evidences.clear();
    m_bet.clear();
}

std::optional<ProposalView> AgentController::proposal() const {
    return m_run ? m_places.panel.view().proposal : std::nullopt;
}

void AgentController::show() {
    if (!m_run)
        return;
    const Session &session = m_run->session();
    AgentView view;
    view.plan = m_talk->plan();
    view.queue = m_talk->queue();
    view.note = m_talk->note();
    view.hasNotes = m_talk->hasNotes();
    view.prompt = m_talk->prompt();
    if (session.review() != nullptr) {
        view.proposal = proposalView(session, shownEvidences(session, m_evidences), m_review->groups());
        // Once the result is shown it stands beside what was measured.
        if (const QString bet =
                session.hasBet() ? betSoFar(m_run->ledger(), session.review()->proposal().id) : QString();
            !bet.isEmpty())
            m_bet = bet;
        view.proposal->bet = m_bet;
    }
    view.ledger = ledgerLines(m_run->ledger(), mostLedgerRows);
    view.ledgerRemark = ledgerRemark(m_run->ledger(), mostLedgerRows);
    m_places.panel.setView(view);
    const SessionState state = session.state();
    const bool isWaiting = state == SessionState::AwaitingReview || state == SessionState::Scored;
    const bool isAnswered = session.review() != nullptr && session.review()->count().unanswered() == 0;
    const bool goesOn = session.isPaused() || (isWaiting && isAnswered);
    m_places.topBar.runButtons().setState(state == SessionState::Stopping ? RunButtons::Stopping
                                          : goesOn                        ? RunButtons::Paused
                                          : isWaiting || view.prompt      ? RunButtons::WaitingForYou
                                                                          : RunButtons::Running,
                                          goesOn && state != SessionState::Stopping);
    m_places.topBar.budgets().setBudgets(shownBudgets(session.budgets(), session.meter(), agent().kind),
                                         false);
    Actions &actions = m_places.actions;
    actions.setNoSession({});
    (session.mode() == SessionMode::Review ? actions.modeReview
     : session.mode() == SessionMode::Step ? actions.modeStep
                                           : actions.modeAuto)
        ->setChecked(true);
    const QString busy = tr("the run is %1").arg(sessionStateName(state));
    Actions::setReason(actions.run, session.isPaused() || (isWaiting && isAnswered) ? QString() : busy);
    Actions::setReason(actions.pause, session.isPaused() ? tr("it is paused") : QString());
    Actions::setReason(actions.answerAgent, view.prompt ? QString() : tr("the agent asks nothing"));
    Actions::setReason(actions.measureHunks,
                       state == SessionState::AwaitingReview ? QString() : tr("no proposal is under review"));
    for (QAction *action : {actions.keepStep, actions.branchStep, actions.undoStep})
        Actions::setReason(action, session.stepBase() > 0 ? QString() : tr("no step waits for an answer"));
    const bool mayBet = view.proposal && (view.proposal->canBet || view.proposal->asksBet);
    Actions::setReason(actions.bet, mayBet             ? QString()
                                    : !view.proposal   ? tr("no proposal is under review")
                                    : session.hasBet() ? tr("you have bet on this one")
                                                       : tr("the result of this one is shown already"));
    emit runChanged();
}

// A first measurement may build the judge, which takes minutes: nobody sits before a silent pane.
void AgentController::sayWork(SessionState state) {
    const Session &session = m_run->session();
    if (state == SessionState::Proposing || state == SessionState::AwaitingReview)
        m_step = {};
    if (state == SessionState::Compiling && session.review() == nullptr &&
        std::exchange(m_measured, session.iteration()) != session.iteration())
        m_talk->say(tr("run"), measuredFirstWords(session.iteration()));
}

std::optional<StageProgress> AgentController::work() const {
    if (!m_run || m_run->session().isPaused() || m_talk->prompt())
        return std::nullopt;
    switch (const SessionState state = m_run->session().state()) {
    case SessionState::Proposing: {
        const QString note = m_talk->note();
        const QString step = note.isEmpty() ? tr("the agent thinks of its next change") : note;
        return StageProgress{QStringLiteral("propose"), step, 0, 0, 0, {}};
    }
    case SessionState::Applying:
    case SessionState::Compiling:
    case SessionState::Verifying:
    case SessionState::Profiling: {
        StageProgress now = m_step;
        if (now.step.isEmpty())
            now.step = tr("the run is %1").arg(sessionStateName(state));
        return now;
    }
    default:
        return std::nullopt;
    }
}

int AgentController::measuredFirst() const {
    if (!m_run || m_run->session().review() != nullptr || m_run->session().evaluation())
        return 0;
    const SessionState state = m_run->session().state();
    const bool measures = state == SessionState::Compiling || state == SessionState::Verifying ||
                          state == SessionState::Profiling;
    return measures ? m_run->session().iteration() : 0;
}

AgentName AgentController::agent() const {
    const AgentIdentity identity = m_run ? m_run->agent().identity() : AgentIdentity();
    return m_run ? AgentName{identity.kind, identity.name} : AgentName();
}

QString AgentController::asker() const {
    return m_talk->prompt() ? m_talk->prompt()->who : QString();
}

// Also between two runs, where nothing else is to be shown.
void AgentController::showTalk() {
    AgentView view = m_places.panel.view();
    view.plan = m_talk->plan();
    view.queue = m_talk->queue();
    view.hasNotes = m_talk->hasNotes();
    view.prompt = m_talk->prompt();
    const bool isOtherNote = std::exchange(view.note, m_talk->note()) != m_talk->note();
    m_places.panel.setView(view);
    if (isOtherNote)
        emit worked();
}

void AgentController::end(SessionEnd how, const QString &why) {
    m_review->setSession(nullptr);
    m_numbers->clear();
    const Session &session = m_run->session();
    const QString stands =
        standingWords(session.iteration(),
                      session.evaluation() ? std::optional(summaryOf(*session.evaluation())) : std::nullopt,
                      *m_places.bench.tree());
    const QString said = how == SessionEnd::Stopped ? tr("You stopped it.") : why;
    QStringList last{said, stands, usedWords(session.meter())};
    last.removeAll(QString());
    m_talk->say(tr("run"), last.join(QStringLiteral("\n\n")));
    m_talk->end();
    // The judge's processes take a moment to end; the window does not wait for them.
    m_run.release()->deleteLater();
    m_places.topBar.setSession(false);
    m_places.actions.setNoSession(tr("there is no agent"));
    m_budgets->hide();
    m_places.bench.lend(false);
    m_places.bench.followRun(0);
    if (how == SessionEnd::Failed)
        emit brokenOff(why);
    emit runChanged();
}

} // namespace warpwright
