// SPDX-License-Identifier: GPL-3.0-or-later
// Help in main_window.h: the words used here, and what the judge promises.
#include "app/ide/help/glossary.h"
#include "app/ide/help/words_page.h"
#include "app/ide/kit/actions.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/shell/main_window.h"
#include "toolchain/base/text_file.h"

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

void MainWindow::connectHelp() {
    auto *words = m_actions->findChild<QAction *>(QStringLiteral("words"));
    // The palette finds the page by each word that it explains.
    QStringList names{words->property("otherNames").toString()};
    for (const GlossaryEntry &entry : glossary())
        names << entry.word;
    words->setProperty("otherNames", names.join(QLatin1Char(' ')));
    auto *wordsPage = new WordsPage(m_look, this);
    m_pages->addWidget(wordsPage);
    connect(wordsPage, &WordsPage::closed, this, &MainWindow::backToWork);
    connect(words, &QAction::triggered, this, [this, wordsPage] {
        wordsPage->open();
        showPage(wordsPage);
    });
    auto *promises = new GuidePage(m_look, tr("What the judge promises, and what it does not"), words, this);
    promises->setObjectName(QStringLiteral("promisesPage"));
    m_pages->addWidget(promises);
    connect(promises, &GuidePage::closed, this, &MainWindow::backToWork);
    connect(
        m_actions->findChild<QAction *>(QStringLiteral("judgePromises")), &QAction::triggered, this,
        [this, promises] {
            inPool(
                this,
                [resources = m_bench->folders().resources] { return readTextFile(promisesFile(resources)); },
                [this, promises](const Result<QByteArray> &text) {
                    if (!text.hasValue())
                        return sayTrouble(tr("Cannot show what the judge promises"), text.message());
                    promises->showText(QString::fromUtf8(text.value()));
                    showPage(promises);
                });
        });
}

} // namespace warpwright
