// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/comparison/comparison_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QTreeView;

namespace warpwright {

class ActionButton;
class Look;

/// The rows that a person asked for: those with these words in them, and where only differences are asked
/// for, what differs or cannot be compared; of verdict and times what was not collected, too.
class ComparisonFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit ComparisonFilter(QObject *parent = nullptr);
    void setWords(const QString &words);
    void setOnlyDifferences(bool isOnly);
    [[nodiscard]] bool hasWords() const { return !m_words.isEmpty(); }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QString m_words;
    bool m_isOnlyDifferences = true;
};

/// All numbers of a comparison in one table, what differs first; above it what limits the comparison, below
/// it what was not collected. Groups without differences are closed.
class ComparisonView : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonView(const Look &look, QWidget *parent = nullptr);

    void show(const SharedComparison &comparison);
    using QWidget::show;
    /// Why there are no rows: the table is empty.
    void say(const QString &words);
    /// What the table shows, as CSV with unrounded values.
    [[nodiscard]] QByteArray csv() const;
    [[nodiscard]] const ComparisonModel &model() const { return *m_model; }
    /// What was not collected, and which act of the window brings it.
    [[nodiscard]] static QString missingText(const MissingPart &part);

signals:
    void copied(const QByteArray &csv);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void openGroups();
    void sayCounts();
    void restyle();
    void fit();
    void copyRow();
    [[nodiscard]] std::vector<const ComparisonRow *> shownRows() const;

    const Look &m_look;
    ComparisonModel *m_model;
    ComparisonFilter *m_filtered;
    QLineEdit *m_words;
    QCheckBox *m_onlyDifferences;
    QLabel *m_counts;
    ActionButton *m_copy;
    QLabel *m_notices;
    QTreeView *m_tree;
    QLabel *m_missing;
    QScrollArea *m_missingScroll;
};

} // namespace warpwright
