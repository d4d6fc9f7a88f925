// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/code_listing_view.h"

#include "toolchain/base/figures.h"
#include "toolchain/inspect/opcode_class.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/heat_scale.h"
#include "widgets/look/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int predicateColumns = 6;
constexpr int opcodeColumns = 20;
constexpr int mostOriginColumns = 18;

QString placeText(const CodePlace &place) {
    return QStringLiteral("%1:%2").arg(place.file.section(QLatin1Char('/'), -1)).arg(place.line);
}

/// PTX says with its first word what SASS says with an opcode.
OpcodeClass classOfPtx(const QString &opcode) {
    static const std::array<std::pair<const char *, OpcodeClass>, 14> starts{
        {{"ld", OpcodeClass::Load},
         {"st.", OpcodeClass::Store},
         {"cp.async", OpcodeClass::AsyncCopy},
         {"atom", OpcodeClass::Atomic},
         {"red", OpcodeClass::Atomic},
         {"bar", OpcodeClass::Barrier},
         {"membar", OpcodeClass::Barrier},
         {"fence", OpcodeClass::Barrier},
         {"mbarrier", OpcodeClass::Barrier},
         {"wgmma", OpcodeClass::Tensor},
         {"wmma.mma", OpcodeClass::Tensor},
         {"mma", OpcodeClass::Tensor},
         {"tcgen05.mma", OpcodeClass::Tensor},
         {"shfl", OpcodeClass::Exchange}}};
    for (const auto &[start, kind] : starts)
        if (opcode.startsWith(QLatin1String(start)))
            return kind;
    for (const char *word : {"bra", "ret", "call", "exit", "brx"})
        if (opcode == QLatin1String(word) || opcode.startsWith(QLatin1String(word) + QLatin1Char('.')))
            return OpcodeClass::Control;
    if (opcode.endsWith(QLatin1String(".f32")))
        return OpcodeClass::Fp32;
    return opcode.endsWith(QLatin1String(".f64")) ? OpcodeClass::Fp64 : OpcodeClass::Integer;
}

const char *tokenOf(OpcodeClass kind) {
    switch (kind) {
    case OpcodeClass::Tensor:
        return "syntax.cuda";
    case OpcodeClass::Fp32:
    case OpcodeClass::Fp64:
    case OpcodeClass::Half:
    case OpcodeClass::Special:
        return "syntax.function";
    case OpcodeClass::Load:
    case OpcodeClass::Store:
    case OpcodeClass::AsyncCopy:
    case OpcodeClass::Texture:
    case OpcodeClass::Atomic:
        return "syntax.type";
    case OpcodeClass::Barrier:
    case OpcodeClass::Exchange:
        return "syntax.preproc";
    case OpcodeClass::Control:
        return "syntax.keyword";
    default:
        return "syntax.text";
    }
}

} // namespace

CodeListingView::CodeListingView(const Look &look, QWidget *parent)
    : QAbstractScrollArea(parent), m_look(look), m_bar(new MarkedScrollBar(look, Qt::Vertical, this)) {
    setObjectName(QStringLiteral("codeListing"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBar(m_bar);
    setHorizontalScrollBar(new MarkedScrollBar(look, Qt::Horizontal, this));
    auto *corner = new QWidget(this);
    corner->setAutoFillBackground(true);
    corner->setBackgroundRole(QPalette::Base);
    setCornerWidget(corner);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&look, &Look::changed, this, &CodeListingView::restyle);
    restyle();
}

void CodeListingView::setCode(std::shared_ptr<const KernelCode> code, bool isSass,
                              std::vector<ComparedCode::Kind> kinds) {
    m_code = std::move(code);
    m_kinds = std::move(kinds);
    m_isSass = isSass;
    m_heat.clear();
    m_lit.clear();
    m_found.clear();
    m_current = m_hovered = -1;
    m_widestColumns = 0;
    if (m_code) {
        for (const CodeLine &line : m_code->lines)
            m_widestColumns = std::max(m_widestColumns, predicateColumns + opcodeColumns + 1 +
                                                            static_cast<int>(line.operands.size()));
    }
    measureOrigins();
    setAccessibleName(m_code ? tr("%1 of %2, %3")
                                   .arg(isSass ? tr("SASS") : tr("PTX"), m_code->name,
                                        countText(m_code->instructionCount(), tr("instruction")))
                             : tr("no listing"));
    placeBars();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    markBar();
    viewport()->update();
    emit codeChanged();
}

void CodeListingView::setHeat(std::vector<double> shares, std::function<QString(int)> toolTip, bool isPast) {
    m_heat = m_code && shares.size() == m_code->lines.size() ? std::move(shares) : std::vector<double>();
    m_heatToolTip = std::move(toolTip);
    m_isPastHeat = isPast;
    placeBars();
    markBar();
    viewport()->update();
}

double CodeListingView::heatOf(int line) const {
    const auto index = static_cast<std::size_t>(line);
    return line >= 0 && index < m_heat.size() ? m_heat[index] : 0;
}

void CodeListingView::restyle() {
    placeBars();
    markBar();
    viewport()->update();
}

int CodeListingView::lineHeight() const {
    return QFontMetrics(m_look.font(TextRole::Log)).height() + m_look.px(3);
}

double CodeListingView::columnWidth() const {
    return QFontMetricsF(m_look.font(TextRole::Log)).horizontalAdvance(QLatin1Char('0'));
}

int CodeListingView::originWidth() const {
    return heatWidth() + static_cast<int>(std::ceil(m_originColumns * columnWidth())) + m_look.px(24) +
           signWidth();
}

int CodeListingView::heatWidth() const {
    return m_heat.empty() ? 0 : m_look.px(heatCellWidth);
}

int CodeListingView::signWidth() const {
    return m_kinds.empty() ? 0 : m_look.px(12);
}

int CodeListingView::addressWidth() const {
    return m_isSass ? static_cast<int>(std::ceil(5 * columnWidth())) + m_look.px(8) : 0;
}

void CodeListingView::placeBars() {
    const int lines = m_code ? static_cast<int>(m_code->lines.size()) : 0;
    const int page = std::max(1, viewport()->height() / lineHeight());
    verticalScrollBar()->setRange(0, std::max(0, lines - page));
    verticalScrollBar()->setPageStep(page);
    const int room = viewport()->width() - originWidth() - addressWidth() - m_look.px(16);
    horizontalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_widestColumns * columnWidth())) - room));
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(static_cast<int>(columnWidth() * 4));
}

void CodeListingView::markBar() {
    std::vector<double> places;
    const double last = m_code ? std::max<double>(1, static_cast<double>(m_code->lines.size()) - 1) : 1;
    for (const int line : m_found.empty() ? m_lit : m_found) // what was asked for last
        places.push_back(line / last);
    std::vector<double> added, removed;
    for (std::size_t i = 0; i < m_kinds.size(); ++i) {
        if (m_kinds[i] == ComparedCode::Kind::Added)
            added.push_back(static_cast<double>(i) / last);
        else if (m_kinds[i] == ComparedCode::Kind::Removed)
            removed.push_back(static_cast<double>(i) / last);
    }
    std::vector<double> hot;
    if (!m_isPastHeat)
        for (std::size_t i = 0; i < m_heat.size(); ++i)
            if (heatStep(m_heat[i]) > 0)
                hot.push_back(static_cast<double>(i) / last);
    m_bar->setMarks(MarkedScrollBar::Heat, std::move(hot), heatGround(m_look, 3));
    m_bar->setMarks(MarkedScrollBar::Findings, std::move(added), m_look.color("diff.addMark"));
    m_bar->setMarks(MarkedScrollBar::Errors, std::move(removed), m_look.color("diff.delMark"));
    m_bar->setMarks(MarkedScrollBar::Hits, std::move(places),
                    m_look.color(m_found.empty() ? "accent.focus" : "verdict.inconclusive"));
}

// Lines of the file that is open are numbers; the column is no wider than what it shows.
void CodeListingView::measureOrigins() {
    m_originColumns = 4;
    if (m_code)
        for (int i = 0; i < static_cast<int>(m_code->lines.size()); ++i)
            m_originColumns = std::max(m_originColumns, static_cast<int>(originOf(i).size()));
    m_originColumns = std::min(m_originColumns, mostOriginColumns);
}

void CodeListingView::light(const QString &file, int line, bool scrolls) {
    if (std::exchange(m_file, file) != file) {
        measureOrigins();
        placeBars();
    }
    m_lit = m_code ? linesFrom(*m_code, file, line) : std::vector<int>();
    const int top = verticalScrollBar()->value();
    const int page = verticalScrollBar()->pageStep();
    const bool isInView =
        std::any_of(m_lit.begin(), m_lit.end(), [&](int lit) { return lit >= top && lit < top + page; });
    if (scrolls && !m_lit.empty() && !isInView)
        verticalScrollBar()->setValue(m_lit.front() - page / 4);
    markBar();
    viewport()->update();
}

void CodeListingView::setCurrentLine(int line) {
    if (!m_code || m_code->lines.empty())
        return;
    m_current = std::clamp(line, 0, static_cast<int>(m_code->lines.size()) - 1);
    reveal(m_current);
    viewport()->update();
}

void CodeListingView::setFound(std::vector<int> lines) {
    m_found = std::move(lines);
    markBar();
    viewport()->update();
}

void CodeListingView::reveal(int line) {
    const int top = verticalScrollBar()->value();
    const int page = verticalScrollBar()->pageStep();
    if (line < top)
        verticalScrollBar()->setValue(line);
    else if (line >= top + page)
        verticalScrollBar()->setValue(line - page + 1);
}

int CodeListingView::lineAt(int y) const {
    const int line = verticalScrollBar()->value() + y / lineHeight();
    return m_code && y >= 0 && line < static_cast<int>(m_code->lines.size()) ? line : -1;
}

CodePlace CodeListingView::placeAt(int line) const {
    return line < 0 ? CodePlace() : placeOf(*m_code, m_code->lines[static_cast<std::size_t>(line)], m_file);
}

QString CodeListingView::originOf(int line) const {
    const CodePlace place = placeAt(line);
    if (place.line == 0 || (line > 0 && placeAt(line - 1) == place))
        return {};
    return place.file == m_file ? QString::number(place.line) : placeText(place);
}

ComparedCode::Kind CodeListingView::kindOf(int line) const {
    const auto index = static_cast<std::size_t>(line);
    return index < m_kinds.size() ? m_kinds[index] : ComparedCode::Kind::Same;
}

QColor CodeListingView::inkOf(const CodeLine &line) const {
    return m_look.color(tokenOf(m_isSass ? opcodeClassOf(line.opcode) : classOfPtx(line.opcode)));
}

void CodeListingView::activate(int line) {
    setCurrentLine(line);
    if (const CodePlace place = placeAt(line); place.line > 0)
        emit placeActivated(place.file, place.line, 0);
}

void CodeListingView::hover(int line) {
    if (line == m_hovered)
        return;
    m_hovered = line;
    const CodePlace place = placeAt(line);
    emit placeHovered(place.file, place.line);
    viewport()->update();
}

void CodeListingView::paintEvent(QPaintEvent *event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_look.color("bg.pane"));
    if (!m_code)
        return;
    painter.setFont(m_look.font(TextRole::Log));
    const QFontMetrics metrics(painter.font());
    const int height = lineHeight();
    const int top = verticalScrollBar()->value();
    const int width = viewport()->width();
    const int origin = originWidth();
    const int textLeft = origin + addressWidth() + m_look.px(8);
    const double column = columnWidth();
    for (int i = top; i < static_cast<int>(m_code->lines.size()); ++i) {
        const int y = (i - top) * height;
        if (y > event->rect().bottom())
            break;
        if (y + height <= event->rect().top())
            continue;
        const CodeLine &line = m_code->lines[static_cast<std::size_t>(i)];
        const bool isLit = std::binary_search(m_lit.begin(), m_lit.end(), i);
        const ComparedCode::Kind kind = kindOf(i);
        if (kind != ComparedCode::Kind::Same) {
            const bool isAdded = kind == ComparedCode::Kind::Added;
            painter.fillRect(0, y, width, height, m_look.color(isAdded ? "diff.addBg" : "diff.delBg"));
            painter.setPen(m_look.color(isAdded ? "diff.addMark" : "diff.delMark"));
            painter.drawText(QRect(origin - m_look.px(12) - signWidth(), y, signWidth(), height),
                             Qt::AlignCenter, isAdded ? QStringLiteral("+") : QStringLiteral("\u2212"));
        }
        if (i == m_current || isLit)
            painter.fillRect(0, y, width, height,
                             m_look.color(i == m_current ? "bg.selected" : "accent.tint"));
        else if (i == m_hovered)
            painter.fillRect(0, y, width, height, m_look.color("bg.line"));
        if (i != m_current && std::binary_search(m_found.begin(), m_found.end(), i))
            painter.fillRect(textLeft - m_look.px(4), y, width - textLeft + m_look.px(4), height,
                             m_look.color("verdictBg.inconclusive"));
        if (isLit)
            painter.fillRect(0, y, m_look.px(3), height, m_look.color("accent.focus"));
        const QString from = originOf(i);
        if (!from.isEmpty()) {
            if (i > top)
                painter.fillRect(0, y, width, 1, m_look.color("border.subtle"));
            painter.setPen(m_look.color(isLit ? "text.secondary" : "text.tertiary"));
            const int room = origin - heatWidth() - m_look.px(22) - signWidth();
            painter.drawText(QRect(heatWidth() + m_look.px(6), y, room, height),
                             Qt::AlignVCenter | Qt::AlignRight,
                             metrics.elidedText(from, Qt::ElideLeft, room));
        }
        if (const double share = heatOf(i); share > 0)
            drawHeatCell(painter, m_look, QRect(m_look.px(3), y, heatWidth() - m_look.px(3), height), share,
                         m_isPastHeat);
        if (line.address >= 0) {
            painter.setPen(m_look.color("text.tertiary"));
            painter.drawText(QRect(origin, y, addressWidth(), height), Qt::AlignVCenter | Qt::AlignLeft,
                             QStringLiteral("%1").arg(line.address, 4, 16, QLatin1Char('0')));
        }
        painter.save();
        painter.setClipRect(textLeft - m_look.px(4), y, width - textLeft + m_look.px(4), height);
        const auto draw = [&](int columns, const QString &text, const QColor &color) {
            painter.setPen(color);
            const int x = textLeft + static_cast<int>(columns * column) - horizontalScrollBar()->value();
            painter.drawText(QRect(x, y, metrics.horizontalAdvance(text) + m_look.px(4), height),
                             Qt::AlignVCenter | Qt::AlignLeft, text);
        };
        if (line.kind == CodeLine::Kind::Label) {
            draw(0, line.opcode + QLatin1Char(':'), m_look.color("text.secondary"));
        } else {
            draw(0, line.predicate, m_look.color("syntax.number"));
            draw(predicateColumns, line.opcode, inkOf(line));
            const int opcodes = std::max(opcodeColumns, static_cast<int>(line.opcode.size()));
            draw(predicateColumns + opcodes + 1, line.operands, m_look.color("text.secondary"));
        }
        painter.restore();
    }
    painter.fillRect(origin - m_look.px(8), 0, 1, viewport()->height(), m_look.color("border.subtle"));
}

void CodeListingView::resizeEvent(QResizeEvent *event) {
    QAbstractScrollArea::resizeEvent(event);
    placeBars();
}

void CodeListingView::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        if (const int line = lineAt(event->position().toPoint().y()); line >= 0)
            activate(line);
}

void CodeListingView::mouseMoveEvent(QMouseEvent *event) {
    const int line = lineAt(event->position().toPoint().y());
    viewport()->setCursor(placeAt(line).line > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    hover(line);
}

void CodeListingView::leaveEvent(QEvent *event) {
    QAbstractScrollArea::leaveEvent(event);
    hover(-1);
}

void CodeListingView::keyPressEvent(QKeyEvent *event) {
    const int page = verticalScrollBar()->pageStep();
    if (event->matches(QKeySequence::Copy) && m_code && m_current >= 0) {
        QGuiApplication::clipboard()->setText(
            instructionText(m_code->lines[static_cast<std::size_t>(m_current)]));
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        return setCurrentLine(m_current - 1);
    case Qt::Key_Down:
        return setCurrentLine(m_current + 1);
    case Qt::Key_PageUp:
        return setCurrentLine(m_current - page);
    case Qt::Key_PageDown:
        return setCurrentLine(m_current + page);
    case Qt::Key_Home:
        return setCurrentLine(0);
    case Qt::Key_End:
        return setCurrentLine(m_code ? static_cast<int>(m_code->lines.size()) : 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            activate(m_current);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool CodeListingView::viewportEvent(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int line = lineAt(help->pos().y());
    const PlaceChain *chain =
        line < 0 ? nullptr : m_code->chainOf(m_code->lines[static_cast<std::size_t>(line)]);
    QStringList words;
    if (heatOf(line) > 0 && m_heatToolTip)
        words << m_heatToolTip(line);
    bool isFirst = true;
    if (chain != nullptr)
        for (const CodePlace &place : *chain)
            words << (std::exchange(isFirst, false) ? tr("from %1:%2") : tr("inlined at %1:%2"))
                         .arg(place.file)
                         .arg(place.line);
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), words.join(QLatin1Char('\n')), this);
    return true;
}

void CodeListingView::focusInEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusInEvent(event);
    if (m_current < 0)
        setCurrentLine(verticalScrollBar()->value());
}

void CodeListingView::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace warpwright
