// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/start_page.h"

#include "app/ide/kit/card.h"
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/start_rows.h"
#include "toolchain/base/figures.h"

#include <QAction>
#include <QGridLayout>
#include <QHideEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int shownRecent = 6;

// The mark in its large form, of the theme in force.
class Mark : public QWidget {
public:
    Mark(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
        setFixedSize(look.px(64), look.px(64));
        connect(&look, &Look::changed, this, [this] {
            setFixedSize(m_look.px(64), m_look.px(64));
            update();
        });
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        QSvgRenderer drawing(m_look.theme().isDark() ? QStringLiteral(":/look/logo-dark-threads.svg")
                                                     : QStringLiteral(":/look/logo-threads.svg"));
        drawing.setAspectRatioMode(Qt::KeepAspectRatio);
        drawing.render(&painter, rect());
    }

private:
    const Look &m_look;
};

/// "AMD EPYC: 16.7 to 3.47 ms, 7.8× (6.2–9.7) over eager"
QString timesText(const Recording &recording) {
    if (!recording.firstMicroseconds || !recording.bestMicroseconds)
        return recording.device;
    QString text = StartPage::tr("%1 to %2")
                       .arg(timeText(*recording.firstMicroseconds), timeText(*recording.bestMicroseconds));
    if (const QString undecided = undecidedWords(recording); !undecided.isEmpty())
        text += QStringLiteral(" (%1)").arg(undecided);
    if (const auto &eager = recording.bestOverEager) {
        const FactorText factor = factorText(eager->value, eager->low, eager->high);
        text += StartPage::tr(", %1 (%2) over eager").arg(factor.value, factor.interval);
    }
    // First what a narrow row may not cut: where it was measured.
    return recording.device.isEmpty() ? text : recording.device + QStringLiteral(": ") + text;
}

} // namespace

StartPage::StartPage(const Look &look, const DataFolders &folders, QWidget *parent)
    : QWidget(parent), m_look(look), m_folders(folders), m_content(new QWidget) {
    setObjectName(QStringLiteral("startPage"));
    m_columns[0] = makeLeft(m_content);
    m_columns[1] = makeMiddle(m_content);
    m_columns[2] = makeRight(m_content);
    connect(m_doctor, &DoctorPanel::setUpAsked, this, &StartPage::setUpAsked);

    auto *column = new QVBoxLayout(m_content);
    m_row = new QHBoxLayout;
    for (QVBoxLayout *&lane : m_lanes) {
        lane = new QVBoxLayout;
        m_row->addLayout(lane);
    }
    m_said = new Words(look, TextRole::Body, "verdict.buildFailed", m_content);
    m_said->setObjectName(QStringLiteral("startSaid"));
    m_said->setProse();
    m_said->hide();
    column->addWidget(makeHead(m_content));
    m_judge = new JudgeNotice(look, folders, m_content);
    connect(m_judge, &JudgeNotice::looked, m_doctor, &DoctorPanel::showJudge);
    connect(m_doctor, &DoctorPanel::found, m_judge, &JudgeNotice::lookAgain);
    column->addWidget(m_said);
    column->addWidget(m_judge);
    column->addLayout(m_row);
    column->addStretch(1);
    m_scroll = new ScrollPage(look, m_content, this);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_scroll);
    setFocusProxy(m_open);
    connect(&look, &Look::changed, this, [this] {
        m_columnCount = 0;
        arrange();
    });
    sayInCard(m_recent, tr("Reading the list"), QString());
}

QWidget *StartPage::makeHead(QWidget *parent) {
    auto *head = new QWidget(parent);
    auto *title = new Words(m_look, TextRole::Display, "text.primary", head, QFont::DemiBold);
    title->setText(QStringLiteral("Warpwright"));
    auto *sentence = new Words(m_look, TextRole::Title, "text.secondary", head);
    sentence->setText(
        tr("Your PyTorch model, the kernels that replace it, and what the machine says about both."));
    sentence->setWordWrap(true);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addStretch(1);
    lines->addWidget(title);
    lines->addWidget(sentence);
    lines->addStretch(1);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(m_look.px(18));
    row->addWidget(new Mark(m_look, head));
    row->addLayout(lines, 1);
    return head;
}

QWidget *StartPage::makeLeft(QWidget *parent) {
    auto *left = new QWidget(parent);
    auto *start = new Card(m_look, left);
    m_open = new StartRow(m_look, QStringLiteral("folder"), tr("Open a workspace"),
                          tr("a folder with model.py and model_new.py"), start);
    m_open->setObjectName(QStringLiteral("startOpen"));
    m_new = new StartRow(m_look, QStringLiteral("new-file"), tr("New from model.py"),
                         tr("the missing files come from a template"), start);
    m_new->setObjectName(QStringLiteral("startNew"));
    m_problem = new StartRow(m_look, QStringLiteral("file"), tr("Open a KernelBench problem"),
                             tr("a Python file, or a folder of many"), start);
    m_problem->setObjectName(QStringLiteral("startProblem"));
    auto *agents = new StartRow(m_look, QStringLiteral("model"), tr("Set up a model or an agent"),
                                tr("that proposes changes; the playbook needs none"), start);
    agents->setObjectName(QStringLiteral("startAgents"));
    connect(agents, &QAbstractButton::clicked, this, [this, agents] { emit agentsAsked(agents); });
    auto *own = new StartRow(m_look, QStringLiteral("lesson"), tr("A lesson of your own"),
                             tr("from its folder; how to write one"), start);
    own->setObjectName(QStringLiteral("startOwnLesson"));
    connect(own, &QAbstractButton::clicked, this, [this, own] { emit ownLessonAsked(own); });
    for (StartRow *row : {m_open, m_new, m_problem, agents, own})
        start->add(row);
    connect(m_open, &QAbstractButton::clicked, this, &StartPage::openDialogAsked);
    connect(m_new, &QAbstractButton::clicked, this, &StartPage::newAsked);
    connect(m_problem, &QAbstractButton::clicked, this, &StartPage::problemAsked);

    m_leftPart = new QWidget(left);
    m_left = new Card(m_look, m_leftPart);
    m_left->setObjectName(QStringLiteral("startLeft"));
    auto *part = new QVBoxLayout(m_leftPart);
    part->setContentsMargins(0, m_look.px(14), 0, 0);
    part->setSpacing(m_look.px(10));
    part->addWidget(new CardHead(m_look, tr("Go on"), tr("what was left before its end"), m_leftPart));
    part->addWidget(m_left);
    m_leftPart->hide();
    m_recent = new Card(m_look, left);
    m_recent->setObjectName(QStringLiteral("startRecent"));
    m_recentNote = new Words(m_look, TextRole::Small, "text.tertiary", left);
    m_recentNote->setWordWrap(true);
    m_recentNote->setText(tr("The number is the speed-up against eager, measured when it was last checked."));
    m_recentNote->hide();
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_look.px(10));
    column->addWidget(new CardHead(m_look, tr("Start"), {}, left));
    column->addWidget(start);
    column->addWidget(m_leftPart);
    column->addSpacing(m_look.px(14));
    column->addWidget(new CardHead(m_look, tr("Recent"), {}, left));
    column->addWidget(m_recent);
    column->addWidget(m_recentNote);
    column->addSpacing(m_look.px(10));
    column->addWidget(new DropTarget(m_look, left));
    column->addStretch(1);
    return left;
}

QWidget *StartPage::makeMiddle(QWidget *parent) {
    auto *middle = new QWidget(parent);
    m_sampleCards = new QWidget(middle);
    m_sampleCards->setObjectName(QStringLiteral("startSamples"));
    auto *cards = new QGridLayout(m_sampleCards);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(m_look.px(10));
    m_sampleNote = new Words(m_look, TextRole::Small, "verdict.buildFailed", middle);
    m_sampleNote->setProse();
    m_sampleNote->hide();
    m_broken = new Card(m_look, middle);
    m_broken->setObjectName(QStringLiteral("startBroken"));
    m_lessons = new Card(m_look, middle);
    m_lessons->setObjectName(QStringLiteral("startLessons"));
    auto *column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_look.px(10));
    column->addWidget(new CardHead(m_look, tr("Follow a lesson"),
                                   tr("a slow kernel made fast, one reviewed idea at a time"), middle));
    column->addWidget(m_lessons);
    column->addSpacing(m_look.px(14));
    column->addWidget(new CardHead(m_look, tr("Samples"),
                                   tr("reference and an honest candidate, for CUDA and CPU"), middle));
    column->addWidget(m_sampleCards);
    column->addWidget(m_sampleNote);
    column->addSpacing(m_look.px(14));
    column->addWidget(
        new CardHead(m_look, tr("Broken on purpose"), tr("to see what a failure looks like"), middle));
    column->addWidget(m_broken);
    column->addStretch(1);
    return middle;
}

QWidget *StartPage::makeRight(QWidget *parent) {
    auto *right = new QWidget(parent);
    m_recordingPart = new QWidget(right);
    m_recordings = new Card(m_look, m_recordingPart);
    m_recordings->setObjectName(QStringLiteral("startRecordings"));
    auto *part = new QVBoxLayout(m_recordingPart);
    part->setContentsMargins(0, 0, 0, m_look.px(10));
    part->setSpacing(m_look.px(10));
    part->addWidget(new CardHead(m_look, tr("Recordings"), tr("watch an agent work, go on from any step"),
                                 m_recordingPart));
    part->addWidget(m_recordings);
    m_doctor = new DoctorPanel(m_look, m_folders, right);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_look.px(10));
    column->addWidget(m_recordingPart);
    column->addWidget(m_doctor, 1);
    return right;
}

void StartPage::setKeys(const QString &open, const QString &newFromModel, const QString &problem) {
    m_open->setKey(open);
    m_new->setKey(newFromModel);
    m_problem->setKey(problem);
}

void StartPage::setSettings(const Settings &settings) {
    m_doctor->setSettings(settings);
}

void StartPage::refresh() {
    struct Read {
        std::vector<RecentWorkspace> recent;
        Result<std::vector<Sample>> samples;
        Result<std::vector<Lesson>> lessons;
        std::vector<Recording> recordings;
    };
    const int job = m_jobs.next();
    inPool(
        this,
        [folders = m_folders] {
            return Read{RecentWorkspaces(folders).list(), listSamples(folders.resources),
                        listLessons(folders.resources), listRecordings(folders.resources)};
        },
        [this, job](const Read &read) {
            if (m_jobs.isStale(job))
                return;
            showRecent(read.recent);
            showSamples(read.samples);
            showLessons(read.lessons);
            showRecordings(read.recordings);
            emit filled();
            // Whole runs are read for it, and nothing else waits for that.
            inPool(
                this, [recent = read.recent, folders = m_folders] { return leftWork(recent, folders); },
                [this, job](const std::vector<LeftWork> &left) {
                    if (!m_jobs.isStale(job))
                        showLeft(left);
                });
        });
}

void StartPage::sayInCard(Card *card, const QString &title, const QString &text) {
    card->clear();
    auto *row = new QWidget(card);
    auto *lines = new QVBoxLayout(row);
    lines->setContentsMargins(m_look.px(14), m_look.px(14), m_look.px(14), m_look.px(14));
    lines->setSpacing(m_look.px(4));
    auto *what = new Words(m_look, TextRole::Body, "text.primary", row, QFont::Medium);
    what->setText(title);
    lines->addWidget(what);
    if (!text.isEmpty()) {
        auto *how = new Words(m_look, TextRole::Small, "text.secondary", row);
        how->setText(text);
        how->setWordWrap(true);
        lines->addWidget(how);
    }
    card->add(row);
}

void StartPage::showRecent(const std::vector<RecentWorkspace> &recent) {
    m_recent->clear();
    m_recentNote->setVisible(!recent.empty());
    if (recent.empty()) {
        sayInCard(m_recent, tr("Workspaces appear here once you have opened one"),
                  tr("with the verdict and the speed-up of their last check; a sample is a good first one"));
        return;
    }
    const std::size_t count = std::min<std::size_t>(recent.size(), shownRecent);
    for (std::size_t i = 0; i < count; ++i) {
        auto *row = new RecentRow(m_look, recent[i], m_recent);
        row->setObjectName(QStringLiteral("recent"));
        connect(row, &QAbstractButton::clicked, this,
                [this, path = recent[i].path] { emit openAsked(path); });
        connect(row, &RecentRow::forgetAsked, this, [this](const QString &path) {
            inPool(
                this, [folders = m_folders, path] { return RecentWorkspaces(folders).forget(path); },
                [this](const Result<void> &) { refresh(); });
        });
        m_recent->add(row);
    }
}

void StartPage::showLeft(const std::vector<LeftWork> &left) {
    m_leftWork = left;
    m_left->clear();
    for (const LeftWork &work : left) {
        if (QFileInfo(work.path) == QFileInfo(m_atWork))
            continue; // it is not left: it runs here
        auto *row = new StartRow(m_look, QStringLiteral("replay"), work.name, leftTitle(work), m_left);
        row->setObjectName(QStringLiteral("left-") + work.name);
        row->setToolTip(QStringList{leftWords(work), homePath(work.path)}.join(QLatin1Char('\n')));
        connect(row, &QAbstractButton::clicked, this,
                [this, path = work.path, isLesson = work.isLesson()] { emit continueAsked(path, isLesson); });
        m_left->add(row);
    }
    m_leftPart->setVisible(m_left->count() > 0);
}

void StartPage::setAtWork(const QString &folder) {
    if (std::exchange(m_atWork, folder) != folder)
        showLeft(m_leftWork);
}

void StartPage::showSamples(const Result<std::vector<Sample>> &samples) {
    auto *cards = static_cast<QGridLayout *>(m_sampleCards->layout());
    qDeleteAll(m_sampleCards->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly));
    m_broken->clear();
    m_sampleNote->setVisible(!samples.hasValue());
    if (!samples.hasValue()) {
        m_sampleNote->setText(samples.message());
        return;
    }
    int place = 0;
    for (const Sample &sample : samples.value()) {
        CardButton *button = nullptr;
        if (sample.isBroken()) {
            button = new BrokenRow(m_look, sample, m_broken);
            m_broken->add(button);
        } else {
            button = new SampleCard(m_look, sample, m_sampleCards);
            cards->addWidget(button, place / 2, place % 2);
            ++place;
        }
        button->setObjectName(QStringLiteral("sample-") + sample.name);
        connect(button, &QAbstractButton::clicked, this,
                [this, name = sample.name] { emit sampleAsked(name); });
    }
    // Cards of one width, whatever they say.
    cards->setColumnStretch(0, 1);
    cards->setColumnStretch(1, 1);
}

void StartPage::showLessons(const Result<std::vector<Lesson>> &lessons) {
    m_lessons->clear();
    if (!lessons.hasValue()) {
        sayInCard(m_lessons, tr("There are no lessons"), lessons.message());
        return;
    }
    QWidget *first = nullptr;
    for (const Lesson &lesson : lessons.value()) {
        auto *row = new StartRow(m_look, QStringLiteral("review"), lesson.title,
                                 tr("%1 steps. %2").arg(lesson.steps).arg(lesson.description), m_lessons);
        row->setObjectName(QStringLiteral("lesson-") + lesson.name);
        row->setToolTip(QStringList{lesson.description, lesson.shapes,
                                    tr("Its context menu begins it in a folder that you choose")}
                            .join(QLatin1Char('\n')));
        connect(row, &QAbstractButton::clicked, this, [this, name = lesson.name] { emit lessonAsked(name); });
        auto *elsewhere = new QAction(tr("Begin in a folder that I choose…"), row);
        connect(elsewhere, &QAction::triggered, this,
                [this, name = lesson.name] { emit lessonElsewhereAsked(name); });
        row->addAction(elsewhere);
        row->setContextMenuPolicy(Qt::ActionsContextMenu);
        m_lessons->add(row);
        first = first == nullptr ? row : first;
    }
    if (m_wantsLesson && first != nullptr)
        focusLesson(first);
}

void StartPage::showRecordings(const std::vector<Recording> &recordings) {
    m_recordings->clear();
    m_recordingPart->setVisible(!recordings.empty());
    for (const Recording &recording : recordings) {
        auto *row = new StartRow(m_look, QStringLiteral("history"), recording.title, timesText(recording),
                                 m_recordings);
        row->setObjectName(QStringLiteral("recording-") + recording.name);
        row->setToolTip(tr("%1 on %2, as it was measured then. A copy is opened: nothing is lost.")
                            .arg(countText(recording.iterations, tr("iteration")), recording.device));
        connect(row, &QAbstractButton::clicked, this,
                [this, name = recording.name] { emit recordingAsked(name); });
        m_recordings->add(row);
    }
}

// The rows are read anew when the page is shown, so those of now may go.
void StartPage::revealLessons() {
    m_wantsLesson = true;
    refresh();
}

void StartPage::revealDoctor() {
    if (auto *again = m_doctor->findChild<QWidget *>(QStringLiteral("doctorAgain")))
        again->setFocus(Qt::OtherFocusReason);
    // In large text it stands below the other lists, which are read anew.
    const auto scroll = [this] {
        m_content->layout()->activate();
        const int top = m_doctor->mapTo(m_content, QPoint()).y();
        m_scroll->verticalScrollBar()->setValue(std::max(0, top - m_look.px(24)));
    };
    QTimer::singleShot(0, this, scroll);
    connect(
        this, &StartPage::filled, this, [this, scroll] { QTimer::singleShot(0, this, scroll); },
        Qt::SingleShotConnection);
}

void StartPage::focusLesson(QWidget *first) {
    m_wantsLesson = false;
    // It is placed and shown first.
    QTimer::singleShot(0, first, [this, first] {
        first->setFocus(Qt::TabFocusReason);
        m_scroll->ensureWidgetVisible(m_lessons);
    });
}

void StartPage::arrange() {
    const int width = this->width();
    const int columns = width >= m_look.px(1120) ? 3 : width >= m_look.px(720) ? 2 : 1;
    const bool isWide = width >= m_look.px(1440);
    const int side = m_look.px(isWide ? 60 : 28);
    // On a screen of 1600 x 1000 all of it is in sight.
    const bool isTall = height() >= m_look.px(1000);
    m_content->layout()->setContentsMargins(side,
                                            m_look.px(!isWide  ? 24
                                                      : isTall ? 48
                                                               : 30),
                                            side, m_look.px(isWide && !isTall ? 14 : 24));
    static_cast<QVBoxLayout *>(m_content->layout())->setSpacing(m_look.px(!isWide ? 22 : isTall ? 36 : 24));
    m_row->setSpacing(m_look.px(isWide ? 28 : 20));
    for (QVBoxLayout *lane : m_lanes)
        lane->setSpacing(m_look.px(24));
    if (columns == m_columnCount)
        return;
    m_columnCount = columns;
    static constexpr int stretches[] = {47, 50, 45}; // the design's 472, 500 and 452
    for (QVBoxLayout *lane : m_lanes)
        while (QLayoutItem *item = lane->takeAt(0))
            delete item; // the widgets stay
    for (int i = 0; i < 3; ++i) {
        m_lanes[std::min(i, columns - 1)]->addWidget(m_columns[i]);
        m_row->setStretch(i, i >= columns ? 0 : columns == 3 ? stretches[i] : 1);
    }
    for (QVBoxLayout *lane : m_lanes)
        lane->addStretch(1);
}

void StartPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
    if (m_examinesOnShow && !m_doctor->hasFindings())
        QTimer::singleShot(0, m_doctor, &DoctorPanel::examine); // the page is painted first
}

void StartPage::say(const QString &words) {
    m_said->setText(words);
    m_said->setVisible(!words.isEmpty());
}

void StartPage::hideEvent(QHideEvent *event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous())
        say({});
}

void StartPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace warpwright
