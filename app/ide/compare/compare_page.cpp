// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compare_page.h"

#include "agent/record/iteration_comparison.h"
#include "app/ide/compare/compare_head.h"
#include "app/ide/compare/compared_files.h"
#include "app/ide/compare/side_choices.h"
#include "profiler_views/comparison/comparison_view.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>

namespace warpwright {
namespace {

void bindKey(QWidget *page, const QKeySequence &key, const std::function<void()> &act) {
    auto *shortcut = new QShortcut(key, page);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(shortcut, &QShortcut::activated, page, act);
}

QString whyNoSass(const StateComparison &comparison) {
    QStringList why;
    for (const MissingPart &part : comparison.missing)
        if (part.what.contains(QLatin1String("SASS")))
            why << ComparisonView::missingText(part);
    return why.join(QStringLiteral(". "));
}

void shapeBox(QComboBox *box, SideChoices *choices, const char *name, const QString &words) {
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(words);
    box->setToolTip(words);
    box->setModel(choices);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(24);
}

} // namespace

ComparePage::ComparePage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_choices(new SideChoices(this)),
      m_leftBox(new QComboBox(this)),
      m_rightBox(new QComboBox(this)),
      m_exchange(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_close(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_left(new CompareHead(look, this)),
      m_right(new CompareHead(look, this)),
      m_metrics(new MetricStrip(look, this)),
      m_forms(new TabStrip(look, this)),
      m_pages(new QStackedWidget(this)),
      m_differences(new ComparisonView(look, m_pages)),
      m_source(new ComparedFiles(look, QStringLiteral("compare"), m_pages)),
      m_sass(new ComparedFiles(look, QStringLiteral("sass"), m_pages)) {
    setObjectName(QStringLiteral("comparePage"));
    shapeBox(m_leftBox, m_choices, "compareLeftBox", tr("Left side"));
    shapeBox(m_rightBox, m_choices, "compareRightBox", tr("Right side: differences are stated for it"));
    m_exchange->setObjectName(QStringLiteral("compareExchange"));
    m_exchange->setIconName(QStringLiteral("compare"));
    m_exchange->setToolTip(tr("Swap the sides"));
    m_exchange->setAccessibleName(m_exchange->toolTip());
    m_close->setObjectName(QStringLiteral("compareClose"));
    m_close->setText(tr("Close"));
    m_close->setKey(QStringLiteral("Esc"));
    for (ActionButton *button : {m_exchange, m_close})
        button->setSmall(true);
    m_left->setObjectName(QStringLiteral("compareLeft"));
    m_right->setObjectName(QStringLiteral("compareRight"));
    m_forms->setObjectName(QStringLiteral("compareForms"));
    m_forms->setAccessibleName(tr("Numbers, texts or SASS"));
    for (const QString &form : {tr("Differences"), tr("Source"), tr("SASS")})
        m_forms->addTab(form);
    for (QWidget *page : std::initializer_list<QWidget *>{m_differences, m_source, m_sass})
        m_pages->addWidget(page);
    layOut();

    connect(m_forms, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    for (QComboBox *box : {m_leftBox, m_rightBox})
        connect(box, &QComboBox::activated, this, &ComparePage::choose);
    connect(m_exchange, &QAbstractButton::clicked, this, [this] {
        const int left = m_leftBox->currentIndex();
        m_leftBox->setCurrentIndex(m_rightBox->currentIndex());
        m_rightBox->setCurrentIndex(left);
        choose();
    });
    connect(m_close, &QAbstractButton::clicked, this, &ComparePage::closed);
    bindKey(this, QKeySequence(Qt::ALT | Qt::Key_Down), [this] { nextChange(); });
    bindKey(this, QKeySequence(Qt::ALT | Qt::Key_Up), [this] { previousChange(); });
    bindKey(this, QKeySequence(Qt::Key_Escape), [this] { emit closed(); });
    connect(&look, &Look::changed, this, [this] {
        m_forms->setMinimumHeight(m_look.px(32));
        fitWidth();
        update();
    });
    setFocusProxy(m_differences);
    for (ComparedFiles *files : {m_source, m_sass})
        files->say(QStringLiteral("compare"), tr("Nothing to compare yet"), tr("pick two iterations"));
}

void ComparePage::layOut() {
    auto *boxes = new QHBoxLayout;
    boxes->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(8), m_look.px(6));
    boxes->setSpacing(m_look.px(8));
    boxes->addWidget(m_leftBox, 1);
    boxes->addWidget(m_exchange);
    boxes->addWidget(m_rightBox, 1);
    boxes->addStretch(1);
    boxes->addWidget(m_close);
    auto *heads = new QHBoxLayout;
    heads->setContentsMargins(0, 0, 0, 1);
    heads->setSpacing(1);
    heads->addWidget(m_left, 1);
    heads->addWidget(m_right, 1);
    auto *forms = new QHBoxLayout;
    forms->setContentsMargins(m_look.px(4), 0, m_look.px(8), 0);
    forms->addWidget(m_forms, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(boxes);
    column->addLayout(heads);
    column->addWidget(m_metrics);
    column->addLayout(forms);
    column->addWidget(m_pages, 1);
    m_forms->setMinimumHeight(m_look.px(32));
}

void ComparePage::setTree(const SharedTree &tree) {
    const ComparisonChoice left = m_choices->choiceAt(m_leftBox->currentIndex());
    const ComparisonChoice right = m_choices->choiceAt(m_rightBox->currentIndex());
    m_choices->setTree(tree);
    m_leftBox->setCurrentIndex(m_choices->rowOf(left));
    m_rightBox->setCurrentIndex(m_choices->rowOf(right));
}

std::pair<ComparisonChoice, ComparisonChoice> ComparePage::sides() const {
    return {m_choices->choiceAt(m_leftBox->currentIndex()), m_choices->choiceAt(m_rightBox->currentIndex())};
}

void ComparePage::choose() {
    const auto [left, right] = sides();
    emit sidesChosen(left, right);
}

void ComparePage::begin(const ComparisonChoice &left, const ComparisonChoice &right) {
    m_leftBox->setCurrentIndex(m_choices->rowOf(left));
    m_rightBox->setCurrentIndex(m_choices->rowOf(right));
    sayNothing(tr("being read"), tr("Both sides are being read"));
    for (ComparedFiles *files : {m_source, m_sass}) {
        files->setFiles({});
        files->say(QStringLiteral("running"), tr("Both sides are being read"), QString());
    }
}

void ComparePage::sayNothing(const QString &ofASide, const QString &words) {
    m_pair.reset();
    m_left->say(m_choices->choiceAt(m_leftBox->currentIndex()).title(), ofASide);
    m_right->say(m_choices->choiceAt(m_rightBox->currentIndex()).title(), ofASide);
    m_metrics->show(std::vector<ComparedMetric>());
    m_differences->say(words);
    m_forms->setTabText(Differences, tr("Differences"));
    m_forms->setTabText(Source, tr("Source"));
    m_forms->setTabText(Sass, tr("SASS"));
}

void ComparePage::fail(const QString &message) {
    sayNothing(tr("not compared"), tr("Nothing is compared"));
    for (ComparedFiles *files : {m_source, m_sass}) {
        files->setFiles({});
        files->say(QStringLiteral("warning"), tr("Nothing is compared"), message);
    }
    setForm(Source);
}

void ComparePage::setForm(Form form) {
    m_forms->setCurrentIndex(form);
}

ComparePage::Form ComparePage::form() const {
    return static_cast<Form>(std::max(0, m_forms->currentIndex()));
}

void ComparePage::show(const SharedPair &pair, bool isReadingSass) {
    m_leftBox->setCurrentIndex(m_choices->rowOf(pair->left.choice));
    m_rightBox->setCurrentIndex(m_choices->rowOf(pair->right.choice));
    showHeads(*pair);
    m_differences->show(comparisonIn(pair));
    showTexts(*pair, isReadingSass);
    m_pair = pair;
    m_forms->setTabText(Differences, tr("Differences  %1").arg(pair->comparison.differences()));
    m_forms->setTabText(Source,
                        m_source->count() > 0 ? tr("Source  %1").arg(m_source->count()) : tr("Source"));
    m_forms->setTabText(Sass, m_sass->count() > 0 ? tr("SASS  %1").arg(m_sass->count()) : tr("SASS"));
}

void ComparePage::showHeads(const ComparedPair &pair) {
    const ComparedSide &left = pair.left.side;
    const ComparedSide &right = pair.right.side;
    auto metrics = comparedMetrics(left, right);
    m_left->show(left, metrics[0].left, metrics[1].left);
    m_right->show(right, metrics[0].right, metrics[1].right);
    if (!left.isBaseline() && !right.isBaseline()) {
        if (std::optional<ComparedMetric> ratio = ratioMetric(left, right))
            metrics.insert(metrics.begin() + 1, *std::move(ratio));
    } else {
        metrics.resize(1); // torch's kernels are not ours to list
    }
    m_metrics->show(std::move(metrics));
}

void ComparePage::showTexts(const ComparedPair &pair, bool isReadingSass) {
    const StateComparison &comparison = pair.comparison;
    // SASS that comes after the rest moves nobody's place in the texts.
    const bool isShown = m_pair && m_pair->comparison.text == comparison.text &&
                         m_pair->left.choice == pair.left.choice && m_pair->right.choice == pair.right.choice;
    if (!isShown) {
        m_source->setFiles(comparison.text.differing());
        // Where nothing else differs, a table of one row would hide what does.
        if (m_source->count() > 0 && comparison.differences() <= 1 && form() == Differences)
            setForm(Source);
    }
    if (pair.left.choice.isArm() || pair.right.choice.isArm())
        m_source->say(QStringLiteral("file"), tr("A baseline has no text of ours"),
                      tr("what it runs is torch's; its kernels stand under Differences and SASS"));
    else if (m_source->count() == 0)
        m_source->say(QStringLiteral("pass"), tr("The texts are the same"), tr("not one line differs"));
    std::vector<ComparedFile> listings;
    for (const ComparedListing &listing : comparison.listings)
        if (listing.rows.changedRows > 0)
            listings.push_back(listing.rows);
    m_sass->setFiles(std::move(listings));
    if (m_sass->count() > 0)
        return;
    if (!comparison.listings.empty())
        m_sass->say(QStringLiteral("pass"), tr("The instructions are the same"),
                    tr("opcode by opcode, in every kernel that both have"));
    else if (isReadingSass)
        m_sass->say(QStringLiteral("running"), tr("The kernels are being read"),
                    tr("what was compiled before is not compiled again"));
    else
        m_sass->say(QStringLiteral("sass"), tr("No SASS of both sides"), whyNoSass(comparison));
}

ComparedFiles *ComparePage::shownFiles() const {
    return m_forms->currentIndex() == Source ? m_source : m_forms->currentIndex() == Sass ? m_sass : nullptr;
}

void ComparePage::nextChange() {
    if (ComparedFiles *files = shownFiles())
        files->step(+1);
}

void ComparePage::previousChange() {
    if (ComparedFiles *files = shownFiles())
        files->step(-1);
}

void ComparePage::fitWidth() {
    // The heads end where the texts below them do.
    m_left->setFixedWidth((width() - m_look.px(8)) / 2);
    // In a low window the first row of the strip; the table below tells of the others as well.
    const int rows = std::max(1, height() / (4 * m_metrics->heightOfRows(1)));
    m_metrics->setMaximumHeight(m_metrics->heightOfRows(rows));
}

void ComparePage::resizeEvent(QResizeEvent *) {
    fitWidth();
}

void ComparePage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    // The gaps between the heads are their edges.
    const QRect heads = m_left->geometry();
    painter.fillRect(heads.right() + 1, heads.top(), 1, heads.height(), m_look.color("border.normal"));
    for (const int edge : {heads.top() - 1, heads.bottom() + 1})
        painter.fillRect(0, edge, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
