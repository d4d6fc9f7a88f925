// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/start_rows.h"

#include "app/ide/kit/verdict_badge.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"

#include <QDir>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

QString joined(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

// So many lines as there is room for, the last one elided: Qt elides no wrapped text by itself.
void drawLines(QPainter &painter, const QString &text, const QRect &rect, int lines) {
    const QFontMetrics metrics = painter.fontMetrics();
    QStringList words = text.split(QLatin1Char(' '));
    const int height = rect.height() / lines;
    for (int line = 0; line < lines && !words.isEmpty(); ++line) {
        QString fitting = words.takeFirst();
        while (!words.isEmpty()) {
            const QString longer = fitting + QLatin1Char(' ') + words.first();
            if (line + 1 < lines && metrics.horizontalAdvance(longer) >= rect.width())
                break;
            fitting = longer;
            words.removeFirst();
        }
        painter.drawText(QRect(rect.left(), rect.top() + line * height, rect.width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(fitting, Qt::ElideRight, rect.width()));
    }
}

} // namespace

QString whenText(const QDateTime &time, const QDateTime &now) {
    const QDateTime local = time.toLocalTime();
    const QLocale english(QLocale::English);
    if (local.date() == now.date())
        return local.toString(QStringLiteral("HH:mm"));
    if (local.date().addDays(1) == now.date())
        return StartRow::tr("yesterday");
    if (local.date().year() == now.date().year())
        return english.toString(local.date(), QStringLiteral("d MMM"));
    return english.toString(local.date(), QStringLiteral("MMM yyyy"));
}

QString homePath(const QString &path) {
    const QString home = QDir::homePath();
    return home.size() > 1 && path.startsWith(home + QLatin1Char('/'))
               ? QLatin1Char('~') + path.mid(home.size())
               : path;
}

StartRow::StartRow(const Look &look, const QString &iconName, const QString &title, const QString &note,
                   QWidget *parent)
    : CardButton(look, false, parent), m_icon(iconName), m_title(title), m_note(note) {
    setAccessibleName(title);
    setAccessibleDescription(note);
}

void StartRow::setKey(const QString &key) {
    m_key = key;
    update();
}

QSize StartRow::sizeHint() const {
    return {look().px(240), look().px(58)};
}

void StartRow::paintFace(QPainter &painter) {
    const int edge = look().px(16);
    drawIcon(painter, m_icon, edge, height() / 2, 20, "accent.text");
    int right = width() - edge;
    if (!m_key.isEmpty()) {
        right -= drawKeyCap(nullptr, look(), m_key, 0, 0, {}, {});
        drawKeyCap(&painter, look(), m_key, right, height() / 2, look().color("text.secondary"),
                   look().color("border.normal"));
        right -= look().px(8);
    }
    const int x = edge + look().px(32);
    drawLine(painter, m_title, x, right, height() / 2 - look().px(9), TextRole::Body, "text.primary",
             QFont::Medium);
    drawLine(painter, m_note, x, right, height() / 2 + look().px(9), TextRole::Small, "text.secondary");
}

RecentRow::RecentRow(const Look &look, RecentWorkspace workspace, QWidget *parent)
    : CardButton(look, false, parent),
      m_workspace(std::move(workspace)),
      m_path(homePath(m_workspace.path)),
      m_time(whenText(m_workspace.lastOpened, QDateTime::currentDateTime())) {
    setToolTip(m_workspace.path);
    setAccessibleName(m_workspace.name);
    QString verdict = tr("never checked");
    QString speedUp;
    if (m_workspace.latest) {
        verdict = lookOf(m_workspace.latest->verdict, m_workspace.latest->unexercised).word;
        if (m_workspace.isRecording)
            verdict = tr("a recording, its best %1").arg(verdict);
        else if (m_workspace.isStale)
            verdict = tr("stale, was %1").arg(verdict);
        if (m_workspace.latest->eager)
            speedUp = tr("%1 against eager").arg(factorText(m_workspace.latest->eager->value));
    }
    if (m_workspace.isMissing) {
        verdict = tr("moved or removed");
        setToolTip(tr("\"%1\" is not there any more.").arg(m_workspace.path));
        m_forget = new ActionButton(look, ActionButton::Kind::Plain, this);
        m_forget->setSmall(true);
        m_forget->setText(tr("Remove from list"));
        m_forget->setAccessibleName(tr("Remove %1 from the list").arg(m_workspace.name));
        connect(m_forget, &QAbstractButton::clicked, this, [this] { emit forgetAsked(m_workspace.path); });
    }
    setAccessibleDescription(joined({verdict, speedUp, m_time, m_path}));
}

QSize RecentRow::sizeHint() const {
    return {look().px(240), look().px(52)};
}

void RecentRow::resizeEvent(QResizeEvent *) {
    if (m_forget == nullptr)
        return;
    m_forget->resize(m_forget->sizeHint());
    m_forget->move(width() - m_forget->width() - look().px(12), (height() - m_forget->height()) / 2);
}

void RecentRow::paintFace(QPainter &painter) {
    const int edge = look().px(14);
    const int middle = height() / 2;
    const int upper = middle - look().px(9);
    const int lower = middle + look().px(9);
    if (m_workspace.isMissing) {
        const int right = m_forget->x() - look().px(8);
        drawLine(painter, m_workspace.name, edge, right, upper, TextRole::Body, "text.tertiary",
                 QFont::Medium);
        const int x = edge + look().px(18);
        drawIcon(painter, QStringLiteral("warning"), edge, lower, 12, "verdict.buildFailed");
        const int used =
            drawLine(painter, tr("not there: "), x, right, lower, TextRole::Small, "verdict.buildFailed");
        drawLine(painter, m_path, used, right, lower, TextRole::Small, "text.tertiary", QFont::Normal,
                 Qt::ElideMiddle);
        return;
    }
    // Columns from the right: when, verdict, speed-up. Fixed, so that rows line up.
    const bool isWide = width() >= look().px(420);
    const int timeWidth = look().px(62);
    const int badgeWidth = look().px(isWide ? 118 : 110);
    const int timeRight = width() - edge;
    painter.setFont(look().font(TextRole::Small));
    painter.setPen(look().color("text.secondary"));
    painter.drawText(QRect(timeRight - timeWidth, 0, timeWidth, height()), Qt::AlignVCenter | Qt::AlignRight,
                     m_time);
    const int badgeLeft = timeRight - timeWidth - badgeWidth;
    const auto &latest = m_workspace.latest;
    drawVerdictBadge(&painter, look(),
                     m_workspace.isRecording ? recordingLook()
                     : !latest               ? notCheckedLook()
                     : m_workspace.isStale   ? staleLook()
                                             : lookOf(latest->verdict, latest->unexercised),
                     latest && m_workspace.isStale, badgeLeft, middle);
    const bool hasSpeed = latest && latest->eager;
    const int speedWidth = look().px(isWide || hasSpeed ? 56 : 0);
    const int speedRight = badgeLeft - look().px(12);
    painter.setFont(look().font(TextRole::Body, hasSpeed ? QFont::Medium : QFont::Normal));
    painter.setPen(look().color(hasSpeed && !m_workspace.isStale ? "text.primary" : "text.tertiary"));
    // One line with its badge: the figure belongs to the verdict.
    if (isWide || hasSpeed)
        painter.drawText(QRect(speedRight - speedWidth, 0, speedWidth, height()),
                         Qt::AlignVCenter | Qt::AlignRight,
                         hasSpeed ? factorText(latest->eager->value) : QStringLiteral("—"));
    const int right = speedRight - speedWidth - look().px(8);
    drawLine(painter, m_workspace.name, edge, right, upper, TextRole::Body, "text.primary", QFont::Medium);
    drawLine(painter, m_path, edge, right, lower, TextRole::Small, "text.secondary", QFont::Normal,
             Qt::ElideMiddle);
}

SampleCard::SampleCard(const Look &look, Sample sample, QWidget *parent)
    : CardButton(look, true, parent), m_sample(std::move(sample)) {
    setAccessibleName(m_sample.title);
    const QString runsOn = m_sample.hasCuda && m_sample.hasTwin ? tr("runs on a GPU and on the CPU")
                           : m_sample.hasCuda                   ? tr("needs a GPU")
                                                                : tr("runs on the CPU");
    setAccessibleDescription(joined({m_sample.description, m_sample.shapes, runsOn}));
    setToolTip(QStringList{m_sample.description, m_sample.shapes, runsOn}.join(QLatin1Char('\n')));
}

bool SampleCard::isNarrow() const {
    return width() < look().px(226);
}

QSize SampleCard::sizeHint() const {
    return {look().px(150), look().px(130)};
}

void SampleCard::resizeEvent(QResizeEvent *) {
    setFixedHeight(sizeHint().height());
}

void SampleCard::paintFace(QPainter &painter) {
    const int edge = look().px(14);
    const int first = look().px(21);
    const int last = height() - look().px(20);
    int right = width() - edge;
    for (const auto &[isThere, icon] :
         {std::pair{m_sample.hasTwin, "cpu"}, std::pair{m_sample.hasCuda, "gpu"}}) {
        if (!isThere)
            continue;
        right -= look().px(14);
        drawIcon(painter, QString::fromLatin1(icon), right, isNarrow() ? last : first, 14, "text.tertiary");
        right -= look().px(6);
    }
    drawLine(painter, m_sample.title, edge, isNarrow() ? width() - edge : right, first, TextRole::Body,
             "text.primary", QFont::Medium);
    painter.setFont(look().font(TextRole::Small));
    painter.setPen(look().color("text.secondary"));
    // Half a shape says nothing: where it does not fit beside the bound it has a line of its own.
    const int bound = m_sample.bound.isEmpty()
                          ? 0
                          : look().px(28) + painter.fontMetrics().horizontalAdvance(tr("compute-bound"));
    const int wanted = painter.fontMetrics().horizontalAdvance(m_sample.shapes);
    const bool isBeside = !isNarrow() && edge + bound + wanted <= width() - edge;
    const int lines = isBeside || m_sample.shapes.isEmpty() ? 3 : 2;
    drawLines(painter, m_sample.description,
              QRect(edge, look().px(34), width() - 2 * edge, look().px(18) * lines), lines);
    if (!m_sample.bound.isEmpty()) {
        const bool isMemory = m_sample.bound == QLatin1String("memory");
        drawIcon(painter, isMemory ? QStringLiteral("memory") : QStringLiteral("roofline"), edge, last, 14,
                 "text.tertiary");
        drawLine(painter, isMemory ? tr("memory-bound") : tr("compute-bound"), edge + look().px(20),
                 width() - edge, last, TextRole::Small, "text.tertiary");
    }
    if (isBeside)
        drawLine(painter, m_sample.shapes, width() - edge - wanted, width() - edge + 2, last, TextRole::Small,
                 "text.tertiary");
    else
        drawLine(painter, m_sample.shapes, edge, width() - edge, look().px(34 + 2 * 18 + 9), TextRole::Small,
                 "text.tertiary");
}

BrokenRow::BrokenRow(const Look &look, const Sample &sample, QWidget *parent)
    : CardButton(look, false, parent), m_sample(sample), m_title(sample.title) {
    // The head over the card has said it.
    const QString prefix = QStringLiteral("Broken: ");
    if (m_title.startsWith(prefix)) {
        m_title.remove(0, prefix.size());
        m_title.replace(0, 1, m_title.left(1).toUpper());
    }
    setAccessibleName(m_title);
    setAccessibleDescription(sample.description);
    setToolTip(sample.description);
}

QSize BrokenRow::sizeHint() const {
    return {look().px(240), look().px(40)};
}

void BrokenRow::paintFace(QPainter &painter) {
    const int edge = look().px(14);
    const int middle = height() / 2;
    const VerdictLook verdict = lookOf(m_sample.verdict);
    drawIcon(painter, QString::fromLatin1(verdict.icon), edge, middle, 14, verdict.ink);
    const int chevron = width() - edge - look().px(12);
    drawIcon(painter, QStringLiteral("chevron-right"), chevron, middle, 12, "text.tertiary");
    const int x = drawLine(painter, m_title, edge + look().px(24), chevron, middle, TextRole::Body,
                           "text.primary", QFont::Medium);
    drawLine(painter, m_sample.description, x + look().px(10), chevron - look().px(8), middle,
             TextRole::Small, "text.secondary");
}

DropTarget::DropTarget(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Drop a folder or a model.py anywhere on this page"));
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize DropTarget::sizeHint() const {
    return {m_look.px(240), m_look.px(58)};
}

void DropTarget::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_look.color("border.strong"), 1, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), m_look.px(6), m_look.px(6));
    const QString words = tr("Drop a folder or a model.py here");
    painter.setFont(m_look.font(TextRole::Small));
    const int icon = m_look.px(16);
    const int width = icon + m_look.px(8) + painter.fontMetrics().horizontalAdvance(words);
    const int x = (this->width() - width) / 2;
    m_look.icon(QStringLiteral("folder")).paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(rect().adjusted(x + icon + m_look.px(8), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     words);
}

} // namespace warpwright
