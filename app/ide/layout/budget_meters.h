// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace warpwright {

class Look;

/// What a run may use of something, and has used; of Context what the model's window holds now.
struct Budget {
    enum Kind { Iterations, Minutes, Tokens, Cost, Context };
    Kind kind = Iterations;
    double used = 0;             ///< iterations, minutes, tokens, money
    std::optional<double> limit; ///< above 0; empty: none
    bool isEstimated = false;    ///< nobody said so much exactly
    QString currency = {};       ///< of Cost: "EUR"; empty: dollars
    QString detail = {};         ///< for the tooltip: "300 k in, …"
    bool isUnknown = false;      ///< something is used, and nobody says how much: no prices are set

    bool operator==(const Budget &) const = default;
    /// Of 1; 0 without a limit.
    [[nodiscard]] double share() const { return limit && *limit > 0 ? used / *limit : 0; }
    [[nodiscard]] bool isNear() const { return share() >= 0.8; }
    [[nodiscard]] bool isReached() const { return share() >= 1; }
};

/// The one way to write it, wherever it stands: "6/40", "0.35/2 M", "≈0.12/5", "81/128 k"; without a limit
/// "350 k"; "–" where it is unknown.
[[nodiscard]] QString budgetText(const Budget &budget);
/// "it", "min", "tok", "$", "ctx"
[[nodiscard]] QString budgetName(const Budget &budget);
/// "350 k", "1.2 M", "900"
[[nodiscard]] QString tokensText(double tokens);

/// Small meters, four and that of a model's context. From 80 % a triangle and colour; at a limit «Auto
/// stopped: tokens». Where they do not all fit, the nearest to its limit stays. A click opens the budgets.
class BudgetMeters : public QWidget {
    Q_OBJECT
public:
    explicit BudgetMeters(const Look &look, QWidget *parent = nullptr);

    /// `hasStopped`: a budget that is reached ended the run.
    void setBudgets(const std::vector<Budget> &budgets, bool hasStopped);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void budgetsAsked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] int widthOf(const Budget &budget) const;
    [[nodiscard]] QString stopped() const;
    [[nodiscard]] std::vector<Budget> shown() const;

    const Look &m_look;
    std::vector<Budget> m_budgets;
    bool m_hasStopped = false;
    bool m_showsFocus = false;
};

} // namespace warpwright
