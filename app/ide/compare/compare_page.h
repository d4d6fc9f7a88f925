// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/compare/compare_controller.h"
#include "app/ide/workbench/iteration_tree.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;

namespace warpwright {

class ActionButton;
class CompareHead;
class ComparedFiles;
class ComparisonView;
class Look;
class MetricStrip;
class SideChoices;
class TabStrip;

/// Two states of the candidate, or it and a baseline, beside each other: what each was found to be, all
/// numbers with what differs first, the texts, the SASS. Two boxes choose the sides. Alt+Down and Alt+Up go
/// through the changes of texts or SASS, Esc closes.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    enum Form { Differences, Source, Sass };

    ComparePage(const Look &look, QWidget *parent = nullptr);

    /// What the boxes offer.
    void setTree(const SharedTree &tree);
    /// Sets the boxes; what was shown goes.
    void begin(const ComparisonChoice &left, const ComparisonChoice &right);
    /// `isReadingSass`: more comes.
    void show(const SharedPair &pair, bool isReadingSass = false);
    using QWidget::show;
    void fail(const QString &message);
    void setForm(Form form);
    [[nodiscard]] Form form() const;
    /// What the boxes say.
    [[nodiscard]] std::pair<ComparisonChoice, ComparisonChoice> sides() const;
    void nextChange();
    void previousChange();

signals:
    /// A person chose another side.
    void sidesChosen(const warpwright::ComparisonChoice &left, const warpwright::ComparisonChoice &right);
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void layOut();
    void choose();
    void sayNothing(const QString &ofASide, const QString &words);
    void showHeads(const ComparedPair &pair);
    void showTexts(const ComparedPair &pair, bool isReadingSass);
    void fitWidth();
    [[nodiscard]] ComparedFiles *shownFiles() const;

    const Look &m_look;
    SideChoices *m_choices;
    QComboBox *m_leftBox;
    QComboBox *m_rightBox;
    ActionButton *m_exchange;
    ActionButton *m_close;
    CompareHead *m_left;
    CompareHead *m_right;
    MetricStrip *m_metrics;
    TabStrip *m_forms;
    QStackedWidget *m_pages;
    ComparisonView *m_differences;
    ComparedFiles *m_source;
    ComparedFiles *m_sass;
    SharedPair m_pair; ///< null: nothing is shown yet
};

} // namespace warpwright
