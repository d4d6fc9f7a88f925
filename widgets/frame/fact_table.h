// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace warpwright {

class Look;

/// Names left in tertiary, values behind them; one line each, elided with a tooltip.
class FactTable : public QWidget {
    Q_OBJECT
public:
    struct Fact {
        QString name;
        QString value;
        bool isCode = false;

        bool operator==(const Fact &) const = default;
    };

    explicit FactTable(const Look &look, QWidget *parent = nullptr);
    void setFacts(std::vector<Fact> facts);
    [[nodiscard]] const std::vector<Fact> &facts() const { return m_facts; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] int nameWidth() const;
    const Look &m_look;
    std::vector<Fact> m_facts;
};

} // namespace warpwright
