// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/screenshot.h"

#include "app/ide/actions.h"
#include "app/ide/agent_desk.h"
#include "app/ide/assembly_page.h"
#include "app/ide/doctor_panel.h"
#include "app/ide/main_window.h"

#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QPainter>
#include <QThreadPool>
#include <QTimer>

#include <utility>

namespace warpwright {
namespace {

constexpr int mostWaits = 20;
constexpr int quietMs = 700;         // charts and highlighting come a moment after the values
constexpr int limitMs = 15 * 60'000; // a first check builds the judge

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
    AgentDesk &agent = m_window.agent();
    connect(&agent, &AgentDesk::noticed, this, [this](const QString &, const QString &text, bool isTrouble) {
        if (isTrouble && !std::exchange(m_isDone, true))
            emit finished(2, text);
    });
    connect(&agent, &AgentDesk::runChanged, this, [this, &agent] {
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
    if (m_isDone)
        return;
    m_isDone = true;
    if (!m_request.page.isEmpty() && m_request.page != QLatin1String("running") &&
        !m_window.showPane(m_request.page)) {
        emit finished(2, tr("There is no pane \"%1\".").arg(m_request.page));
        return;
    }
    const auto soon = [this] {
        QTimer::singleShot(quietMs, this, &Screenshot::actNext);
    };
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
            return emit finished(
                2,
                tr("\"%1\" cannot be done here: %2").arg(name, action->property("whyDisabled").toString()));
        QTimer::singleShot(quietMs, this, &Screenshot::actNext);
        return;
    }
    m_actWaits = 0;
    m_request.acts.removeFirst();
    action->trigger();
    QTimer::singleShot(quietMs, this, &Screenshot::actNext);
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
