// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/setup_page.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/message_card.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/start/start_rows.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/file_dialogs.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QShortcut>

namespace warpwright {
namespace {

void offerUse(ActionButton &button, bool isTested) {
    button.setEnabled(isTested);
    button.setToolTip(isTested ? SetupPage::tr("This interpreter runs the checks from now on")
                               : SetupPage::tr("Test it first: its torch must be found"));
}

// How far a set-up is, in steps: 4 px of accent on a track.
class StepBar : public QProgressBar {
public:
    StepBar(const Look &look, QWidget *parent) : QProgressBar(parent), m_look(look) {
        setTextVisible(false);
        setFixedHeight(look.px(4));
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), m_look.color("border.normal"));
        const int range = std::max(1, maximum() - minimum());
        painter.fillRect(0, 0, width() * (value() - minimum()) / range, height(),
                         m_look.color("accent.focus"));
    }

private:
    const Look &m_look;
};

} // namespace

SetupPage::SetupPage(const Look &look, const DataFolders &folders, QWidget *parent)
    : QWidget(parent), m_look(look), m_folders(folders), m_content(new QWidget) {
    setObjectName(QStringLiteral("setupPage"));
    m_request.folders = folders;
    auto *title = new Words(look, TextRole::Title, "text.primary", m_content, QFont::DemiBold);
    title->setText(tr("Warpwright needs a Python with torch"));
    auto *what = new Words(look, TextRole::Body, "text.secondary", m_content);
    what->setProse();
    what->setText(
        tr("It makes an environment of its own in \"%1\" and installs torch, numpy and NVIDIA's CUDA "
           "compiler into it: 3 GB are downloaded, 5 GB on the disk, and nothing else on this "
           "machine is changed. Or name an interpreter of your own that has torch: nothing is "
           "installed into that one.")
            .arg(homePath(folders.pythonEnvironment)));

    auto *card = new Card(look, m_content);
    auto *ours = new QWidget(card);
    m_setUpButton = new ActionButton(look, ActionButton::Kind::Filled, ours);
    m_setUpButton->setObjectName(QStringLiteral("setUp"));
    m_setUpButton->setText(tr("Set up"));
    m_stopButton = new ActionButton(look, ActionButton::Kind::Plain, ours);
    m_stopButton->setObjectName(QStringLiteral("setUpStop"));
    m_stopButton->setText(tr("Stop"));
    m_stopButton->setIconName(QStringLiteral("stop"));
    m_progress = new QWidget(ours);
    m_stage = new Words(look, TextRole::Body, "text.primary", m_progress, QFont::Medium);
    m_stage->setObjectName(QStringLiteral("setUpStage"));
    m_line = new Words(look, TextRole::Log, "text.tertiary", m_progress);
    m_line->setObjectName(QStringLiteral("setUpLine"));
    m_line->setElides(); // a long line is cut, never the page widened
    m_bar = new StepBar(look, m_progress);
    m_bar->setAccessibleName(tr("Steps done"));
    m_problem = new MessageCard(look, ours);
    m_problem->setObjectName(QStringLiteral("setUpProblem"));
    auto *steps = new QVBoxLayout(m_progress);
    steps->setContentsMargins(0, 0, 0, 0);
    steps->setSpacing(look.px(8));
    steps->addWidget(m_stage);
    steps->addWidget(m_bar);
    steps->addWidget(m_line);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(look.px(8));
    buttons->addWidget(m_setUpButton);
    buttons->addWidget(m_stopButton);
    buttons->addStretch(1);
    auto *oursRows = new QVBoxLayout(ours);
    oursRows->setContentsMargins(look.px(16), look.px(14), look.px(16), look.px(14));
    oursRows->setSpacing(look.px(12));
    auto *oursTitle = new Words(look, TextRole::Body, "text.primary", ours, QFont::Medium);
    oursTitle->setText(tr("An environment of our own"));
    oursRows->addWidget(oursTitle);
    oursRows->addWidget(m_problem);
    oursRows->addWidget(m_progress);
    oursRows->addLayout(buttons);
    card->add(ours);

    m_path = new QLineEdit;
    m_path->setObjectName(QStringLiteral("setUpPath"));
    m_path->setTextMargins(look.px(4), 0, look.px(4), 0);
    m_path->setPlaceholderText(QStringLiteral("/home/me/env/bin/python"));
    m_path->setToolTip(m_path->placeholderText());
    m_own = new SettingRow(look, tr("Use a Python of my own"),
                           tr("The path of an interpreter that can import torch"), m_path, card);
    auto *browse = new ActionButton(look, ActionButton::Kind::Plain, m_own);
    browse->setIconName(QStringLiteral("file"));
    browse->setToolTip(tr("Choose a file"));
    browse->setAccessibleName(tr("Choose a Python interpreter"));
    m_own->addBeside(browse);
    connect(m_own->addTest(), &QAbstractButton::clicked, this, &SetupPage::testOwn);
    m_use = new ActionButton(look, ActionButton::Kind::Plain, m_own);
    m_use->setObjectName(QStringLiteral("useOwn"));
    m_use->setText(tr("Use it"));
    offerUse(*m_use, false);
    m_own->addBeside(m_use);
    card->add(m_own);

    auto *column = new QVBoxLayout(m_content);
    column->setSpacing(look.px(12));
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(what);
    column->addSpacing(look.px(8));
    column->addWidget(card);
    column->addStretch(2);
    m_scroll = new ScrollPage(look, m_content, this);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_scroll);
    setFocusProxy(m_setUpButton);

    connect(m_setUpButton, &QAbstractButton::clicked, this, &SetupPage::setUp);
    connect(m_stopButton, &QAbstractButton::clicked, this, &SetupPage::stop);
    connect(m_path, &QLineEdit::textChanged, this, [this] {
        offerUse(*m_use, false);
        m_own->say({});
    });
    connect(m_path, &QLineEdit::returnPressed, this, &SetupPage::testOwn);
    connect(m_use, &QAbstractButton::clicked, this, [this] { emit ready(m_path->text().trimmed()); });
    connect(browse, &QAbstractButton::clicked, this, [this] {
        askForFile(this, {FileQuestion::Of::File, tr("A Python interpreter with torch")},
                   [this](const QString &path) { m_path->setText(path); });
    });
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, [this] {
        if (isRunning())
            stop();
        else
            emit closed();
    });
    m_problem->hide();
    showState();
}

void SetupPage::showState() {
    m_progress->setVisible(isRunning());
    m_stopButton->setVisible(isRunning());
    m_setUpButton->setVisible(!isRunning());
}

void SetupPage::setUp() {
    if (isRunning())
        return;
    m_problem->hide();
    m_setup = new EnvironmentSetup(m_request, this);
    connect(m_setup, &EnvironmentSetup::progress, this, &SetupPage::showProgress);
    connect(m_setup, &EnvironmentSetup::finished, this, [this] {
        m_setup->deleteLater();
        m_setup = nullptr;
        showState();
        emit ready(QString());
    });
    connect(m_setup, &EnvironmentSetup::failed, this, [this](const QString &message) {
        const bool wasCancelled = m_setup->wasCancelled();
        m_setup->deleteLater();
        m_setup = nullptr;
        m_setUpButton->setText(tr("Try again"));
        showState();
        if (wasCancelled)
            fail(tr("Stopped"), tr("What was downloaded is kept: the next start goes on from there."));
        else
            fail(tr("The environment could not be set up"), message);
        m_setUpButton->setFocus();
    });
    m_stopButton->setEnabled(true);
    m_stopButton->setText(tr("Stop"));
    showProgress({tr("look at what is there"), 1, 4, {}, 0});
    showState();
    m_stopButton->setFocus();
    m_setup->start();
}

void SetupPage::stop() {
    if (!isRunning())
        return;
    m_stopButton->setEnabled(false);
    m_stopButton->setText(tr("Stopping"));
    m_setup->cancel();
}

void SetupPage::showProgress(const EnvironmentProgress &progress) {
    m_stage->setText(tr("%1: step %2 of %3, %4")
                         .arg(progress.stage.left(1).toUpper() + progress.stage.mid(1))
                         .arg(progress.step)
                         .arg(progress.steps)
                         .arg(durationText(progress.seconds)));
    m_line->setText(progress.line.isEmpty() ? QStringLiteral(" ") : progress.line);
    m_line->setToolTip(progress.line);
    m_bar->setRange(0, progress.steps);
    m_bar->setValue(progress.step - 1);
}

void SetupPage::fail(const QString &title, const QString &message) {
    const bool isStop = title == tr("Stopped");
    m_problem->say(isStop ? QStringLiteral("cancelled") : QStringLiteral("build-failed"),
                   isStop ? "verdict.notRun" : "verdict.buildFailed",
                   isStop ? "verdictBg.notRun" : "verdictBg.buildFailed", title, message);
    m_problem->show();
}

void SetupPage::testOwn() {
    if (m_probe) {
        m_probe->disconnect(this);
        m_probe->cancel();
        m_probe->deleteLater();
        m_probe = nullptr;
        m_own->setTesting(false);
        m_own->say({});
        return;
    }
    const QString path = m_path->text().trimmed();
    if (path.isEmpty()) {
        m_own->say({false, tr("Name an interpreter: the path of a python3 that can import torch.")});
        m_path->setFocus();
        return;
    }
    m_own->setTesting(true);
    m_probe = new PythonProbe({path, tr("this page")}, m_folders.resources, this);
    const auto end = [this](const ToolFinding &finding) {
        m_probe->deleteLater();
        m_probe = nullptr;
        m_own->setTesting(false);
        m_own->say(finding);
        offerUse(*m_use, finding.isGood);
        if (finding.isGood)
            m_use->setFocus(Qt::TabFocusReason);
    };
    connect(m_probe, &PythonProbe::finished, this, [end](const PythonEnvironment &python) {
        Toolchain found;
        found.python = python;
        end(toolFinding(ToolKind::Python, found, {}));
    });
    connect(m_probe, &PythonProbe::failed, this, [end](const QString &message) { end({false, message}); });
    m_probe->start(true);
}

void SetupPage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
}

void SetupPage::resizeEvent(QResizeEvent *) {
    const int side = std::max(m_look.px(24), (width() - m_look.px(760)) / 2);
    m_content->layout()->setContentsMargins(side, m_look.px(32), side, m_look.px(32));
}

} // namespace warpwright
