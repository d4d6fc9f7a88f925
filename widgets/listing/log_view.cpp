// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/log_view.h"

#include "widgets/look/look.h"

#include <QMouseEvent>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>

namespace warpwright {
namespace {

constexpr int linesAtMost = 20000;
constexpr qsizetype charactersAtMost = 4'000'000;

class PlaceHighlighter : public QSyntaxHighlighter {
public:
    PlaceHighlighter(const Look &look, QTextDocument *document)
        : QSyntaxHighlighter(document), m_look(look) {}

protected:
    void highlightBlock(const QString &text) override {
        if (text.contains(QLatin1String("error"), Qt::CaseInsensitive))
            setFormat(0, static_cast<int>(text.size()), m_look.color("verdict.wrong"));
        else if (text.contains(QLatin1String("warning"), Qt::CaseInsensitive))
            setFormat(0, static_cast<int>(text.size()), m_look.color("verdict.buildFailed"));
        if (const auto place = findPlace(text)) {
            QTextCharFormat link;
            link.setForeground(m_look.color("accent.text"));
            link.setFontUnderline(true);
            setFormat(place->start, place->length, link);
        }
    }

private:
    const Look &m_look;
};

} // namespace

std::optional<LogPlace> findPlace(const QString &line) {
    static const QRegularExpression compiler(
        QStringLiteral(R"re(([\w.+\-/]+\.(?:cu|cuh|cpp|cc|h|hpp|py|inl))(?:\((\d+)\)|:(\d+)(?::(\d+))?))re"));
    static const QRegularExpression python(QStringLiteral(R"re(File "([^"]+)", line (\d+))re"));
    QRegularExpressionMatch match = python.match(line);
    if (match.hasMatch())
        return LogPlace{match.captured(1), match.captured(2).toInt(), 0,
                        static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength())};
    match = compiler.match(line);
    if (!match.hasMatch())
        return std::nullopt;
    const QString number = match.captured(2).isEmpty() ? match.captured(3) : match.captured(2);
    return LogPlace{match.captured(1), number.toInt(), match.captured(4).toInt(),
                    static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength())};
}

LogView::LogView(const Look &look, QWidget *parent)
    : QPlainTextEdit(parent), m_look(look), m_highlighter(new PlaceHighlighter(look, document())) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false);
    setMaximumBlockCount(linesAtMost);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    viewport()->setMouseTracking(true);
    applyLook();
    connect(&look, &Look::changed, this, &LogView::applyLook);
}

void LogView::applyLook() {
    setFont(m_look.font(TextRole::Log));
    document()->setDocumentMargin(m_look.px(12));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.pane"));
    palette.setColor(QPalette::Text, m_look.color("text.secondary"));
    setPalette(palette);
    m_highlighter->rehighlight();
}

void LogView::setLog(const QString &text) {
    if (text.size() <= charactersAtMost) {
        setPlainText(text);
        return;
    }
    setPlainText(tr("… %1 characters before this are left out; the whole log lies beside the evaluation …\n")
                     .arg(text.size() - charactersAtMost) +
                 text.right(charactersAtMost));
}

void LogView::showFirstError() {
    static const QRegularExpression error(QStringLiteral("\\berror\\b.*:|\\bFAILED\\b"));
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.text().startsWith(QLatin1String("$ ")) || !block.text().contains(error))
            continue;
        setTextCursor(QTextCursor(block));
        centerCursor();
        return;
    }
}

void LogView::appendLine(const QString &line) {
    appendPlainText(line);
}

bool LogView::activate(const QTextCursor &at, bool needsHit) {
    const auto place = findPlace(at.block().text());
    if (!place)
        return false;
    const int column = at.positionInBlock();
    if (needsHit && (column < place->start || column > place->start + place->length))
        return false;
    emit placeActivated(place->file, place->line, place->column);
    return true;
}

void LogView::mouseReleaseEvent(QMouseEvent *event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection())
        activate(cursorForPosition(event->pos()), true);
}

void LogView::mouseMoveEvent(QMouseEvent *event) {
    QPlainTextEdit::mouseMoveEvent(event);
    const QTextCursor at = cursorForPosition(event->pos());
    const auto place = findPlace(at.block().text());
    const bool isOver =
        place && at.positionInBlock() >= place->start && at.positionInBlock() <= place->start + place->length;
    viewport()->setCursor(isOver ? Qt::PointingHandCursor : Qt::IBeamCursor);
}

void LogView::keyPressEvent(QKeyEvent *event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && activate(textCursor(), false))
        return;
    QPlainTextEdit::keyPressEvent(event);
}

} // namespace warpwright
