// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"
#include "toolchain/history/recent_workspaces.h"
#include "toolchain/workspace/samples.h"

namespace warpwright {

class ActionButton;

/// A way to begin: icon, what it does, what it takes, and the key that does the same.
class StartRow : public CardButton {
    Q_OBJECT
public:
    StartRow(const Look &look, const QString &iconName, const QString &title, const QString &note,
             QWidget *parent);
    void setKey(const QString &key);
    [[nodiscard]] const QString &key() const { return m_key; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintFace(QPainter &painter) override;

private:
    QString m_icon;
    QString m_title;
    QString m_note;
    QString m_key;
};

/// A workspace that was open before: name and path, speed-up and verdict of its last check, and when.
class RecentRow : public CardButton {
    Q_OBJECT
public:
    RecentRow(const Look &look, RecentWorkspace workspace, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void forgetAsked(const QString &path);

protected:
    void paintFace(QPainter &painter) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    RecentWorkspace m_workspace;
    QString m_path; ///< with ~ for the home folder
    QString m_time;
    ActionButton *m_forget = nullptr; ///< of a missing one
};

/// A sample as a card: what it teaches, what it runs on, what bounds it.
class SampleCard : public CardButton {
    Q_OBJECT
public:
    SampleCard(const Look &look, Sample sample, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintFace(QPainter &painter) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] bool isNarrow() const;
    Sample m_sample;
};

/// A sample that fails on purpose, in one line with the look of its verdict.
class BrokenRow : public CardButton {
    Q_OBJECT
public:
    BrokenRow(const Look &look, const Sample &sample, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintFace(QPainter &painter) override;

private:
    Sample m_sample;
    QString m_title;
};

/// Says that folders and files may be dropped here; the window takes them wherever they fall.
class DropTarget : public QWidget {
    Q_OBJECT
public:
    DropTarget(const Look &look, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
};

/// "14:32" of today, "yesterday", "18 Nov" of this year, "Nov 2025".
[[nodiscard]] QString whenText(const QDateTime &time, const QDateTime &now);
/// "~/kernels/softmax" for a path below the home folder.
[[nodiscard]] QString homePath(const QString &path);

} // namespace warpwright
