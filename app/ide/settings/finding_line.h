// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/settings/tool_tests.h"

#include <QWidget>

namespace warpwright {

class Look;
class Words;

/// A finding in one line that breaks where it must: an icon and words, that can be selected. Hidden while
/// there is none.
class FindingLine : public QWidget {
    Q_OBJECT
public:
    FindingLine(const Look &look, QWidget *parent);

    void say(const ToolFinding &finding);
    /// What is going on: «asking qwen …».
    void sayBusy(const QString &text);
    [[nodiscard]] QString said() const;

private:
    void show(const QString &text, const QString &icon, const char *token, const char *ink);
    void paintIcon();

    const Look &m_look;
    Words *m_icon;
    Words *m_words;
    QString m_iconName;
    const char *m_token = "verdict.pass";
};

} // namespace warpwright
