// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/listing_texts.h"
#include "widgets/listing/listing_face.h"

namespace warpwright {

class CodeListingView;
class CompareView;
class Look;
class MessageList;
class RunEventList;

/// The face of a listing that this widget is; null: it is none.
[[nodiscard]] ListingFace *makeListingFace(const Look &look, QWidget *widget, QObject *parent);

/// SASS or PTX.
class CodeFace : public ListingFace {
    Q_OBJECT
public:
    CodeFace(CodeListingView *view, QObject *parent);
    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &hits) override;
    void show(const LineHit &hit) override;

private:
    CodeListingView *m_view;
};

/// Two texts beside each other: the left line of a row, then its right one.
class CompareFace : public ListingFace {
    Q_OBJECT
public:
    CompareFace(CompareView *view, QObject *parent);
    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &) override {}
    void show(const LineHit &hit) override;

private:
    CompareView *m_view;
};

/// What an agent said and did.
class ConversationFace : public ListingFace {
    Q_OBJECT
public:
    ConversationFace(MessageList *list, QObject *parent);
    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &) override {}
    void show(const LineHit &hit) override;

private:
    MessageList *m_list;
    ConversationText m_text;
};

/// The events of a past run, read from its index: the list itself holds only what was in sight.
class RunEventsFace : public ListingFace {
    Q_OBJECT
public:
    RunEventsFace(RunEventList *list, QObject *parent);
    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &) override {}
    void show(const LineHit &hit) override;

private:
    RunEventList *m_list;
};

} // namespace warpwright
