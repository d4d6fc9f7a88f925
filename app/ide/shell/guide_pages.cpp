// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/guide_pages.h"

#include "app/ide/help/glossary.h"
#include "app/ide/help/words_page.h"
#include "app/ide/kit/actions.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/text_file.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QFileInfo>
#include <QStackedWidget>

namespace warpwright {
namespace {

/// In a package the documents lie beside the resources, in the source tree, too.
QString promisesFile(const QString &resources) {
    const QString name = QStringLiteral("docs/what-the-judge-promises.md");
    const QString packaged = resources + QStringLiteral("/../doc/warpwright/") + name;
    return QFileInfo::exists(packaged) ? packaged : resources + QStringLiteral("/../") + name;
}

} // namespace

GuidePages::GuidePages(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    addLessonGuide();
    auto *words = m_parts.actions.findChild<QAction *>(QStringLiteral("words"));
    addWords(words);
    addPromises(words);
}

void GuidePages::addLessonGuide() {
    auto *guide =
        new GuidePage(m_parts.look, tr("How to write a lesson"), m_parts.actions.openLesson, m_window);
    m_parts.pages.add(guide);
    connect(guide, &GuidePage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(m_parts.actions.writeLesson, &QAction::triggered, this, [this, guide] {
        openFrom(
            guide,
            [resources = m_parts.bench.folders().resources] {
                return resources + QStringLiteral("/lessons/WRITING.md");
            },
            tr("Cannot show the guide"));
    });
}

void GuidePages::addWords(QAction *words) {
    // The palette finds the page by each word that it explains.
    QStringList names{words->property("otherNames").toString()};
    for (const GlossaryEntry &entry : glossary())
        names << entry.word;
    words->setProperty("otherNames", names.join(QLatin1Char(' ')));
    auto *page = new WordsPage(m_parts.look, m_window);
    m_parts.pages.add(page);
    connect(page, &WordsPage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(words, &QAction::triggered, this, [this, page] {
        page->open();
        m_parts.pages.show(page);
    });
}

void GuidePages::addPromises(QAction *words) {
    auto *promises =
        new GuidePage(m_parts.look, tr("What the judge promises, and what it does not"), words, m_window);
    promises->setObjectName(QStringLiteral("promisesPage"));
    m_parts.pages.add(promises);
    connect(promises, &GuidePage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(m_parts.actions.findChild<QAction *>(QStringLiteral("judgePromises")), &QAction::triggered, this,
            [this, promises] {
                openFrom(
                    promises,
                    [resources = m_parts.bench.folders().resources] { return promisesFile(resources); },
                    tr("Cannot show what the judge promises"));
            });
}

// `file` looks where it is, which the window's thread does not wait for.
void GuidePages::openFrom(GuidePage *page, const std::function<QString()> &file, const QString &trouble) {
    inPool(
        this, [file] { return readTextFile(file()); },
        [this, page, trouble](const Result<QByteArray> &text) {
            if (!text.hasValue())
                return m_parts.notices.sayTrouble(trouble, text.message());
            page->showText(QString::fromUtf8(text.value()));
            m_parts.pages.show(page);
        });
}

} // namespace warpwright
