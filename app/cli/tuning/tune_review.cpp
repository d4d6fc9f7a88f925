// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_review.h"

#include "agent/review/hunk_groups.h"
#include "agent/review/proposal_review.h"
#include "app/cli/tuning/tune_words.h"
#include "app/cli/tuning/typed_answer.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"

#include <QProcess>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTimer>

#include <termios.h>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr int mostWrongAnswers = 3;

} // namespace

TuneReview::TuneReview(Session &session, QString listener, const Terminal &terminal, int descriptor,
                       int words, QObject *parent)
    : QObject(parent),
      m_session(session),
      m_listener(std::move(listener)),
      m_terminal(terminal),
      m_input(descriptor),
      m_words(words),
      m_isTerminal(isatty(descriptor) == 1),
      m_notifier(new QSocketNotifier(descriptor, QSocketNotifier::Read, this)) {
    connect(m_notifier, &QSocketNotifier::activated, this, &TuneReview::read);
    listen();
    connect(&m_session, &Session::stateChanged, this, [this] { show(); });
    connect(&m_session, &Session::promptsChanged, this, [this] { show(); });
    connect(&m_session, &Session::pausedChanged, this, [this](bool isPaused) {
        if (isPaused)
            askPaused();
    });
    connect(&m_session, &Session::evidenceChanged, this, [this] {
        if (m_session.evidence() != nullptr && m_session.state() == SessionState::AwaitingReview)
            tell(evidenceText(*m_session.evidence(), m_terminal));
    });
    connect(&m_session, &Session::hunkMeasured, this, &TuneReview::takeHunkMeasured);
}

void TuneReview::tell(const QString &text) const {
    print(m_words, text);
}

bool TuneReview::waitsForStep() const {
    return m_session.state() == SessionState::Scored && m_session.mode() == SessionMode::Step &&
           m_session.review();
}

void TuneReview::show() {
    // While it is paused that is the question that waits, whatever the measurement that runs comes to.
    if (m_editor != nullptr || m_session.isPaused())
        return;
    if (!m_session.prompts().empty()) {
        const AgentPrompt &prompt = m_session.prompts().front();
        if (std::exchange(m_shownPrompt, prompt.id) != prompt.id)
            tell(promptText(prompt, m_terminal));
        return ask(prompt.options.size() == 1
                       ? QStringLiteral("[1], [q]uit: ")
                       : QStringLiteral("[1] to [%1], [q]uit: ").arg(prompt.options.size()));
    }
    m_shownPrompt.clear();
    const ProposalReview *review = m_session.review();
    if (review != nullptr && m_session.mode() == SessionMode::Step)
        tellProposal(review->proposal());
    if (waitsForStep()) {
        m_asksStep = true;
        // Its result is told after the state has changed, and the question stands below it.
        QTimer::singleShot(0, this, [this] {
            if (m_asksStep && waitsForStep())
                ask(QStringLiteral("Keep this step? [k]eep, [u]ndo, [b]ranch, [q]uit: "));
        });
        return;
    }
    m_asksStep = false;
    if (m_session.state() != SessionState::AwaitingReview || review == nullptr) {
        m_shown = 0;
        m_isAsking = false;
        return listen();
    }
    tellProposal(review->proposal());
    m_shown = review->nextUnanswered();
    if (m_shown == 0) {
        if (const Result<void> applied = m_session.apply(); !applied.hasValue())
            tell(printable(applied.message()) + QLatin1Char('\n'));
        return;
    }
    showHunk(*review->hunk(m_shown));
}

void TuneReview::tellProposal(const Proposal &proposal) {
    if (m_shownProposal == proposal.id)
        return;
    m_shownProposal = proposal.id;
    m_evidences.clear();
    m_awaited = 0;
    tell(proposalText(proposal, m_terminal));
}

void TuneReview::showHunk(const Hunk &hunk) {
    const ProposalReview &review = *m_session.review();
    const ReviewCount count = review.count();
    tell(hunkText(review, hunk, m_terminal));
    QStringList others;
    const std::vector<int> ids = review.hunkIds();
    for (const int id : hunksWith(hunkGroups(review), hunk.id))
        others << QString::number(std::find(ids.begin(), ids.end(), id) - ids.begin() + 1);
    if (!others.isEmpty())
        tell(QStringLiteral("It belongs with hunk %1: a kernel and its call.\n")
                 .arg(others.join(QStringLiteral(", "))));
    const QString place =
        QStringLiteral("%1 of %2").arg(count.total() - count.unanswered() + 1).arg(count.total());
    ask(hunk.state == HunkState::Conflict
            ? QStringLiteral("(%1) A conflict. [m]ine, [t]heirs, [e]dit, [q]uit: ").arg(place)
            : QStringLiteral("(%1) Take it? [y]es, [n]o [reason], [e]dit, [a]ll the rest, [d]iscard the rest "
                             "[reason], [h]unks measured apart, [u]ndo, [q]uit: ")
                  .arg(place));
}

void TuneReview::askPaused() {
    ask(m_listener.isEmpty()
            ? QStringLiteral("Paused. Enter goes on, q stops: ")
            : QStringLiteral("Paused. Enter goes on, q stops, any other line is a message to %1: ")
                  .arg(printable(m_listener)));
}

// What somebody typed at a terminal before they saw the question was meant for something else.
void TuneReview::ask(const QString &question) {
    if (m_isTerminal && isInForeground()) {
        tcflush(m_input, TCIFLUSH);
        m_unread.clear();
    }
    tell(question);
    m_isAsking = true;
    listen();
    if (m_unread.contains('\n'))
        QTimer::singleShot(0, this, [this] { read(); });
}

/// Lines of a pipe wait for their questions, one each.
void TuneReview::listen() {
    m_notifier->setEnabled(m_editor == nullptr && (m_isAsking || m_isTerminal));
}

void TuneReview::stopListeningFor(int milliseconds) {
    m_notifier->setEnabled(false);
    QTimer::singleShot(milliseconds, this, &TuneReview::listen);
}

/// A program in the background that reads from its terminal, or empties it, is stopped by the kernel.
bool TuneReview::isInForeground() const {
    const pid_t owner = tcgetpgrp(m_input); // none: a terminal that is not ours gives no orders
    return owner < 0 || owner == getpgrp();
}

void TuneReview::read() {
    constexpr int backgroundMs = 500;
    if (m_isTerminal && !isInForeground())
        return stopListeningFor(backgroundMs);
    if (!m_unread.contains('\n')) {
        char bytes[4096];
        const ssize_t count = ::read(m_input, bytes, sizeof bytes);
        if (count <= 0) {
            m_notifier->setEnabled(false);
            if (!m_isAsking) // the next question meets its end, too
                return;
            tell(QStringLiteral("\n")); // behind the question that waits
            return m_session.stop(m_session.prompts().empty()
                                      ? QStringLiteral("Standard input has ended, so no answer can come.")
                                      : nobodyIsThereWords(&m_session.prompts().front()));
        }
        m_unread += QByteArray(bytes, static_cast<qsizetype>(count));
    }
    const qsizetype end = m_unread.indexOf('\n');
    if (end < 0 || !m_notifier->isEnabled())
        return;
    const QString line = QString::fromUtf8(m_unread.left(end)).trimmed();
    m_unread.remove(0, end + 1);
    const bool isAnswer = std::exchange(m_isAsking, false);
    listen();
    if (isAnswer)
        takeLine(line);
    else
        takeMessage(line);
    // Of a paste: a question has cleared it, if there was one.
    if (m_isTerminal && m_unread.contains('\n'))
        QTimer::singleShot(0, this, [this] { read(); });
}

/// While the agent works, or the run is paused.
void TuneReview::takeMessage(const QString &line) {
    if (isQuit(line))
        return m_session.stop();
    if (line.isEmpty())
        return;
    const QString name = printable(m_listener);
    QString said = QStringLiteral("to the agent: %1").arg(printable(line));
    if (line == QLatin1String("?"))
        said = m_listener.isEmpty()
                   ? QStringLiteral("q stops the run, Ctrl-C pauses it. This agent reads no messages.")
                   : QStringLiteral(
                         "What you type is a message to %1, which reads it before its next step. q stops "
                         "the run, Ctrl-C pauses it.")
                         .arg(name);
    else if (m_listener.isEmpty())
        said = QStringLiteral("This agent reads no messages. q stops the run, Ctrl-C pauses it.");
    else
        m_session.setMessages(m_session.messages() + QStringList{line});
    tell((m_isTerminal ? QStringLiteral("\r\x1b[K") : QString()) + said + QLatin1Char('\n'));
}

void TuneReview::takeLine(const QString &line) {
    if (isQuit(line))
        return m_session.stop();
    if (m_session.isPaused()) {
        if (!line.isEmpty()) {
            takeMessage(line);
            return askPaused();
        }
        m_session.resume();
        return show();
    }
    if (!m_shownPrompt.isEmpty())
        return takePromptAnswer(line);
    if (m_asksStep)
        return takeStepAnswer(line);
    const ProposalReview *review = m_session.review();
    const Hunk *hunk = review == nullptr ? nullptr : review->hunk(m_shown);
    if (hunk == nullptr)
        return;
    if (hunk->state == HunkState::Conflict)
        takeConflictAnswer(line);
    else
        takeReviewAnswer(line);
}

void TuneReview::takeStepAnswer(const QString &line) {
    const QString answer = typedAnswer(line, {{"k", "keep"}, {"u", "undo"}, {"b", "branch"}, {"?", "help"}})
                               .value_or(TypedAnswer())
                               .letter;
    Result<void> done = Result<void>::error(QStringLiteral("Answer k, u, b or q. ? explains them."));
    if (answer == QLatin1String("k"))
        done = m_session.answerStep(StepAnswer::Keep);
    else if (answer == QLatin1String("u"))
        done = m_session.answerStep(StepAnswer::Undo);
    else if (answer == QLatin1String("b"))
        done = m_session.answerStep(StepAnswer::Branch);
    if (done.hasValue())
        m_wrongAnswers = 0;
    else
        sayWrong(answer == QLatin1String("?") ? stepHelp() : done.message());
}

// A pipe that gives nothing else is nobody.
void TuneReview::sayWrong(const QString &words) {
    tell(printable(words) + QLatin1Char('\n'));
    if (isatty(m_input) == 1 || ++m_wrongAnswers < mostWrongAnswers)
        return show();
    m_session.stop(
        QStringLiteral("%1 answers in a row did not fit the question. %2")
            .arg(mostWrongAnswers)
            .arg(nobodyIsThereWords(m_session.prompts().empty() ? nullptr : &m_session.prompts().front())));
}

void TuneReview::takePromptAnswer(const QString &line) {
    if (m_session.prompts().empty() || m_session.prompts().front().id != m_shownPrompt)
        return show();
    const AgentPrompt prompt = m_session.prompts().front();
    const qsizetype option = line.toInt() - 1;
    if (option >= 0 && option < prompt.options.size()) {
        m_wrongAnswers = 0;
        m_session.answerPrompt(prompt.id, prompt.epoch, prompt.options.at(option));
        return;
    }
    sayWrong(QStringLiteral("Answer with the number of an option, or q."));
}

void TuneReview::takeReviewAnswer(const QString &line) {
    static const std::vector<AnswerWord> words{{"y", "yes", true}, {"n", "no", true},      {"e", "edit"},
                                               {"a", "all"},       {"d", "discard", true}, {"h", "hunks"},
                                               {"u", "undo"},      {"?", "help"}};
    const auto [answer, reason] = typedAnswer(line, words).value_or(TypedAnswer());
    QString problem;
    if (answer == QLatin1String("y"))
        problem = m_session.accept(m_shown, reason).message();
    else if (answer == QLatin1String("n"))
        problem = m_session.reject(m_shown, reason).message();
    else if (answer == QLatin1String("a"))
        problem = m_session.acceptRest({}, {}).message();
    else if (answer == QLatin1String("d"))
        problem = m_session.rejectRest({}, reason).message();
    else if (answer == QLatin1String("u"))
        problem = m_session.undo() ? QString() : QStringLiteral("There is no answer to take back.");
    else if (answer == QLatin1String("h"))
        measureHunks();
    else if (answer == QLatin1String("e"))
        return edit(m_shown);
    else if (answer == QLatin1String("?"))
        problem = hunkHelp();
    else
        problem = QStringLiteral(
            "Answer y, n, e, a, d, h, u or q; behind y, n and d a reason may follow. ? explains them.");
    if (!problem.isEmpty())
        return sayWrong(problem);
    m_wrongAnswers = 0;
    show();
}

void TuneReview::takeConflictAnswer(const QString &line) {
    static const std::vector<AnswerWord> words{
        {"m", "mine", true}, {"t", "theirs", true}, {"e", "edit"}, {"?", "help"}};
    const auto [answer, reason] = typedAnswer(line, words).value_or(TypedAnswer());
    QString problem;
    if (answer == QLatin1String("m"))
        problem = m_session.resolve(m_shown, FileReview::Side::Mine, reason).message();
    else if (answer == QLatin1String("t"))
        problem = m_session.resolve(m_shown, FileReview::Side::Theirs, reason).message();
    else if (answer == QLatin1String("e"))
        return edit(m_shown);
    else
        problem = answer == QLatin1String("?") ? conflictHelp()
                                               : QStringLiteral("Answer m, t, e or q. ? explains them.");
    if (!problem.isEmpty())
        return sayWrong(problem);
    m_wrongAnswers = 0;
    show();
}

// Only each, and all without it; the question stays while they are measured.
void TuneReview::measureHunks() {
    if (m_awaited > 0)
        return tell(QStringLiteral("They are being measured.\n"));
    m_evidences.clear();
    const HunkEvidences unexercised = withUnexercised(m_session, {});
    for (const int id : m_session.review()->hunkIds())
        for (const bool isWithout : {false, true}) {
            if (unexercised.count(id) > 0)
                continue;
            if (const Result<void> asked = m_session.measureHunk(id, isWithout); !asked.hasValue())
                return tell(printable(asked.message()) + QLatin1Char('\n'));
            m_evidences[id].isAsked = true;
            ++m_awaited;
        }
    tell(QStringLiteral("%1: only each hunk, and all without it.\n")
             .arg(countText(m_awaited, QStringLiteral("measurement"))));
    if (m_awaited == 0)
        tell(contributionsText(m_session, m_evidences, m_terminal));
}

void TuneReview::takeHunkMeasured(int hunk, bool isWithout, const Evidence &evidence) {
    const auto found = m_evidences.find(hunk);
    if (found == m_evidences.end() || m_session.review() == nullptr)
        return;
    (isWithout ? found->second.allBut : found->second.alone) = evidence;
    if (--m_awaited == 0)
        tell(contributionsText(m_session, m_evidences, m_terminal));
}

void TuneReview::edit(int hunk) {
    const Hunk &found = *m_session.review()->hunk(hunk);
    QString program = qEnvironmentVariable("VISUAL", qEnvironmentVariable("EDITOR"));
    if (program.isEmpty())
        program = QStringLiteral("vi");
    auto *folder = new QTemporaryDir;
    const QString file = folder->filePath(m_session.review()->fileOf(hunk).section(QLatin1Char('/'), -1));
    const Result<void> written = writeFileAtomically(
        file, joined(found.state == HunkState::Conflict ? found.standing : found.newLines));
    m_editor = new QProcess(this);
    listen(); // the keys are the editor's
    m_editor->setInputChannelMode(QProcess::ForwardedInputChannel);
    m_editor->setProcessChannelMode(QProcess::ForwardedChannels);
    const auto end = [this, hunk, file, folder](int exitCode) {
        m_editor->deleteLater();
        m_editor = nullptr;
        listen();
        edited(hunk, file, exitCode);
        delete folder;
    };
    connect(m_editor, &QProcess::finished, this, end);
    connect(m_editor, &QProcess::errorOccurred, this, [this, program, end](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        tell(QStringLiteral("Cannot start the editor \"%1\": %2. Set EDITOR.\n")
                 .arg(program, m_editor->errorString()));
        end(-1);
    });
    if (!written.hasValue())
        tell(printable(written.message()) + QLatin1Char('\n'));
    // As git does: EDITOR may hold arguments, so a shell reads it.
    m_editor->start(QStringLiteral("/bin/sh"),
                    {QStringLiteral("-c"), program + QStringLiteral(" \"$@\""), program, file});
}

void TuneReview::edited(int hunk, const QString &file, int exitCode) {
    const ProposalReview *review = m_session.review();
    if (review == nullptr || review->hunk(hunk) == nullptr ||
        m_session.state() != SessionState::AwaitingReview)
        return;
    const Result<QByteArray> text = readTextFile(file);
    if (exitCode != 0 || !text.hasValue()) {
        tell(QStringLiteral("The editor ended with %1; nothing was changed.\n").arg(exitCode));
    } else {
        const TextLines lines = linesOf(text.value());
        const Result<Session::Token> done = review->hunk(hunk)->state == HunkState::Conflict
                                                ? m_session.resolveWith(hunk, lines)
                                                : m_session.edit(hunk, lines);
        if (!done.hasValue())
            tell(printable(done.message()) + QLatin1Char('\n'));
    }
    show();
}

} // namespace warpwright
