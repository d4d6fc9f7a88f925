// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/lesson_starts.h"

#include "agent/lessons/lesson_folder.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/bet_controller.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/run_offers.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/readme_pictures.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QCursor>
#include <QFileInfo>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

/// As Markdown: the folder, then a point for each fault. A name may hold what Markdown means as emphasis.
QString faultsAsList(const QString &message) {
    QString text = message;
    for (const char *mark : {"\\", "*", "_", "`", "[", "]", "#"})
        text.replace(QLatin1String(mark), QLatin1Char('\\') + QLatin1String(mark));
    QStringList lines = text.split(QLatin1Char('\n'));
    const QString head = lines.takeFirst(); // of one mistake it is all
    for (QString &line : lines)
        line.prepend(QLatin1String("- "));
    return head + QStringLiteral("\n\n") + lines.join(QLatin1Char('\n'));
}

} // namespace

LessonStarts::LessonStarts(const WindowParts &parts, RunOffers &offers, QObject *parent)
    : QObject(parent), m_parts(parts), m_offers(offers) {
    m_parts.pageStack->addWidget(&m_parts.lesson->page());
    connectPage();
    connectRun();
    connectBets();
    connectActions();
    connect(m_parts.opener, &WorkspaceOpener::reopened, this, &LessonStarts::showOpened);
}

void LessonStarts::connectPage() {
    LessonPage *page = &m_parts.lesson->page();
    connect(m_parts.lesson, &LessonController::pageAsked, this, [this, page] { m_parts.pages->show(page); });
    // Whoever watches a run goes to where it did that step.
    m_parts.lesson->setJump([this](const QString &proposal) {
        const bool isWatched = m_parts.replay->isOpen() && m_parts.pages->isOnWork();
        if (isWatched)
            m_parts.replay->goToProposal(proposal);
        return isWatched;
    });
    connect(page, &LessonPage::closed, m_parts.pages, &WindowPages::backToWork);
    connect(page, &LessonPage::linkActivated, this, [this](const QString &address) {
        if (m_parts.bench->workspace())
            m_parts.pages->show(m_parts.workPage);
        m_parts.places->follow(address);
    });
    connect(page, &LessonPage::exportAsked, this, &LessonStarts::exportAs);
}

void LessonStarts::connectRun() {
    connect(m_parts.agent, &AgentController::runChanged, m_parts.lesson, [this] {
        const AgentController &agent = *m_parts.agent;
        m_parts.lesson->setRunning(agent.isRunning(), agent.agent().kind == AuthorKind::Script);
        m_parts.reasons->update(); // which say what runs
        m_parts.lesson->readSoon();
        m_parts.start->setAtWork(
            agent.isRunning() && m_parts.bench->workspace() ? m_parts.bench->workspace()->folder : QString());
    });
    // In a lesson no agent is at work that would need a name.
    connect(m_parts.lesson, &LessonController::shown, this,
            [this] { m_parts.agentDock->setTitle(m_parts.lesson->contents() ? tr("Lesson") : tr("Agent")); });
    // The first text may take minutes, with nothing else on the page that moves.
    const auto tellWork = [this] {
        const std::optional<StageProgress> work = m_parts.agent->work();
        const bool isMeasuring = work && work->stage != QLatin1String("propose");
        m_parts.lesson->page().setWork(isMeasuring ? workText(*work) : QString());
    };
    connect(m_parts.agent, &AgentController::worked, m_parts.lesson, tellWork);
    connect(m_parts.agent, &AgentController::runChanged, m_parts.lesson, tellWork);
    connect(m_parts.lesson, &LessonController::shown, this, [this] {
        if (m_parts.bench->workspace() && !m_parts.agent->isRunning() && m_offers.left().run.isEmpty())
            m_offers.showNoRun();
    });
    // What was typed is saved first: the steps are patches of the text on the disk.
    connect(m_parts.actions->beginLesson, &QAction::triggered, this, [this] {
        m_parts.candidate->saveAll([this](bool isSaved) {
            if (!isSaved || !m_parts.bench->workspace())
                return;
            m_parts.agentDock->reveal(); // reasons, steps and bets are there
            m_parts.agent->begin({AuthorKind::Script, {}},
                                 m_parts.bench->workspace()->folder + QLatin1Char('/') + lessonStepsFolder);
            m_parts.lesson->openPage(); // while the first text is measured, it is there to be read
        });
    });
}

void LessonStarts::connectBets() {
    auto *bets = new BetController(*m_parts.actions, *m_parts.state, this);
    connect(m_parts.lesson, &LessonController::shown, bets, [this, bets] {
        const std::optional<LessonContents> &contents = m_parts.lesson->contents();
        bets->setLesson(contents && !contents->isRecording);
    });
    connect(bets, &BetController::told, this, [this](const QString &title, const QString &text) {
        m_parts.toasts->closeAll(title); // the last one is no longer true
        m_parts.toasts->show(newsNotice(title, text));
    });
    // The key finds nothing to bet on: what is typed next would go into the text, unless that is said.
    auto *vain = new QShortcut(m_parts.window);
    QAction *bet = m_parts.actions->bet;
    const auto fitVain = [this, vain, bet] {
        vain->setKey(bet->shortcut());
        vain->setEnabled(!bet->isEnabled() && m_parts.bench->workspace());
    };
    connect(bet, &QAction::changed, vain, fitVain);
    connect(m_parts.bench, &Workbench::opened, vain, fitVain);
    connect(m_parts.bench, &Workbench::closed, vain, fitVain);
    fitVain();
    connect(vain, &QShortcut::activated, this, [this, bet] {
        const QString why = bet->property("whyDisabled").toString();
        m_parts.toasts->closeAll(tr("Nothing to bet on"));
        m_parts.toasts->show(
            newsNotice(tr("Nothing to bet on"), why.left(1).toUpper() + why.mid(1) + QLatin1Char('.')));
    });
}

void LessonStarts::connectActions() {
    const Actions &a = *m_parts.actions;
    connect(a.beginLessonAnew, &QAction::triggered, this, &LessonStarts::beginAnew);
    connect(a.openLesson, &QAction::triggered, this, [this] {
        askForFile(m_parts.window,
                   {FileQuestion::Of::Folder, tr("The folder of a lesson: it holds start/ and steps/")},
                   [this](const QString &folder) { beginIn(folder, {}); });
    });
    connect(m_parts.start, &StartPage::lessonAsked, this, &LessonStarts::ask);
    connect(m_parts.start, &StartPage::lessonElsewhereAsked, this, &LessonStarts::beginElsewhere);
    connect(m_parts.start, &StartPage::ownLessonAsked, this, [this](QWidget *row) {
        auto *menu = new QMenu(row);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_parts.actions->openLesson, m_parts.actions->writeLesson});
        menu->popup(row->mapToGlobal(QPoint(0, row->height())));
    });
}

// Nothing is lost: the workspace of now stays as it is, with its iterations and its run. What is asked is
// where the new one lies.
void LessonStarts::beginAnew() {
    const std::optional<LessonContents> &contents = m_parts.lesson->contents();
    if (!contents)
        return;
    const QString lesson =
        QFileInfo::exists(contents->lesson.folder) ? contents->lesson.folder : contents->lesson.name;
    auto *menu = new QMenu(m_parts.window);
    menu->setObjectName(QStringLiteral("beginAnewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *here = menu->addAction(
        tr("In \"%1\"").arg(nextLessonFolder(contents->lesson.name, m_parts.bench->folders().data)));
    QAction *there = menu->addAction(tr("In a folder that I choose…"));
    menu->addSeparator();
    menu->addAction(tr("\"%1\" stays as it is").arg(m_parts.bench->workspace()->folder))->setEnabled(false);
    connect(here, &QAction::triggered, this, [this, lesson] { beginIn(lesson, {}); });
    connect(there, &QAction::triggered, this, [this, lesson] { beginElsewhere(lesson); });
    // Below its button; from the palette, where no mouse has pointed, in the middle. Inside the window.
    const auto *button =
        m_parts.lesson->page().findChild<QWidget *>(QStringLiteral("lesson-beginLessonAnew"));
    const QWidget *window = m_parts.window;
    const QSize size = menu->sizeHint();
    QPoint at = button != nullptr && button->isVisible()
                    ? button->mapTo(window, QPoint(0, button->height()))
                    : QPoint((window->width() - size.width()) / 2, window->height() / 4);
    at.setX(std::clamp(at.x(), 0, std::max(0, window->width() - size.width())));
    menu->popup(window->mapToGlobal(at));
    menu->setActiveAction(here);
}

void LessonStarts::beginElsewhere(const QString &lesson) {
    askForFile(m_parts.window, {FileQuestion::Of::Folder, tr("An empty folder for the lesson's workspace")},
               [this, lesson](const QString &folder) { beginIn(lesson, folder); });
}

void LessonStarts::beginIn(const QString &lesson, const QString &folder) {
    if (m_parts.agent->isRunning()) {
        m_parts.notices->sayTrouble(tr("No lesson yet"), m_parts.lesson->stopFirstWords());
        return;
    }
    struct Made {
        Result<QString> folder;
        bool isFaulty;             ///< the lesson is somebody's own, and cannot be followed
        QStringList notShown = {}; ///< pictures of its README.md
    };
    inPool(
        this,
        [lesson, folder, folders = m_parts.bench->folders()] {
            const Result<Lesson> found = lessonByName(folders.resources, lesson);
            if (!found.hasValue())
                return Made{Result<QString>::error(found.message()), QFileInfo(lesson).isDir()};
            Made made{Result<QString>::ok(folder), false};
            if (folder.isEmpty())
                made.folder = beginLesson(found.value(), folders.data, folders.resources);
            else if (const auto files = layOutLesson(found.value(), folder, folders.resources);
                     !files.hasValue())
                made.folder = Result<QString>::error(files.message());
            if (made.folder.hasValue())
                made.notShown = picturesNotShown(made.folder.value());
            return made;
        },
        [this, lesson, folder](const Made &made) {
            if (made.isFaulty)
                return showFaults(lesson, folder, made.folder.message());
            if (!made.folder.hasValue())
                return m_parts.notices->sayTrouble(tr("Cannot begin the lesson"), made.folder.message());
            m_parts.opener->after().lesson = made.folder.value();
            m_parts.opener->open(made.folder.value());
            if (!made.notShown.isEmpty())
                m_parts.toasts->show(newsNotice(tr("Pictures of README.md that are not shown"),
                                                made.notShown.join(QLatin1Char('\n')), true));
        });
}

// They stay in sight while they are mended, one by one, in another program.
void LessonStarts::showFaults(const QString &lesson, const QString &folder, const QString &faults) {
    if (auto *before = m_parts.pageStack->findChild<GuidePage *>(QStringLiteral("lessonFaults"))) {
        before->setObjectName({});
        m_parts.pageStack->removeWidget(before);
        before->deleteLater();
    }
    auto *again = new QAction(tr("Try again"), this);
    auto *page =
        new GuidePage(*m_parts.look, tr("This lesson cannot be followed yet"), again, m_parts.window);
    again->setParent(page);
    page->setFocusProxy(page->findChild<QWidget *>(QStringLiteral("guideTries")));
    page->setObjectName(QStringLiteral("lessonFaults"));
    page->showText(faultsAsList(faults));
    m_parts.pageStack->addWidget(page);
    connect(again, &QAction::triggered, this, [this, lesson, folder] { beginIn(lesson, folder); });
    connect(page, &GuidePage::closed, m_parts.pages, &WindowPages::backToWork);
    m_parts.pages->show(page);
}

// Its files are in the editors now. Nothing runs before the person begins it.
void LessonStarts::showOpened() {
    const QString folder = std::exchange(m_parts.opener->after().lesson, QString());
    if (folder.isEmpty() || !m_parts.bench->workspace() ||
        QFileInfo(m_parts.bench->workspace()->folder) != QFileInfo(folder))
        return;
    m_parts.agentDock->reveal(); // reasons, steps and bets are there
    m_parts.lesson->openPage();
}

void LessonStarts::exportAs(const QString &kind) {
    const QString proposal = m_parts.lesson->fileName(kind);
    askForFile(
        m_parts.window, {FileQuestion::Of::NewFile, tr("Export"), proposal, QStringLiteral("*.") + kind},
        [this, kind, proposal](const QString &file) {
            if (m_parts.lesson->fileName(kind) != proposal)
                return m_parts.notices->sayTrouble(tr("Not exported"), tr("Another lesson is open by now."));
            const Result<void> written = m_parts.lesson->write(kind, file);
            if (written.hasValue())
                m_parts.toasts->show(newsNotice(tr("Exported"), QFileInfo(file).absoluteFilePath()));
            else
                m_parts.notices->sayTrouble(tr("Not exported"), written.message());
        });
}

void LessonStarts::ask(const QString &name) {
    if (m_parts.agent->isRunning())
        return m_parts.notices->sayTrouble(tr("No lesson yet"), m_parts.lesson->stopFirstWords());
    struct Found {
        BegunLesson begun;
        LeftWork work;
    };
    inPool(
        this,
        [name, folders = m_parts.bench->folders()] {
            Found found;
            if (const Result<Lesson> lesson = findLesson(folders.resources, name); lesson.hasValue())
                found.begun = begunLesson(lesson.value().name, folders.data);
            if (!found.begun.last.isEmpty())
                found.work = leftWorkIn(found.begun.last, folders);
            return found;
        },
        [this, name](const Found &found) {
            if (found.begun.last.isEmpty())
                return beginIn(name, {}); // which says what is wrong with a name
            auto *menu = new QMenu(m_parts.window);
            menu->setObjectName(QStringLiteral("lessonMenu"));
            menu->setAttribute(Qt::WA_DeleteOnClose);
            const QString last = homePath(found.begun.last);
            const bool isLeft = !found.work.left.run.isEmpty() && !found.work.left.process;
            QAction *goOn =
                menu->addAction(isLeft ? tr("Continue at step %1 of %2, in %3")
                                             .arg(QString::number(std::max(1, found.work.left.step)),
                                                  QString::number(found.work.steps), last)
                                       : tr("Open what was made of it, in %1").arg(last));
            connect(goOn, &QAction::triggered, this, [this, isLeft, folder = found.begun.last] {
                m_parts.opener->continueIn(folder, isLeft);
            });
            connect(menu->addAction(tr("Begin anew, in %1").arg(homePath(found.begun.next))),
                    &QAction::triggered, this, [this, name] { beginIn(name, {}); });
            const auto *row = m_parts.start->findChild<QWidget *>(QStringLiteral("lesson-") + name);
            menu->popup(row != nullptr ? row->mapToGlobal(QPoint(0, row->height())) : QCursor::pos());
            menu->setActiveAction(goOn);
        });
}

} // namespace warpwright
