// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/judge_notice.h"

#include "toolchain/compile/header_store.h"
#include "widgets/frame/action_button.h"

#include <QFile>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <utility>

namespace warpwright {
namespace {

constexpr int pollMs = 2000;
/// Looks until a build that was begun must be seen: a process starts, and asks Python for its torch.
constexpr int patience = 15;

} // namespace

JudgeNotice::JudgeNotice(const Look &look, DataFolders folders, QWidget *parent)
    : Card(look, parent), m_folders(std::move(folders)) {
    setObjectName(QStringLiteral("judgeNotice"));
    auto *box = new QWidget(this);
    m_what = new Words(look, TextRole::Body, "text.primary", box, QFont::Medium);
    m_what->setObjectName(QStringLiteral("judgeNoticeWhat"));
    m_what->setWordWrap(true);
    m_how = new Words(look, TextRole::Small, "text.secondary", box);
    m_how->setObjectName(QStringLiteral("judgeNoticeHow"));
    m_how->setWordWrap(true);
    m_now = new ActionButton(look, ActionButton::Kind::Plain, box);
    m_now->setObjectName(QStringLiteral("judgeNoticeNow"));
    m_now->setText(tr("Compile it now"));
    connect(m_now, &QAbstractButton::clicked, this, &JudgeNotice::prepare);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(look.px(2));
    lines->addWidget(m_what);
    lines->addWidget(m_how);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(look.px(14), look.px(10), look.px(14), look.px(10));
    row->setSpacing(look.px(12));
    row->addLayout(lines, 1);
    row->addWidget(m_now, 0, Qt::AlignVCenter);
    add(box);
    m_poll.setInterval(pollMs);
    connect(&m_poll, &QTimer::timeout, this, &JudgeNotice::lookAgain);
    hide();
}

void JudgeNotice::setToolchain(const Toolchain &toolchain) {
    m_toolchain = toolchain;
    lookAgain();
}

void JudgeNotice::prepareWith(const QString &preparer) {
    m_preparer = preparer;
    lookAgain();
}

void JudgeNotice::lookAgain() {
    if (!m_toolchain)
        return;
    const int job = m_jobs.next();
    inPool(
        this, [toolchain = *m_toolchain, folders = m_folders] { return refereeStateOf(toolchain, folders); },
        [this, job](const RefereeState &state) {
            if (!m_jobs.isStale(job))
                show(state);
        });
}

void JudgeNotice::show(const RefereeState &state) {
    m_state = state;
    const bool isMissing = state.isKnown && !state.isBuilt;
    const bool goesOn = isMissing && state.progress.isRunning;
    m_waits = goesOn ? patience : m_waits + 1; // what was begun is seen once
    const bool isAwaited = m_hasBegun && !goesOn && state.failureLog.isEmpty() && m_waits < patience;
    if (goesOn) {
        m_what->setText(tr("The judge is being compiled: step %1 of %2, %3 left")
                            .arg(state.progress.step())
                            .arg(state.count)
                            .arg(roughTimeText(state.secondsGuess)));
    } else if (!state.failureLog.isEmpty()) {
        m_what->setText(tr("The judge could not be compiled, so nothing can be checked"));
        m_how->setText(tr("What the compiler said is in \"%1\".").arg(state.failureLog));
    } else {
        m_what->setText(
            isAwaited ? tr("The judge is about to be compiled, %1").arg(roughTimeText(state.secondsGuess))
                      : tr("The judge is not compiled yet: %1, once").arg(roughTimeText(state.secondsGuess)));
    }
    if (goesOn || isAwaited)
        m_how->setText(
            tr("It verifies and times kernels, and is compiled once for this account and torch. You can "
               "open, read and edit meanwhile; a first check waits for it."));
    else if (state.failureLog.isEmpty())
        m_how->setText(
            tr("It verifies and times kernels, and is compiled once for this account and torch. The first "
               "check does it otherwise."));
    m_now->setText(state.failureLog.isEmpty() ? tr("Compile it now") : tr("Try again"));
    m_now->setVisible(!goesOn && !isAwaited && !m_preparer.isEmpty());
    setVisible(isMissing);
    if (!isMissing)
        m_poll.stop();
    else if (isVisible() && !m_poll.isActive())
        m_poll.start();
    if (isMissing && !goesOn && !m_hasBegun && !m_preparer.isEmpty() && state.failureLog.isEmpty())
        prepare();
    emit looked(state);
}

void JudgeNotice::prepare() {
    if (m_preparer.isEmpty() || m_state.progress.isRunning)
        return;
    m_hasBegun = true;
    m_waits = 0;
    if (!m_state.failureLog.isEmpty())
        QFile::remove(std::exchange(m_state.failureLog, {})); // of the attempt before
    startPreparing(m_preparer, {QStringLiteral("--judge")});
    show(RefereeState(m_state));
}

void JudgeNotice::showEvent(QShowEvent *event) {
    Card::showEvent(event);
    if (!m_state.isKnown || m_state.isBuilt)
        return;
    m_poll.start();
    lookAgain(); // what it says is of when it was seen last
}

void JudgeNotice::hideEvent(QHideEvent *event) {
    Card::hideEvent(event);
    m_poll.stop();
}

} // namespace warpwright
