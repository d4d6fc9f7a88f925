// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/doctor_panel.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/notices.h"
#include "app/ide/start/doctor_rows.h"
#include "toolchain/environment/inquiry.h"
#include "toolchain/judge/referee_state.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

// One row of the card: an icon beside lines of words, which wrap. Reachable by the screen reader as one text.
class FindingRow : public QWidget {
public:
    FindingRow(const Look &look, const QString &iconName, const char *token, QWidget *parent)
        : QWidget(parent), m_look(look), m_iconName(iconName), m_token(token) {
        m_lines = new QVBoxLayout(this);
        m_lines->setContentsMargins(look.px(40), look.px(9), look.px(14), look.px(9));
        m_lines->setSpacing(look.px(4));
    }
    [[nodiscard]] QVBoxLayout *lines() const { return m_lines; }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const int icon = m_look.px(14);
        m_look.icon(m_iconName, m_look.color(m_token))
            .paint(&painter, QRect(m_look.px(14), m_look.px(11), icon, icon));
    }

private:
    const Look &m_look;
    QString m_iconName;
    const char *m_token;
    QVBoxLayout *m_lines;
};

void copy(const QString &text) {
    QGuiApplication::clipboard()->setText(text);
}

} // namespace

DoctorPanel::DoctorPanel(const Look &look, DataFolders folders, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_folders(std::move(folders)),
      m_head(new CardHead(look, tr("Doctor"), {}, this)),
      m_card(new Card(look, this)),
      m_again(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_copy(new ActionButton(look, ActionButton::Kind::Flat, this)) {
    setObjectName(QStringLiteral("doctorPanel"));
    m_card->setObjectName(QStringLiteral("doctorCard"));
    m_again->setObjectName(QStringLiteral("doctorAgain"));
    m_copy->setObjectName(QStringLiteral("doctorCopy"));
    m_copy->setText(tr("Copy the report"));
    m_copy->setIconName(QStringLiteral("copy"));
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(look.px(8));
    buttons->addWidget(m_again);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(10));
    column->addWidget(m_head);
    column->addWidget(m_card);
    column->addLayout(buttons);
    connect(m_again, &QAbstractButton::clicked, this, [this] {
        if (isExamining())
            stop();
        else
            examine();
    });
    connect(m_copy, &QAbstractButton::clicked, this, [this] { copy(doctorReport(m_findings)); });
    connect(&look, &Look::changed, this, [this] {
        if (hasFindings() && !isExamining())
            show(m_findings); // lengths follow the scale
    });
    say(tr("Not looked at yet"), tr("The doctor finds compilers, Python, torch and devices."));
    nameButtons();
}

void DoctorPanel::nameButtons() {
    m_again->setText(isExamining()   ? tr("Stop")
                     : hasFindings() ? tr("Check again")
                                     : tr("Look at this machine"));
    m_again->setIconName(isExamining() ? QStringLiteral("stop") : QStringLiteral("doctor"));
    const bool canCopy = hasFindings() && !isExamining();
    m_copy->setEnabled(canCopy);
    m_copy->setToolTip(canCopy         ? tr("As text, for a message to others")
                       : isExamining() ? tr("The doctor is still looking")
                                       : tr("The doctor has not looked yet"));
}

void DoctorPanel::setSettings(const Settings &settings) {
    const bool isOther = settings.python != m_settings.python || settings.cuda != m_settings.cuda;
    m_settings = settings;
    if (!isOther || (!hasFindings() && !isExamining()))
        return;
    stop();
    m_findings.clear();
    say(tr("Not looked at yet"), tr("The settings have changed since."));
    nameButtons();
    if (isVisible())
        examine();
}

void DoctorPanel::examine() {
    if (isExamining())
        return;
    ToolchainProbe::Request request;
    request.settings = m_settings;
    request.folders = m_folders;
    m_inquiry = new Inquiry<Doctor, std::vector<DoctorFinding>>(
        std::move(request), this, [this](const std::vector<DoctorFinding> &findings) {
            delete m_inquiry;
            show(findings);
            emit found(findings);
        });
    if (!hasFindings())
        say(tr("Looking at this machine"),
            tr("compilers, Python and its torch, devices; it takes some seconds"));
    m_head->setRemark(tr("looking"));
    nameButtons();
}

void DoctorPanel::stop() {
    if (!isExamining())
        return;
    delete m_inquiry;
    if (hasFindings())
        show(m_findings);
    else
        say(tr("Stopped"), tr("Nothing is known of this machine yet."));
    nameButtons();
}

void DoctorPanel::say(const QString &title, const QString &text) {
    m_card->clear();
    m_head->setRemark({});
    auto *row = new FindingRow(m_look, QStringLiteral("doctor"), "text.tertiary", m_card);
    auto *what = new Words(m_look, TextRole::Body, "text.primary", row, QFont::Medium);
    what->setText(title);
    auto *how = new Words(m_look, TextRole::Small, "text.secondary", row);
    how->setText(text);
    how->setWordWrap(true);
    row->lines()->addWidget(what);
    row->lines()->addWidget(how);
    m_card->add(row);
}

void DoctorPanel::show(const std::vector<DoctorFinding> &findings) {
    m_findings = findings;
    const std::vector<DoctorRow> rows = doctorRows(findings);
    m_card->clear();
    for (const DoctorRow &row : rows)
        addRow(row);
    m_head->setRemark(doctorSummary(rows));
    nameButtons();
}

void DoctorPanel::showJudge(const RefereeState &state) {
    const auto judge = std::find_if(m_findings.begin(), m_findings.end(), [](const DoctorFinding &finding) {
        return finding.name == QLatin1String("referee");
    });
    if (isExamining() || !state.isKnown || judge == m_findings.end() ||
        judge->status != FindingStatus::Unsure)
        return;
    if (state.isBuilt) {
        judge->status = FindingStatus::Ok;
        judge->version = tr("built");
        judge->message.clear();
        return show(std::vector<DoctorFinding>(m_findings));
    }
    judge->message = unbuiltWords(state);
    for (Words *line : m_card->findChildren<Words *>(QStringLiteral("doctorJudge")))
        line->setText(judge->message);
}

void DoctorPanel::addRow(const DoctorRow &row) {
    const bool isInOrder = row.kind == DoctorRow::Kind::InOrder;
    const bool isToMend = row.kind == DoctorRow::Kind::ToMend;
    auto *widget = new FindingRow(m_look,
                                  isInOrder  ? QStringLiteral("accept")
                                  : isToMend ? QStringLiteral("build-failed")
                                             : QStringLiteral("info"),
                                  isInOrder  ? "verdict.pass"
                                  : isToMend ? "verdict.buildFailed"
                                             : "text.tertiary",
                                  m_card);
    widget->setToolTip(row.details);
    auto *first = new QHBoxLayout;
    first->setSpacing(m_look.px(8));
    auto *name = new Words(m_look, TextRole::Body, "text.primary", widget, QFont::Medium);
    name->setText(row.name);
    first->addWidget(name, 0, Qt::AlignTop);
    auto *text = new Words(m_look, TextRole::Small, isInOrder ? "text.secondary" : "text.tertiary", widget);
    text->setText(isInOrder ? row.text : row.remark);
    text->setWordWrap(true);
    text->setContentsMargins(0, m_look.px(2), 0, 0);
    first->addWidget(text, 1);
    widget->lines()->addLayout(first);
    const auto addWords = [&](const QString &words, TextRole role, const char *token) {
        if (words.isEmpty())
            return;
        auto *line = new Words(m_look, role, token, widget);
        line->setProse();
        line->setText(words);
        widget->lines()->addWidget(line);
        if (row.isJudge && words == row.message)
            line->setObjectName(QStringLiteral("doctorJudge"));
    };
    addWords(row.message, TextRole::Small, "text.secondary");
    addWords(row.advice, TextRole::Small, "text.secondary");
    addWords(row.command, TextRole::Log, "text.primary");
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(m_look.px(8));
    if (row.isPython) {
        auto *setUp = new ActionButton(m_look, ActionButton::Kind::Plain, widget);
        setUp->setObjectName(QStringLiteral("doctorSetUp"));
        setUp->setSmall(true);
        setUp->setText(tr("Set up Python"));
        connect(setUp, &QAbstractButton::clicked, this, &DoctorPanel::setUpAsked);
        buttons->addWidget(setUp);
    }
    if (const QString setting = settingsRowIn(row.message + row.advice); !setting.isEmpty()) {
        auto *go = new ActionButton(m_look, ActionButton::Kind::Plain, widget);
        go->setObjectName(QStringLiteral("doctorSettings"));
        go->setSmall(true);
        go->setText(tr("Settings > %1").arg(setting));
        connect(go, &QAbstractButton::clicked, this, [this, setting] { emit settingsAsked(setting); });
        buttons->addWidget(go);
    }
    if (!row.command.isEmpty()) {
        auto *copyIt = new ActionButton(m_look, ActionButton::Kind::Plain, widget);
        copyIt->setObjectName(QStringLiteral("doctorCopyCommand"));
        copyIt->setSmall(true);
        copyIt->setText(tr("Copy the command"));
        copyIt->setAccessibleDescription(row.command);
        copyIt->setIconName(QStringLiteral("copy"));
        connect(copyIt, &QAbstractButton::clicked, this, [command = row.command] { copy(command); });
        buttons->addWidget(copyIt);
    }
    if (buttons->count() > 0) {
        buttons->addStretch(1);
        widget->lines()->addLayout(buttons);
    } else {
        delete buttons;
    }
    m_card->add(widget);
}

} // namespace warpwright
