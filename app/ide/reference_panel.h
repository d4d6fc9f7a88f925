// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench.h"
#include "widgets/pane.h"

namespace warpwright {

class CodeEditor;
class FactTable;

/// The reference, read-only, and the task's facts below it: shapes, parameters, FLOPs, bytes, speed of light.
class ReferencePanel : public Pane {
    Q_OBJECT
public:
    ReferencePanel(const Look &look, Workbench &bench, QWidget *parent = nullptr);

    [[nodiscard]] CodeEditor *editor() const { return m_editor; }
    void goTo(int line, int column);

private:
    void loadFile();
    void describe();

    Workbench &m_bench;
    CodeEditor *m_editor;
    SectionHead *m_head;
    FactTable *m_facts;
    QString m_loaded;
};

} // namespace warpwright
