// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;

namespace warpwright {

class Card;
class Look;
class ScrollPage;
class Words;

/// «Words used here», as a page: each word that the window uses in a sense of its own and what it means,
/// found by typing.
class WordsPage : public QWidget {
    Q_OBJECT
public:
    WordsPage(const Look &look, QWidget *parent = nullptr);

    /// From its beginning, with these words to find.
    void open(const QString &typed = {});
    [[nodiscard]] QStringList shownWords() const;

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void filter(const QString &typed);

    const Look &m_look;
    QLineEdit *m_search;
    Words *m_none;
    QWidget *m_content;
    Card *m_card;
    ScrollPage *m_scroll;
    QStringList m_shown;
};

} // namespace warpwright
