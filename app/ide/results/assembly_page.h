// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/inspector.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/heat/heat.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedLayout;

namespace warpwright {

class Words;
class Actions;
class CodeListingView;
class EmptyState;
class IterationChoices;
class Look;
class OpcodeMixView;
class TabStrip;

/// SASS and PTX of the kernels of the saved text, or of the earlier iteration that is shown, linked with the
/// editor, over what each kernel needs; alone, or against another iteration opcode by opcode. It inspects
/// while it is in view: after opening and saving, beside a check or a compile of the same text, whose objects
/// it waits for.
class AssemblyPage : public QWidget {
    Q_OBJECT
public:
    AssemblyPage(const Look &look, Workbench &bench, const Actions &actions, QWidget *parent = nullptr);

    /// Known to the window: so it is not looked for again.
    void setToolchain(const Toolchain &toolchain);
    /// The text on disk is another now.
    void refresh();
    /// The cursor's line in the editor; `file` relative to the workspace.
    void follow(const QString &file, int line);
    /// The line under the mouse, which goes before the cursor's; 0: none.
    void hover(const QString &file, int line);
    /// While this is in view the kernels are read as well: it shows what settled() brings.
    void readFor(QWidget *other);
    /// The kernels are read though nobody looks at them: others want to know.
    void readAlways(bool isWanted);
    /// What was sampled of the shown text, beside each instruction where the listing is of the code that ran;
    /// null: nothing. `isPast`: of another text; it is said.
    void setHeat(SharedHeat heat, bool isPast);
    /// Short names of the kernels that a call of the shown text launches, the longest first. The listing
    /// opens at the first of them, unless a person chose another kernel.
    void setLaunched(const QStringList &names);
    /// Of the text that was read last; null: none was, or another one is shown now and not read yet.
    [[nodiscard]] std::shared_ptr<const Inspection> inspection() const {
        return m_isOfOther ? nullptr : m_inspection;
    }
    /// Of the text that was read last: that line (from 0) of that kernel's listing, compared with nothing.
    void showLine(int kernel, bool isSass, int line);
    /// Somebody looks at what is read.
    [[nodiscard]] bool isInView() const;
    /// Nothing more will change by itself.
    [[nodiscard]] bool isSettled() const;
    /// As an inspection would end; also for tests.
    void show(const std::shared_ptr<const Inspection> &inspection);
    /// The same of the iteration that is compared with.
    void showOlder(const std::shared_ptr<const Inspection> &inspection);
    /// Of the iteration that the listing is compared with; 0: it stands alone.
    [[nodiscard]] int against() const;
    using QWidget::show;

signals:
    void placeActivated(const QString &file, int line, int column);
    void placeHovered(const QString &file, int line);
    void settled();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void inspect();
    void inspectOlder();
    void fillIterations();
    void fillKernels();
    [[nodiscard]] int launchedIndex() const;
    [[nodiscard]] const InspectedKernel *olderKernel() const;
    [[nodiscard]] QString showCode(const InspectedKernel &one, const std::optional<KernelCode> &code,
                                   bool isSass);
    void showKernel();
    void sayRemark();
    [[nodiscard]] QString showHeat(const InspectedKernel &one, const std::optional<KernelCode> &code);
    void pickKernelOf(const QString &file, int line);
    void describe(const InspectedKernel &kernel);
    void sayEmpty();
    void restyle();
    [[nodiscard]] int shownIteration() const;
    [[nodiscard]] bool isOfOtherText() const;
    [[nodiscard]] const InspectedKernel *kernel() const;

    const Look &m_look;
    Workbench &m_bench;
    const Actions &m_actions;
    Inspector *m_inspector;
    Inspector *m_olderInspector; ///< of the iteration that is compared with
    std::optional<Toolchain> m_toolchain;
    std::shared_ptr<const Inspection> m_inspection;
    std::shared_ptr<const Inspection> m_older;
    QString m_failure;
    QString m_olderFailure;
    QString m_file; ///< where the cursor stands
    int m_line = 0;
    int m_iteration = 0;             ///< that was inspected last; 0: the text on disk
    int m_live = 0;                  ///< the iteration that the text on disk was then
    std::vector<QWidget *> m_others; ///< that show what is read, too
    QWidget *m_content;
    EmptyState *m_empty;
    QComboBox *m_kernels;
    QComboBox *m_against;
    IterationChoices *m_choices;
    TabStrip *m_forms;
    Words *m_facts;
    QLabel *m_remark;
    OpcodeMixView *m_mix;
    CodeListingView *m_listing;
    QString m_comparison; ///< with another iteration, in words; empty: none
    SharedHeat m_heat;
    bool m_isPastHeat = false;
    QStringList m_launched;
    bool m_isPicked = false; ///< the kernel, by a person
    bool m_isReadAlways = false;
    bool m_isOutdated = true;
    bool m_isOfOther = false; ///< m_inspection, than the text that is shown
    bool m_isFilling = false;
};

} // namespace warpwright
