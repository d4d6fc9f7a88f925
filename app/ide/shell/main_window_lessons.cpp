// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in main_window.h: how one begins and where it lies, its page, and the guide to write one.
#include "agent/lessons/lesson_folder.h"
#include "app/ide/agent/agent_desk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/lesson/bet_desk.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/lesson/lesson_desk.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/job.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/readme_pictures.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/toasts.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

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

void MainWindow::connectLessons() {
    m_pages->addWidget(&m_lesson->page());
    connect(m_lesson, &LessonDesk::pageAsked, this, [this] { showPage(&m_lesson->page()); });
    // Whoever watches a run goes to where it did that step.
    m_lesson->setJump([this](const QString &proposal) {
        const bool isWatched = m_replay->isOpen() && m_pages->currentWidget() == m_workPage;
        if (isWatched)
            m_replay->goToProposal(proposal);
        return isWatched;
    });
    connect(&m_lesson->page(), &LessonPage::closed, this, &MainWindow::backToWork);
    connect(&m_lesson->page(), &LessonPage::linkActivated, this, [this](const QString &address) {
        if (m_bench->workspace())
            showPage(m_workPage);
        follow(address);
    });
    connect(&m_lesson->page(), &LessonPage::exportAsked, this, &MainWindow::exportLesson);
    connect(m_agent, &AgentDesk::runChanged, m_lesson, [this] {
        m_lesson->setRunning(m_agent->isRunning(), m_agent->agent().kind == AuthorKind::Script);
        enableActions(); // which say what runs
        m_lesson->readSoon();
        m_start->setAtWork(m_agent->isRunning() && m_bench->workspace() ? m_bench->workspace()->folder
                                                                        : QString());
    });
    // In a lesson no agent is at work that would need a name.
    connect(m_lesson, &LessonDesk::shown, this,
            [this] { m_agentDock->setTitle(m_lesson->contents() ? tr("Lesson") : tr("Agent")); });
    // The first text may take minutes, with nothing else on the page that moves.
    const auto tellWork = [this] {
        const std::optional<StageProgress> work = m_agent->work();
        const bool isMeasuring = work && work->stage != QLatin1String("propose");
        m_lesson->page().setWork(isMeasuring ? workText(*work) : QString());
    };
    connect(m_agent, &AgentDesk::worked, m_lesson, tellWork);
    connect(m_agent, &AgentDesk::runChanged, m_lesson, tellWork);
    connect(m_lesson, &LessonDesk::shown, this, [this] {
        if (m_bench->workspace() && !m_agent->isRunning() && m_left.run.isEmpty())
            showNoRun();
    });
    // What was typed is saved first: the steps are patches of the text on the disk.
    connect(m_actions->beginLesson, &QAction::triggered, this, [this] {
        m_candidate->saveAll([this](bool isSaved) {
            if (!isSaved || !m_bench->workspace())
                return;
            m_agentDock->reveal(); // reasons, steps and bets are there
            m_agent->begin({AuthorKind::Script, {}},
                           m_bench->workspace()->folder + QLatin1Char('/') + lessonStepsFolder);
            m_lesson->openPage(); // while the first text is measured, it is there to be read
        });
    });
    auto *bets = new BetDesk(*m_actions, *m_state, this);
    connect(m_lesson, &LessonDesk::shown, bets, [this, bets] {
        const std::optional<LessonContents> &contents = m_lesson->contents();
        bets->setLesson(contents && !contents->isRecording);
    });
    connect(bets, &BetDesk::told, this, [this](const QString &title, const QString &text) {
        m_toasts->closeAll(title); // the last one is no longer true
        m_toasts->show(newsNotice(title, text));
    });
    // The key finds nothing to bet on: what is typed next would go into the text, unless that is said.
    auto *vain = new QShortcut(this);
    const auto fitVain = [this, vain] {
        vain->setKey(m_actions->bet->shortcut());
        vain->setEnabled(!m_actions->bet->isEnabled() && m_bench->workspace());
    };
    connect(m_actions->bet, &QAction::changed, vain, fitVain);
    connect(m_bench, &Workbench::opened, vain, fitVain);
    connect(m_bench, &Workbench::closed, vain, fitVain);
    fitVain();
    connect(vain, &QShortcut::activated, this, [this] {
        const QString why = m_actions->bet->property("whyDisabled").toString();
        m_toasts->closeAll(tr("Nothing to bet on"));
        m_toasts->show(
            newsNotice(tr("Nothing to bet on"), why.left(1).toUpper() + why.mid(1) + QLatin1Char('.')));
    });
    connect(m_actions->beginLessonAnew, &QAction::triggered, this, &MainWindow::beginLessonAnew);
    connect(m_actions->openLesson, &QAction::triggered, this, [this] {
        askForFile(this, {FileQuestion::Of::Folder, tr("The folder of a lesson: it holds start/ and steps/")},
                   [this](const QString &folder) { beginLessonIn(folder, {}); });
    });
    connect(m_start, &StartPage::lessonElsewhereAsked, this, &MainWindow::beginLessonElsewhere);
    connect(m_start, &StartPage::ownLessonAsked, this, [this](QWidget *row) {
        auto *menu = new QMenu(row);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_actions->openLesson, m_actions->writeLesson});
        menu->popup(row->mapToGlobal(QPoint(0, row->height())));
    });
    auto *guide = new GuidePage(m_look, tr("How to write a lesson"), m_actions->openLesson, this);
    m_pages->addWidget(guide);
    connect(guide, &GuidePage::closed, this, &MainWindow::backToWork);
    connect(m_actions->writeLesson, &QAction::triggered, this, [this, guide] {
        inPool(
            this,
            [file = m_bench->folders().resources + QStringLiteral("/lessons/WRITING.md")] {
                return readTextFile(file);
            },
            [this, guide](const Result<QByteArray> &text) {
                if (!text.hasValue())
                    return sayTrouble(tr("Cannot show the guide"), text.message());
                guide->showText(QString::fromUtf8(text.value()));
                showPage(guide);
            });
    });
}

// Nothing is lost: the workspace of now stays as it is, with its iterations and its run. What is asked is
// where the new one lies.
void MainWindow::beginLessonAnew() {
    const std::optional<LessonContents> &contents = m_lesson->contents();
    if (!contents)
        return;
    const QString lesson =
        QFileInfo::exists(contents->lesson.folder) ? contents->lesson.folder : contents->lesson.name;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("beginAnewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *here = menu->addAction(
        tr("In \"%1\"").arg(nextLessonFolder(contents->lesson.name, m_bench->folders().data)));
    QAction *there = menu->addAction(tr("In a folder that I choose…"));
    menu->addSeparator();
    menu->addAction(tr("\"%1\" stays as it is").arg(m_bench->workspace()->folder))->setEnabled(false);
    connect(here, &QAction::triggered, this, [this, lesson] { beginLessonIn(lesson, {}); });
    connect(there, &QAction::triggered, this, [this, lesson] { beginLessonElsewhere(lesson); });
    // Below its button; from the palette, where no mouse has pointed, in the middle. Inside the window.
    const auto *button = m_lesson->page().findChild<QWidget *>(QStringLiteral("lesson-beginLessonAnew"));
    const QSize size = menu->sizeHint();
    QPoint at = button != nullptr && button->isVisible() ? button->mapTo(this, QPoint(0, button->height()))
                                                         : QPoint((width() - size.width()) / 2, height() / 4);
    at.setX(std::clamp(at.x(), 0, std::max(0, width() - size.width())));
    menu->popup(mapToGlobal(at));
    menu->setActiveAction(here);
}

void MainWindow::beginLessonElsewhere(const QString &lesson) {
    askForFile(this, {FileQuestion::Of::Folder, tr("An empty folder for the lesson's workspace")},
               [this, lesson](const QString &folder) { beginLessonIn(lesson, folder); });
}

void MainWindow::beginLessonIn(const QString &lesson, const QString &folder) {
    if (m_agent->isRunning()) {
        sayTrouble(tr("No lesson yet"), m_lesson->stopFirstWords());
        return;
    }
    struct Made {
        Result<QString> folder;
        bool isFaulty;             ///< the lesson is somebody's own, and cannot be followed
        QStringList notShown = {}; ///< pictures of its README.md
    };
    inPool(
        this,
        [lesson, folder, folders = m_bench->folders()] {
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
                return showLessonFaults(lesson, folder, made.folder.message());
            if (!made.folder.hasValue())
                return sayTrouble(tr("Cannot begin the lesson"), made.folder.message());
            m_lessonToShow = made.folder.value();
            openWorkspace(made.folder.value());
            if (!made.notShown.isEmpty())
                m_toasts->show(newsNotice(tr("Pictures of README.md that are not shown"),
                                          made.notShown.join(QLatin1Char('\n')), true));
        });
}

// They stay in sight while they are mended, one by one, in another program.
void MainWindow::showLessonFaults(const QString &lesson, const QString &folder, const QString &faults) {
    if (auto *before = m_pages->findChild<GuidePage *>(QStringLiteral("lessonFaults"))) {
        before->setObjectName({});
        m_pages->removeWidget(before);
        before->deleteLater();
    }
    auto *again = new QAction(tr("Try again"), this);
    auto *page = new GuidePage(m_look, tr("This lesson cannot be followed yet"), again, this);
    again->setParent(page);
    page->setFocusProxy(page->findChild<QWidget *>(QStringLiteral("guideTries")));
    page->setObjectName(QStringLiteral("lessonFaults"));
    page->showText(faultsAsList(faults));
    m_pages->addWidget(page);
    connect(again, &QAction::triggered, this, [this, lesson, folder] { beginLessonIn(lesson, folder); });
    connect(page, &GuidePage::closed, this, &MainWindow::backToWork);
    showPage(page);
}

// Its files are in the editors now. Nothing runs before the person begins it.
void MainWindow::showOpenedLesson() {
    const QString folder = std::exchange(m_lessonToShow, QString());
    if (folder.isEmpty() || !m_bench->workspace() ||
        QFileInfo(m_bench->workspace()->folder) != QFileInfo(folder))
        return;
    m_agentDock->reveal(); // reasons, steps and bets are there
    m_lesson->openPage();
}

void MainWindow::exportLesson(const QString &kind) {
    const QString proposal = m_lesson->fileName(kind);
    askForFile(this, {FileQuestion::Of::NewFile, tr("Export"), proposal, QStringLiteral("*.") + kind},
               [this, kind, proposal](const QString &file) {
                   if (m_lesson->fileName(kind) != proposal)
                       return sayTrouble(tr("Not exported"), tr("Another lesson is open by now."));
                   const Result<void> written = m_lesson->write(kind, file);
                   if (written.hasValue())
                       m_toasts->show(newsNotice(tr("Exported"), QFileInfo(file).absoluteFilePath()));
                   else
                       sayTrouble(tr("Not exported"), written.message());
               });
}

} // namespace warpwright
