// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/command_page.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int flushMs = 50;
constexpr int linesAtATime = 150; // coloured while nothing else waits
constexpr qsizetype mostWaiting = 5000;
constexpr qsizetype mostOfALine = 4000;
constexpr qsizetype mostKept = 50;

QString plain(QString line) {
    static const QRegularExpression escapes(
        QStringLiteral("\u001b(\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(\u0007|\u001b\\\\)|.)"));
    line.remove(escapes);
    while (line.endsWith(QLatin1Char('\r')))
        line.chop(1);
    // A counter that writes over itself: what it said last.
    line = line.mid(line.lastIndexOf(QLatin1Char('\r')) + 1);
    return line.size() > mostOfALine ? line.left(mostOfALine) + QStringLiteral("…") : line;
}

QString seconds(double value) {
    return CommandPage::tr("%1 s").arg(value, 0, 'f', value < 10 ? 2 : 1);
}

} // namespace

CommandPage::CommandPage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_line(new QLineEdit(this)),
      m_button(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_words(new Words(look, TextRole::Small, "text.secondary", this)),
      m_log(new LogView(look, this)),
      m_out(QStringDecoder::Utf8),
      m_error(QStringDecoder::Utf8) {
    setObjectName(QStringLiteral("commandPage"));
    m_line->setObjectName(QStringLiteral("commandLine"));
    m_line->setPlaceholderText(tr("A command, as python3 -m pytest or ncu --version"));
    m_line->setToolTip(m_line->placeholderText());
    m_line->setAccessibleName(tr("Command"));
    m_line->installEventFilter(this);
    m_button->setObjectName(QStringLiteral("commandButton"));
    m_words->setObjectName(QStringLiteral("commandWords"));
    m_words->setElides(Qt::ElideMiddle); // a long path stands in its middle
    m_log->setObjectName(QStringLiteral("commandLog"));
    m_log->setAccessibleName(tr("What the command says"));
    auto *row = new QHBoxLayout;
    row->setContentsMargins(look.px(12), look.px(6), look.px(8), look.px(2));
    row->setSpacing(look.px(8));
    row->addWidget(m_line, 1);
    row->addWidget(m_button);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    m_words->setContentsMargins(look.px(12), 0, look.px(12), look.px(4));
    column->addWidget(m_words);
    column->addWidget(m_log, 1);
    setFocusProxy(m_line);
    m_flush.setInterval(flushMs);
    connect(&m_flush, &QTimer::timeout, this, [this] { flush(linesAtATime); });
    connect(m_line, &QLineEdit::returnPressed, this, [this] { run(m_line->text()); });
    connect(m_button, &QAbstractButton::clicked, this,
            [this] { isRunning() ? stop() : run(m_line->text()); });
    connect(m_log, &LogView::placeActivated, this, &CommandPage::placeActivated);
    connect(&look, &Look::changed, this, &CommandPage::restyle);
    restyle();
    describe();
}

void CommandPage::restyle() {
    m_line->setFont(m_look.font(TextRole::Log));
}

void CommandPage::setPlace(const ShellPlace &place) {
    if (place == m_place)
        return;
    const bool isOther = place.folder != m_place.folder;
    m_place = place;
    if (isOther)
        forget();
    describe();
}

// What it said was said in the other folder. Its process is told to end, and nobody hears it any more.
void CommandPage::forget() {
    const bool wasRunning = isRunning();
    if (ChildProcess *process = std::exchange(m_process, nullptr)) {
        disconnect(process, nullptr, this, nullptr);
        connect(process, &ChildProcess::finished, process, &QObject::deleteLater);
        connect(process, &ChildProcess::failed, process, &QObject::deleteLater);
        process->cancel();
    }
    m_flush.stop();
    m_waiting.clear();
    m_hasLeftOut = false;
    m_ending.clear();
    m_last.clear();
    m_log->setLog(QString());
    if (wasRunning)
        emit ended();
}

void CommandPage::focusLine() {
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void CommandPage::run(const QString &command) {
    const QString text = command.trimmed();
    if (text.isEmpty() || m_place.folder.isEmpty() || isRunning())
        return;
    m_history.removeAll(text);
    m_history << text;
    while (m_history.size() > mostKept)
        m_history.removeFirst();
    m_recalled = 0;
    m_waiting.clear();
    m_hasLeftOut = false;
    m_ending.clear();
    m_last.clear();
    m_outRest.clear();
    m_errorRest.clear();
    m_out.resetState();
    m_error.resetState();
    m_log->setLog(QStringLiteral("$ ") + text);
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::outputArrived, this,
            [this](const QByteArray &bytes) { take(m_out, m_outRest, bytes); });
    connect(m_process, &ChildProcess::errorArrived, this,
            [this](const QByteArray &bytes) { take(m_error, m_errorRest, bytes); });
    connect(m_process, &ChildProcess::finished, this, [this](const ProcessOutcome &outcome) {
        const QString took = seconds(outcome.seconds);
        end(outcome.cancelled     ? tr("stopped after %1").arg(took)
            : outcome.signal != 0 ? tr("ended by signal %1 after %2").arg(outcome.signal).arg(took)
                                  : tr("exit code %1 after %2").arg(outcome.exitCode).arg(took));
    });
    connect(m_process, &ChildProcess::failed, this, &CommandPage::end);
    m_since.start();
    m_flush.start();
    ProcessRequest request;
    request.program = QStringLiteral("bash");
    // A login shell sets PATH anew: what is used here goes before it once more.
    request.arguments = {QStringLiteral("-lc"), QStringLiteral("PATH=\"$1:$PATH\"; export PATH; eval \"$2\""),
                         QStringLiteral("bash"), m_place.programs.join(QLatin1Char(':')), text};
    request.workingFolder = m_place.folder;
    request.keepsOutput = false;
    m_process->start(request);
    describe();
}

void CommandPage::say(const QString &words) {
    m_log->appendLine(QStringLiteral("[%1]").arg(words));
}

void CommandPage::stop() {
    if (m_process != nullptr)
        m_process->cancel();
}

void CommandPage::take(QStringDecoder &decoder, QString &rest, const QByteArray &bytes) {
    rest += QString(decoder(bytes));
    QStringList lines = rest.split(QLatin1Char('\n'));
    rest = lines.takeLast().right(mostOfALine * 4);
    if (const qsizetype more = lines.size() - mostWaiting; more > 0) { // before each is looked at
        lines.remove(0, more);
        m_hasLeftOut = true;
    }
    for (const QString &line : std::as_const(lines))
        m_waiting << plain(line);
    if (const qsizetype more = m_waiting.size() - mostWaiting; more > 0) {
        m_waiting.remove(0, more);
        m_hasLeftOut = true;
    }
}

void CommandPage::flush(int atMost) {
    if (std::exchange(m_hasLeftOut, false))
        m_log->appendLine(tr("… lines are left out here: they come faster than they can be shown …"));
    const QStringList now = m_waiting.mid(0, atMost);
    m_waiting.remove(0, now.size());
    if (!now.isEmpty())
        m_log->appendLine(now.join(QLatin1Char('\n')));
    if (m_waiting.isEmpty() && !isRunning()) {
        m_flush.stop();
        if (!m_ending.isEmpty())
            m_log->appendLine(QStringLiteral("[%1]").arg(std::exchange(m_ending, QString())));
    }
    if (isRunning())
        describe();
}

void CommandPage::end(const QString &words) {
    m_process->deleteLater();
    m_process = nullptr;
    for (QString *rest : {&m_outRest, &m_errorRest})
        if (!rest->isEmpty())
            m_waiting << plain(std::exchange(*rest, QString()));
    m_ending = words;
    m_last = words;
    describe();
    emit ended();
}

void CommandPage::describe() {
    const bool isOpen = !m_place.folder.isEmpty();
    m_line->setEnabled(isOpen);
    m_button->setEnabled(isOpen);
    m_button->setText(isRunning() ? tr("Stop") : tr("Run"));
    m_button->setIconName(isRunning() ? QStringLiteral("stop") : QStringLiteral("run"));
    m_words->setText(
        !isOpen             ? tr("No workspace is open: a command runs in its folder.")
        : isRunning()       ? tr("runs, %1").arg(seconds(static_cast<double>(m_since.elapsed()) / 1000))
        : !m_last.isEmpty() ? tr("%1; it ran as you, with no sandbox").arg(m_last)
                            : tr("Runs as you, in %1, with no sandbox around it.").arg(m_place.folder));
    m_words->setToolTip(isOpen
                            ? tr("A command runs as you, in %1, with no sandbox around it; it finds wright, "
                                 "python and nvcc as they are used here.")
                                  .arg(m_place.folder)
                            : m_words->text());
}

void CommandPage::recall(int by) {
    const qsizetype next = std::clamp<qsizetype>(m_recalled + by, 0, m_history.size());
    if (next == m_recalled)
        return;
    if (m_recalled == 0)
        m_typed = m_line->text();
    m_recalled = next;
    m_line->setText(next == 0 ? m_typed : m_history[m_history.size() - next]);
}

bool CommandPage::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace warpwright
