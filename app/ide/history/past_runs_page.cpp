// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/past_runs_page.h"

#include "app/ide/history/past_runs_models.h"
#include "app/ide/kit/card.h"
#include "app/ide/kit/figure_table.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/pane.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int searchAfterMs = 200;
constexpr int mostFound = 200;

} // namespace

PastRunsPage::PastRunsPage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_count(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_filter(new QLineEdit(this)),
      m_search(new QLineEdit(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(look, m_stack)),
      m_runs(new PastRunsModel(this)) {
    setObjectName(QStringLiteral("pastRunsPage"));
    auto *title = new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold);
    title->setText(tr("Past runs"));
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    const auto prepare = [&](QLineEdit *field, const char *name, const QString &hint, const QString &spoken) {
        field->setObjectName(QLatin1String(name));
        field->setPlaceholderText(hint);
        field->setAccessibleName(spoken);
        field->setClearButtonEnabled(true);
        field->setTextMargins(look.px(4), 0, look.px(4), 0);
        field->installEventFilter(this);
    };
    prepare(m_filter, "runFilter", tr("Filter: begun, agent, mode, how it ended"), tr("Filter the runs"));
    prepare(m_search, "runSearch", tr("Search in what was said, proposed and decided"),
            tr("Search in the events of all runs"));

    auto *lists = new QWidget(m_stack);
    m_table = new FigureTable(look, m_runs, lists);
    m_table->setObjectName(QStringLiteral("pastRuns"));
    m_table->setAccessibleName(tr("Past runs"));
    m_table->setShape(PastRunsModel::Ended, 1000);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_foundHead = new SectionHead(look, tr("Found"), lists);
    m_found = new FoundEventsModel(this);
    m_foundTable = new FigureTable(look, m_found, lists);
    m_foundTable->setObjectName(QStringLiteral("foundEvents"));
    m_foundTable->setAccessibleName(tr("Events found"));
    m_foundTable->setShape(FoundEventsModel::What, 1000);
    m_foundTable->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    auto *two = new QVBoxLayout(lists);
    two->setContentsMargins(0, 0, 0, 0);
    two->setSpacing(0);
    two->addWidget(m_table, 1);
    two->addWidget(m_foundHead);
    two->addWidget(m_foundTable, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(lists);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(16), look.px(12), look.px(12), look.px(8));
    head->setSpacing(look.px(10));
    head->addWidget(title);
    head->addWidget(m_count, 1);
    head->addWidget(close);
    auto *fields = new QHBoxLayout;
    fields->setContentsMargins(look.px(16), 0, look.px(12), look.px(10));
    fields->setSpacing(look.px(10));
    fields->addWidget(m_filter, 1);
    fields->addWidget(m_search, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(fields);
    column->addWidget(m_stack, 1);
    setFocusProxy(m_filter);

    m_typed.setSingleShot(true);
    m_typed.setInterval(searchAfterMs);
    connect(&m_typed, &QTimer::timeout, this, &PastRunsPage::search);
    connect(m_search, &QLineEdit::textChanged, &m_typed, [this] { m_typed.start(); });
    connect(m_filter, &QLineEdit::textChanged, this, &PastRunsPage::fill);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        if (const int row = std::max(0, m_table->currentIndex().row()); row < m_runs->rowCount())
            pick(m_runs->runs()[static_cast<std::size_t>(row)].run, 1);
    });
    connect(m_table, &FigureTable::placeActivated, this, &PastRunsPage::pick);
    connect(m_foundTable, &FigureTable::placeActivated, this, &PastRunsPage::pick);
    connect(close, &QAbstractButton::clicked, this, &PastRunsPage::closed);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &PastRunsPage::closed);
    connect(&look, &Look::changed, this, [this] { update(); });
}

PastRunsPage::~PastRunsPage() = default;

void PastRunsPage::open(const QString &stateFolder) {
    m_state = stateFolder;
    m_all.clear();
    m_problem.clear();
    m_count->setText(tr("reading"));
    m_search->clear();
    m_foundHead->hide();
    m_foundTable->hide();
    m_empty->say(QStringLiteral("running"), tr("Reading the runs"),
                 tr("the index is made where it is missing"));
    m_stack->setCurrentWidget(m_empty);
    struct Listed {
        Result<std::vector<IndexedRun>> runs;
        QString notice;
    };
    inPool(
        this,
        [stateFolder] {
            Result<RunIndex> opened = RunIndex::open(stateFolder);
            if (!opened.hasValue())
                return Listed{Result<std::vector<IndexedRun>>::error(opened.message()), {}};
            RunIndex index = std::move(opened).value();
            Result<std::vector<IndexedRun>> runs = index.runs();
            return Listed{std::move(runs), index.notice()};
        },
        [this, job = m_jobs.next()](Listed listed) {
            if (m_jobs.isStale(job))
                return;
            if (listed.runs.hasValue()) {
                m_all = std::move(listed.runs).value();
                std::reverse(m_all.begin(), m_all.end()); // the newest is what is mostly looked for
            } else {
                m_problem = listed.runs.message();
            }
            m_count->setToolTip(listed.notice);
            m_filter->clear();
            fill();
            emit this->listed();
        });
}

const std::vector<IndexedRun> &PastRunsPage::shownRuns() const {
    return m_runs->runs();
}

void PastRunsPage::fill() {
    const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<IndexedRun> left;
    for (const IndexedRun &run : m_all) {
        const QString text = filterWords(run);
        if (std::all_of(words.begin(), words.end(),
                        [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); }))
            left.push_back(run);
    }
    const auto count = static_cast<qsizetype>(left.size());
    const QString all = countText(static_cast<qsizetype>(m_all.size()), tr("run"));
    m_runs->setRuns(std::move(left));
    m_count->setText(!m_problem.isEmpty()                            ? QString()
                     : count == static_cast<qsizetype>(m_all.size()) ? all
                                                                     : tr("%1 of %2").arg(count).arg(all));
    if (!m_problem.isEmpty())
        m_empty->say(QStringLiteral("error"), tr("The runs cannot be listed"), m_problem);
    else if (m_all.empty())
        m_empty->say(QStringLiteral("history"), tr("Runs appear here"),
                     tr("no agent has worked in this workspace yet"));
    else if (count == 0)
        m_empty->say(QStringLiteral("search"), tr("No run fits «%1»").arg(m_filter->text()),
                     tr("shorten the filter"));
    // What a search has found stays in sight though no run fits the filter.
    const bool hasFound = m_foundTable->isVisibleTo(m_foundTable->parentWidget());
    m_stack->setCurrentIndex(count > 0 || hasFound ? 1 : 0);
    if (count > 0)
        m_table->setCurrentIndex(m_runs->index(0, 0));
}

void PastRunsPage::search() {
    const QString words = m_search->text().trimmed();
    const int job = m_searches.next();
    if (words.isEmpty()) {
        m_found->setEvents({});
        m_foundHead->hide();
        m_foundTable->hide();
        fill();
        return;
    }
    using Answer = Result<std::vector<IndexedEvent>>;
    inPool(
        this,
        [state = m_state, words] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.search(words, {}, mostFound);
        },
        [this, job, words](Answer answer) {
            if (m_searches.isStale(job))
                return;
            const auto count = answer.hasValue() ? static_cast<int>(answer.value().size()) : 0;
            m_foundHead->setTitle(tr("Found"));
            m_foundHead->setRemark(!answer.hasValue()   ? answer.message()
                                   : count == 0         ? tr("nothing says «%1»").arg(words)
                                   : count == mostFound ? tr("the latest %1 events").arg(count)
                                                        : countText(count, tr("event")));
            m_found->setEvents(answer.hasValue() ? std::move(answer).value() : std::vector<IndexedEvent>());
            m_foundHead->show();
            m_foundTable->show();
            m_stack->setCurrentIndex(1);
            emit found();
        });
}

void PastRunsPage::pick(const QString &run, qint64 event) {
    for (const IndexedRun &one : m_all)
        if (one.run == run) {
            emit runPicked(one, event);
            return;
        }
}

bool PastRunsPage::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress || watched != m_filter || m_runs->rowCount() == 0)
        return false;
    // The list is moved through from the field, without leaving it.
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Down && key != Qt::Key_Up)
        return false;
    const int row =
        std::clamp(m_table->currentIndex().row() + (key == Qt::Key_Down ? 1 : -1), 0, m_runs->rowCount() - 1);
    m_table->setCurrentIndex(m_runs->index(row, 0));
    return true;
}

void PastRunsPage::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
