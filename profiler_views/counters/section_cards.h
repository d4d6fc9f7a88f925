// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counter_rows.h"

#include <QColor>
#include <QRectF>
#include <QStaticText>

class QPainter;

namespace warpwright {

class Look;
struct PlotStop;

/// The sections of a launch as cards below and beside each other: bars, facts, the chart of memory, rules.
/// Lays them out for a width and draws them; knows no widget, so that screen, PNG and SVG are one drawing.
class SectionCards {
public:
    explicit SectionCards(const Look &look) : m_look(look) {}

    /// `rows` outlive the cards. Returns the height that they take at this width.
    double layOut(const std::vector<CounterRow> &rows, double width);
    void draw(QPainter &painter, const QColor &value) const;
    /// Of a text that was edited since: its numbers turn tertiary.
    void setStale(bool isStale) { m_isStale = isStale; }
    /// A stop a row; its id is the row's number.
    [[nodiscard]] std::vector<PlotStop> stops() const;

private:
    struct Box {
        std::size_t row = 0;
        QRectF rect;
        QStaticText words; ///< of a rule: wrapped and shaped once, for many drawings
    };
    struct Card {
        CounterSection section = CounterSection::SpeedOfLight;
        QRectF rect;
        std::vector<Box> boxes;
        double labelWidth = 0; ///< of its rows; the values' likewise
        double valueWidth = 0;
        std::size_t leftOut = 0; ///< of its rows, for want of room; in the CSV they are
        QString missing;         ///< instead of rows: none of them has a value
    };
    [[nodiscard]] std::vector<Card> makeCards() const;
    /// Places the boxes of a card that begins at (0, 0); returns its height.
    [[nodiscard]] double fill(Card &card, double width) const;
    void fillMemory(Card &card, double width, double &bottom) const;
    void drawCard(QPainter &painter, const Card &card, const QColor &value) const;
    void drawRow(QPainter &painter, const Card &card, const Box &box, const QColor &value) const;
    void drawRule(QPainter &painter, const Box &box) const;
    void drawMemory(QPainter &painter, const Card &card, const QColor &value) const;
    void drawLink(QPainter &painter, const Box &box, bool pointsRight, const QColor &value) const;
    void drawNode(QPainter &painter, const QRectF &rect, const QString &name, const CounterRow *fact) const;
    [[nodiscard]] const CounterRow &rowOf(const Box &box) const { return (*m_rows)[box.row]; }
    [[nodiscard]] double changeWidth() const;
    [[nodiscard]] QColor inkOf(const char *token) const;

    const Look &m_look;
    const std::vector<CounterRow> *m_rows = nullptr;
    std::vector<Card> m_cards;
    bool m_hasBaseline = false;
    bool m_isStale = false;
};

} // namespace warpwright
