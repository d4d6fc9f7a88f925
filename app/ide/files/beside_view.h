// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace warpwright {

class CodeEditor;
class Look;
class TabStrip;

/// A second editor at the right of the candidate's: any of its files, the same one too, over the very text of
/// the first, so that what is typed in one stands in both. Hunks under review and messages stay with the
/// first.
class BesideView : public QWidget {
    Q_OBJECT
public:
    BesideView(const Look &look, QWidget *parent);
    ~BesideView() override;

    /// Of its tabs; `shown` are their words.
    void setFiles(const QStringList &files, const QStringList &shown);
    void setDirty(const QString &file, bool isDirty);
    /// The text of that editor, which is edited here as well as there.
    void share(const QString &file, CodeEditor &source);
    /// That editor has another language, or can be edited or not: as it is there.
    void shareAnew();
    /// A text of its own, read-only.
    void showText(const QString &file, const QString &text, const QString &readOnlyReason);
    [[nodiscard]] QString file() const;
    [[nodiscard]] CodeEditor *editor() const { return m_editor; }
    [[nodiscard]] CodeEditor *source() const { return m_source; } ///< null: a text of its own

signals:
    void fileChosen(const QString &file);
    void closeAsked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void choose(const QString &file);

    const Look &m_look;
    TabStrip *m_tabs;
    CodeEditor *m_editor;
    QPointer<CodeEditor> m_source;
    QString m_text; ///< whose own text it shows
    bool m_isFilling = false;
};

} // namespace warpwright
