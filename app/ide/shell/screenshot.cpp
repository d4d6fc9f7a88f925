// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/screenshot.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/language_controller.h"
#include "app/ide/language/open_text.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/start/doctor_panel.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/call_hint.h"
#include "widgets/popups/completion_list.h"
#include "widgets/popups/text_popup.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QRegularExpression>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int mostWaits = 20;
constexpr int mostPageWaits = 5;
constexpr int mostAsks = 6;
constexpr int quietMs = 700;         // charts and highlighting come a moment after the values
constexpr int limitMs = 15 * 60'000; // a first check builds the judge

/// That shows this page; null: it is always there.
const QAction *actionOf(const QString &page, const Actions &actions) {
    if (page == QLatin1String("lesson"))
        return actions.showLesson;
    if (page == QLatin1String("compare"))
        return actions.compareWithParent->isEnabled() ? actions.compareWithParent : actions.compareWithEager;
    if (page == QLatin1String("find"))
        return actions.findAll;
    if (page == QLatin1String("files"))
        return actions.goToFile;
    return page == QLatin1String("palette") ? actions.commands : nullptr;
}

bool isWithoutWorkspace(const QString &page) {
    return page == QLatin1String("settings") || page == QLatin1String("models") ||
           page == QLatin1String("setup") || page == QLatin1String("palette");
}

QString reasonOf(const QAction &action) {
    const QString reason = action.property("whyDisabled").toString();
    return reason.isEmpty() ? QCoreApplication::translate("Screenshot", "it is switched off just now")
                            : reason;
}

/// What a language server's answer is shown in; null: this action asks none, or leads elsewhere.
QWidget *popupOf(const QString &action, const MainWindow &window) {
    if (action == QLatin1String("completeHere"))
        return window.findChild<CompletionList *>();
    if (action == QLatin1String("callHint"))
        return window.findChild<CallHint *>();
    return action == QLatin1String("showDocumentation") ? window.findChild<TextPopup *>() : nullptr;
}

} // namespace

Screenshot::Screenshot(ScreenshotRequest request, MainWindow &window, QObject *parent)
    : QObject(parent), m_request(std::move(request)), m_window(window) {}

void Screenshot::start() {
    m_window.resize(m_request.size);
    m_window.show();
    QTimer::singleShot(limitMs, this, [this] {
        if (!m_isDone)
            emit finished(2, tr("The window was not ready within %1 minutes.").arg(limitMs / 60'000));
    });
    if (m_request.workspace.isEmpty()) {
        const bool isRunning = m_request.page == QLatin1String("running");
        if (m_request.checks || isRunning || !m_request.script.isEmpty() || !m_request.at.isEmpty()) {
            m_isDone = true;
            return emit finished(2,
                                 tr("Name a workspace: --check, --script, --at and \"running\" are pictures "
                                    "of one."));
        }
        m_window.showStartPage();
        // What the doctor finds belongs to the picture.
        auto *doctor = m_window.findChild<DoctorPanel *>();
        connect(doctor, &DoctorPanel::found, this, &Screenshot::settle);
        return;
    }
    connect(&m_window, &MainWindow::settled, this, &Screenshot::opened, Qt::SingleShotConnection);
    connect(&m_window.bench(), &Workbench::failed, this, [this](const QString &, const QString &text) {
        if (!m_window.bench().workspace() && !m_isDone) {
            m_isDone = true;
            emit finished(2, text);
        }
    });
    m_window.openWorkspace(m_request.workspace);
}

void Screenshot::opened() {
    if (!m_window.bench().workspace())
        return; // it failed, and the reason is on its way
    if (!m_request.script.isEmpty())
        return review();
    if (!m_request.checks) {
        if (m_request.page == QLatin1String("running")) {
            m_isDone = true;
            emit finished(2, tr("\"running\" is a picture of a check: give --check, too."));
            return;
        }
        settle();
        return;
    }
    connect(&m_window.bench(), &Workbench::checked, this, [this] { m_isChecking = false; });
    connect(&m_window.bench(), &Workbench::shownChanged, this, [this] {
        if (!m_isChecking && !m_window.bench().isRunning())
            settle();
    });
    m_isChecking = true;
    m_window.actions().check->trigger();
    if (m_request.page == QLatin1String("running"))
        QTimer::singleShot(8000, this, &Screenshot::settle);
}

void Screenshot::review() {
    AgentController &agent = m_window.agent();
    connect(&agent, &AgentController::noticed, this,
            [this](const QString &, const QString &text, bool isTrouble) {
                if (isTrouble && !std::exchange(m_isDone, true))
                    emit finished(2, text);
            });
    connect(&agent, &AgentController::runChanged, this, [this, &agent] {
        if (agent.session() == nullptr || m_isDone)
            return;
        connect(agent.session(), &Session::evidenceChanged, this, &Screenshot::measured,
                Qt::UniqueConnection);
    });
    agent.begin({AuthorKind::Script, {}}, m_request.script);
}

// Nobody is there to bet: what a lesson hides until then is shown.
void Screenshot::measured() {
    Session *session = m_window.agent().session();
    if (session != nullptr && session->isResultHidden()) {
        if (session->evidence() == nullptr)
            return; // it was hidden just now, and is not measured yet
        session->showResult(QStringLiteral("a picture is taken of it"));
    }
    settle();
}

void Screenshot::settle() {
    if (std::exchange(m_isDone, true))
        return;
    showPage();
}

// Some are shown by an action. Whether it can be done is known only when the workspace has been read.
void Screenshot::showPage() {
    const QString &page = m_request.page;
    if (page.isEmpty() || page == QLatin1String("running"))
        return goThere();
    const QAction *action = actionOf(page, m_window.actions());
    const bool needsWorkspace = m_request.workspace.isEmpty() && !isWithoutWorkspace(page);
    const QString noWorkspace = tr("\"--pane %1\" shows nothing here: no workspace is open.").arg(page);
    if (action != nullptr && needsWorkspace)
        return emit finished(2, noWorkspace);
    if (action != nullptr && !action->isEnabled()) {
        if (++m_actWaits > mostPageWaits)
            return emit finished(2, tr("\"--pane %1\" shows nothing here: %2.").arg(page, reasonOf(*action)));
        QTimer::singleShot(quietMs, this, &Screenshot::showPage);
        return;
    }
    m_actWaits = 0;
    if (!m_window.showPane(page))
        return emit finished(2, tr("There is no pane \"%1\". \"--help\" lists them.").arg(page));
    if (action == nullptr && needsWorkspace)
        return emit finished(2, noWorkspace);
    goThere();
}

void Screenshot::goThere() {
    const auto soon = [this] {
        QTimer::singleShot(quietMs, this, &Screenshot::actNext);
    };
    if (!m_request.at.isEmpty()) {
        static const QRegularExpression form(QStringLiteral("^(.+?):(\\d+)(?::(\\d+))?$"));
        const QRegularExpressionMatch match = form.match(m_request.at);
        const QString file = match.captured(1);
        const int line = match.captured(2).toInt();
        m_window.goTo(file, line, match.captured(3).isEmpty() ? 1 : match.captured(3).toInt());
        const Workspace &workspace = *m_window.bench().workspace();
        const QDir folder(workspace.folder);
        const QFileInfo asked(folder, file);
        const QString shown = m_window.findChild<CandidatePanel *>()->currentFile();
        const auto *editor = qobject_cast<CodeEditor *>(m_window.focusWidget());
        if (editor == nullptr ||
            (asked != QFileInfo(workspace.modelFile) && asked != QFileInfo(folder, shown)))
            return emit finished(2,
                                 tr("\"%1\" is no file of the candidate, and not the reference.").arg(file));
        if (editor->cursorPlace().line != line)
            return emit finished(2, tr("\"%1\" has no line %2: it ends with line %3.")
                                        .arg(file)
                                        .arg(line)
                                        .arg(editor->lineCount()));
    }
    // Kernels that were never compiled take a while.
    auto *assembly = m_window.findChild<AssemblyPage *>();
    if (assembly->isInView() && !assembly->isSettled())
        connect(assembly, &AssemblyPage::settled, this, soon, Qt::SingleShotConnection);
    else
        soon();
}

// As a person would: the next one when the one before has shown what it does, and when it can be pressed.
void Screenshot::actNext() {
    if (m_request.acts.isEmpty())
        return take();
    const QString &name = m_request.acts.first();
    auto *action = m_window.actions().findChild<QAction *>(name, Qt::FindDirectChildrenOnly);
    if (action == nullptr)
        return emit finished(2, tr("There is no action \"%1\". See the keys in the settings.").arg(name));
    if (!action->isEnabled()) {
        if (++m_actWaits > mostWaits)
            return emit finished(2, tr("\"--act %1\" cannot be done here: %2.").arg(name, reasonOf(*action)));
        QTimer::singleShot(quietMs, this, &Screenshot::actNext);
        return;
    }
    m_actWaits = 0;
    action->trigger();
    if (popupOf(name, m_window) != nullptr) {
        QTimer::singleShot(quietMs, this, &Screenshot::awaitAnswer);
        return;
    }
    m_request.acts.removeFirst();
    QTimer::singleShot(quietMs, this, &Screenshot::actNext);
}

// A language server answers when it has read the file and its headers. Its first answers may come to nothing
// for that, and it is asked again.
void Screenshot::awaitAnswer() {
    const QString name = m_request.acts.first();
    const auto &texts = m_window.language().texts();
    const bool isAsked = std::any_of(texts.begin(), texts.end(), [](const OpenText *text) {
        return text->server() != nullptr && text->server()->isAsked();
    });
    if (popupOf(name, m_window)->isVisible()) {
        m_asks = m_actWaits = 0;
        m_request.acts.removeFirst();
        QTimer::singleShot(quietMs, this, &Screenshot::actNext);
    } else if (isAsked && ++m_actWaits <= mostWaits) {
        QTimer::singleShot(quietMs, this, &Screenshot::awaitAnswer);
    } else if (++m_asks < mostAsks) {
        m_actWaits = 0;
        actNext();
    } else {
        emit finished(2, tr("\"--act %1\" shows nothing at the cursor, for the language server knows nothing "
                            "there. Name another place with --at FILE:LINE:COLUMN.")
                             .arg(name));
    }
}

// What is read in the pool belongs to the picture: counters of some megabytes take their time.
void Screenshot::take() {
    if (m_waits < mostWaits && QThreadPool::globalInstance()->activeThreadCount() > 0) {
        ++m_waits;
        QTimer::singleShot(quietMs, this, &Screenshot::take);
        return;
    }
    m_window.resize(m_request.size);
    QPixmap picture = m_window.grab();
    QPainter painter(&picture);
    // Lists and menus over it are windows of their own.
    for (QWidget *over : QApplication::topLevelWidgets())
        if (over != &m_window && over->isVisible())
            painter.drawPixmap(over->geometry().topLeft() - m_window.geometry().topLeft(), over->grab());
    painter.end();
    if (!picture.save(m_request.file)) {
        emit finished(
            2, tr("Cannot write \"%1\". Name a file that ends in .png in a folder that can be written.")
                   .arg(QFileInfo(m_request.file).absoluteFilePath()));
        return;
    }
    emit finished(0, tr("%1: %2x%3").arg(m_request.file).arg(picture.width()).arg(picture.height()));
}

} // namespace warpwright
