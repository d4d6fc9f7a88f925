// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"

#include "widgets/editor/editor_lexers.h"
#include "widgets/listing/marked_scroll_bar.h"

#include <QApplication>
#include <QFileInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpwright {

CodeEditor::CodeEditor(const Look &look, QWidget *parent) : QsciScintilla(parent), m_look(look) {
    setObjectName(QStringLiteral("codeEditor"));
    setFrameShape(QFrame::NoFrame);
    m_scrollBar = new MarkedScrollBar(look, Qt::Vertical, this);
    replaceVerticalScrollBar(m_scrollBar);
    replaceHorizontalScrollBar(new MarkedScrollBar(look, Qt::Horizontal, this));
    auto *corner = new QWidget(this);
    corner->setAutoFillBackground(true);
    corner->setBackgroundRole(QPalette::Base);
    setCornerWidget(corner);
    setUpBehaviour();
    applyLook();
    connect(&look, &Look::changed, this, &CodeEditor::applyLook);
    connect(this, &QsciScintilla::textChanged, this, [this] {
        if (!m_isSettingContent)
            emit edited();
    });
    connect(this, &QsciScintilla::cursorPositionChanged, this,
            [this](int line, int index) { emit placeChanged(line + 1, index + 1); });
    connect(this, &QsciScintilla::modificationAttempted, this,
            [this] { emit readOnlyRefused(m_readOnlyReason); });
    connect(this, &QsciScintilla::linesChanged, this, &CodeEditor::fitNumberMargin);
}

CodeEditor::~CodeEditor() {
    // Both would still be asked while the base class goes. What asks the others was added before them.
    std::vector<std::unique_ptr<EditorDecorator>> decorators = std::exchange(m_decorators, {});
    for (std::unique_ptr<EditorDecorator> &decorator : decorators)
        decorator.reset();
    setLexer(nullptr);
}

void CodeEditor::addDecorator(std::unique_ptr<EditorDecorator> decorator) {
    m_decorators.push_back(std::move(decorator));
    m_decorators.back()->applyLook();
}

long CodeEditor::sci(unsigned message, long wParam, long lParam) const {
    return SendScintilla(message, static_cast<unsigned long>(wParam), lParam);
}

void CodeEditor::setUpBehaviour() {
    setUtf8(true);
    setCaretLineVisible(true);
    setEolMode(EolUnix);
    setIndentationsUseTabs(false);
    setIndentationWidth(4);
    setTabWidth(4);
    setTabIndents(true);
    setBackspaceUnindents(true);
    setAutoIndent(false); // AutoIndent does it, for it knows braces and colons
    setFolding(PlainFoldStyle, SymbolColumn);
    sci(SCI_SETFOLDFLAGS, 0);
    for (const Column column : {HeatColumn, NumberColumn}) // a marker in a margin's mask lights no line
        setMarginMarkerMask(column, 0);
    setMarginMarkerMask(SymbolColumn, 0); // our icons are drawn by decorators, sharp on every screen
    setMarginType(SymbolColumn, SymbolMarginColor);
    setMarginType(NumberColumn, NumberMargin);
    setMarginType(HeatColumn, TextMarginRightJustified);
    setMarginWidth(HeatColumn, 0); // HeatMarks opens it
    setMarginSensitivity(SymbolColumn, true);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setWhitespaceVisibility(WsInvisible);
    sci(SCI_SETMARGINLEFT, 0, 0);
    sci(SCI_SETMULTIPLESELECTION, 1);
    sci(SCI_SETADDITIONALSELECTIONTYPING, 1);
    sci(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
    sci(SCI_SETVIRTUALSPACEOPTIONS, SCVS_RECTANGULARSELECTION);
    sci(SCI_SETLAYOUTCACHE, SC_CACHE_PAGE);
    sci(SCI_SETXCARETPOLICY, CARET_SLOP | CARET_EVEN, 40);
    sci(SCI_SETYCARETPOLICY, CARET_SLOP | CARET_STRICT | CARET_EVEN, 1);
    sci(SCI_SETVISIBLEPOLICY, VISIBLE_SLOP, 3);
    setMatchedBraceIndicator(BraceIndicator);
    setUnmatchedBraceIndicator(BadBraceIndicator);
}

CodeEditor::Language CodeEditor::languageOf(const QString &fileName) {
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    static const QStringList cuda{QStringLiteral("cu"),  QStringLiteral("cuh"), QStringLiteral("cpp"),
                                  QStringLiteral("cc"),  QStringLiteral("cxx"), QStringLiteral("c"),
                                  QStringLiteral("hpp"), QStringLiteral("h"),   QStringLiteral("inl")};
    if (cuda.contains(suffix))
        return Language::Cuda;
    return suffix == QLatin1String("py") ? Language::Python : Language::Plain;
}

void CodeEditor::setLanguage(Language language) {
    if (language == m_language)
        return;
    m_language = language;
    setLexer(nullptr);
    m_lexer.reset();
    if (language == Language::Cuda)
        m_lexer = std::make_unique<CudaLexer>();
    else if (language == Language::Python)
        m_lexer = std::make_unique<PythonLexer>();
    if (m_lexer != nullptr) {
        dressLexer(*m_lexer, m_look);
        setLexer(m_lexer.get());
    } else {
        sci(SCI_CLEARDOCUMENTSTYLE);
    }
    applyLook();
}

void CodeEditor::applyLook() {
    const QFont code = m_look.font(TextRole::Code);
    const QColor pane = m_look.color("bg.pane");
    const QColor text = m_look.color("syntax.text");
    if (m_lexer != nullptr) {
        dressLexer(*m_lexer, m_look);
    } else {
        setFont(code);
        setColor(text);
        setPaper(pane);
    }
    setExtraAscent(m_look.px(1));
    setExtraDescent(m_look.px(1));

    QFont numbers = code;
    numbers.setPointSizeF(code.pointSizeF() * 12 / 13);
    setMarginsFont(numbers);
    setMarginsForegroundColor(m_look.color("text.tertiary"));
    showWhetherReadOnly();
    // 38 and 20 px, of which the numbers keep 10 px free: Scintilla itself keeps 3.
    setMarginWidth(SymbolColumn, m_look.px(27));
    fitNumberMargin();

    setCaretLineBackgroundColor(m_look.color("bg.line"));
    setCaretForegroundColor(m_look.color("text.primary"));
    setCaretWidth(m_look.px(2));
    setSelectionBackgroundColor(m_look.color("bg.selected"));
    sci(SCI_SETSELFORE, 0, 0); // the colours of the syntax stay
    SendScintilla(SCI_SETADDITIONALSELBACK, m_look.color("bg.selected"));
    SendScintilla(SCI_SETADDITIONALCARETFORE, m_look.color("accent.focus"));
    setEdgeMode(EdgeLine);
    setEdgeColumn(100);
    setEdgeColor(m_look.color("border.subtle"));

    QPalette palette = cornerWidget()->palette();
    palette.setColor(QPalette::Base, pane);
    cornerWidget()->setPalette(palette);

    const auto box = [this](int indicator, const char *token) {
        indicatorDefine(BoxIndicator, indicator);
        setIndicatorForegroundColor(m_look.color(token), indicator);
    };
    box(BraceIndicator, "accent.focus");
    box(BadBraceIndicator, "verdict.wrong");
    // Hits of a search: a ground below the letters, and an edge, for a colour alone is no sign.
    sci(SCI_INDICSETSTYLE, HitIndicator, INDIC_FULLBOX);
    sci(SCI_INDICSETUNDER, HitIndicator, 1);
    sci(SCI_INDICSETALPHA, HitIndicator, 255);
    setIndicatorForegroundColor(m_look.color("verdictBg.inconclusive"), HitIndicator);
    box(HitEdgeIndicator, "verdict.inconclusive");
    for (const auto &decorator : m_decorators)
        decorator->applyLook();
    viewport()->update();
}

void CodeEditor::fitNumberMargin() {
    const int digits = std::max(4, static_cast<int>(QString::number(lines()).size()));
    const auto figure = sci(SCI_TEXTWIDTH, STYLE_LINENUMBER, reinterpret_cast<long>("8"));
    setMarginWidth(NumberColumn, std::max(m_look.px(31), static_cast<int>(figure) * digits + m_look.px(3)));
}

void CodeEditor::setContent(const QString &text) {
    m_isSettingContent = true;
    for (const auto &decorator : m_decorators)
        decorator->forgetContent();
    clearFolds();
    setText(text);
    sci(SCI_SETSAVEPOINT);
    sci(SCI_GOTOPOS, 0);
    sci(SCI_SETXOFFSET, 0);
    sci(SCI_SETSCROLLWIDTH, 1);
    m_isSettingContent = false;
}

void CodeEditor::applyEdits(const std::vector<LineEdit> &edits) {
    if (edits.empty())
        return;
    const int top = static_cast<int>(sci(SCI_DOCLINEFROMVISIBLE, sci(SCI_GETFIRSTVISIBLELINE)));
    int shift = 0;
    sci(SCI_SETREADONLY, 0);
    sci(SCI_BEGINUNDOACTION);
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
        const long lastLine = sci(SCI_GETLINECOUNT);
        const long first = std::clamp<long>(edit->line - 1, 0, lastLine);
        const long start = sci(SCI_POSITIONFROMLINE, first);
        const long end = sci(SCI_POSITIONFROMLINE, std::min(first + edit->lines, lastLine));
        const QByteArray bytes = edit->text.toUtf8();
        sci(SCI_SETTARGETRANGE, start, end);
        sci(SCI_REPLACETARGET, bytes.size(), reinterpret_cast<long>(bytes.constData()));
        if (first + edit->lines <= top)
            shift += static_cast<int>(bytes.count('\n')) - edit->lines;
    }
    sci(SCI_ENDUNDOACTION);
    sci(SCI_SETREADONLY, m_readOnlyReason.isEmpty() ? 0 : 1);
    sci(SCI_SETFIRSTVISIBLELINE, sci(SCI_VISIBLEFROMDOCLINE, top + shift));
}

void CodeEditor::setReadOnlyReason(const QString &reason) {
    m_readOnlyReason = reason;
    setReadOnly(!reason.isEmpty());
    showWhetherReadOnly();
}

// Its margins lie on the ground of the bars, and the cursor does not blink: nothing is written here.
void CodeEditor::showWhetherReadOnly() {
    const QColor ground = m_look.color(m_readOnlyReason.isEmpty() ? "bg.pane" : "bg.bar");
    setMarginsBackgroundColor(ground);
    setMarginBackgroundColor(SymbolColumn, ground);
    setFoldMarginColors(ground, ground);
    sci(SCI_SETCARETPERIOD, m_readOnlyReason.isEmpty() ? QApplication::cursorFlashTime() / 2 : 0);
}

void CodeEditor::goTo(int line, int column) {
    const int row = std::clamp(line, 1, lines()) - 1;
    const int lineEnd = static_cast<int>(sci(SCI_GETLINEENDPOSITION, row));
    long position = column < 1 ? sci(SCI_GETLINEINDENTPOSITION, row)
                               : sci(SCI_POSITIONRELATIVE, sci(SCI_POSITIONFROMLINE, row), column - 1);
    // SCI_POSITIONRELATIVE gives 0 beyond the end of the text.
    if (column > 1 && position == 0)
        position = lineEnd;
    for (const auto &decorator : m_decorators)
        decorator->revealLine(row);
    sci(SCI_ENSUREVISIBLE, row);
    sci(SCI_GOTOPOS, std::min<long>(position, lineEnd));
    const long middle = sci(SCI_VISIBLEFROMDOCLINE, row) - sci(SCI_LINESONSCREEN) / 2;
    sci(SCI_SETFIRSTVISIBLELINE, std::max(0L, middle));
    showLineStart();
    setFocus(Qt::OtherFocusReason);
}

void CodeEditor::showAllLines() {
    sci(SCI_FOLDALL, SC_FOLDACTION_EXPAND);
    for (const auto &decorator : m_decorators)
        decorator->revealAllLines();
}

EditorPlace CodeEditor::cursorPlace() const {
    EditorPlace place;
    getCursorPosition(&place.line, &place.column);
    return {place.line + 1, place.column + 1};
}

EditorView CodeEditor::viewState() const {
    EditorView view;
    view.firstLine = static_cast<int>(sci(SCI_DOCLINEFROMVISIBLE, sci(SCI_GETFIRSTVISIBLELINE))) + 1;
    view.leftPixels = static_cast<int>(sci(SCI_GETXOFFSET));
    view.cursor = cursorPlace();
    for (const int line : contractedFolds())
        view.folded.push_back(line + 1);
    return view;
}

void CodeEditor::restoreViewState(const EditorView &view) {
    if (!view.folded.empty()) {
        sci(SCI_COLOURISE, 0, -1); // folds are known only of text that has been lexed
        for (const int line : view.folded)
            sci(SCI_FOLDLINE, line - 1, SC_FOLDACTION_CONTRACT);
    }
    const int row = std::clamp(view.cursor.line, 1, lines()) - 1;
    const long position = positionFromLineIndex(row, std::max(0, view.cursor.column - 1));
    sci(SCI_SETEMPTYSELECTION, std::min(position, sci(SCI_GETLINEENDPOSITION, row)));
    sci(SCI_SETFIRSTVISIBLELINE, sci(SCI_VISIBLEFROMDOCLINE, std::clamp(view.firstLine, 1, lines()) - 1));
    sci(SCI_SETXOFFSET, view.leftPixels); // an edit brings the caret into sight, and may have moved it
}

void CodeEditor::setRoomAbove(int pixels) {
    setViewportMargins(0, pixels, 0, 0);
}

int CodeEditor::rowHeight() const {
    return static_cast<int>(sci(SCI_TEXTHEIGHT, 0));
}

std::vector<CodeEditor::ShownLine> CodeEditor::shownLines() const {
    std::vector<ShownLine> shown;
    const int height = rowHeight();
    const auto firstRow = sci(SCI_GETFIRSTVISIBLELINE);
    const int count = lines();
    for (int line = static_cast<int>(sci(SCI_DOCLINEFROMVISIBLE, firstRow)); line < count; ++line) {
        if (sci(SCI_GETLINEVISIBLE, line) == 0)
            continue;
        const int top = static_cast<int>(sci(SCI_VISIBLEFROMDOCLINE, line) - firstRow) * height;
        if (top >= viewport()->height())
            break;
        shown.push_back({line, top});
    }
    return shown;
}

std::pair<int, int> CodeEditor::marginSpan(Column column) const {
    int left = 0;
    for (int before = HeatColumn; before < column; ++before)
        left += marginWidth(before);
    return {left, left + marginWidth(column)};
}

void CodeEditor::paintEvent(QPaintEvent *event) {
    QsciScintilla::paintEvent(event);
    QPainter painter(viewport());
    for (const auto &decorator : m_decorators) {
        if (!decorator->isEnabled())
            continue;
        painter.save();
        decorator->paint(painter, event->rect());
        painter.restore();
    }
}

void CodeEditor::resizeEvent(QResizeEvent *event) {
    QsciScintilla::resizeEvent(event);
    for (const auto &decorator : m_decorators)
        decorator->editorResized();
}

QString CodeEditor::toolTipAt(const QPoint &point) const {
    for (auto decorator = m_decorators.rbegin(); decorator != m_decorators.rend(); ++decorator)
        if (const QString tip = (*decorator)->isEnabled() ? (*decorator)->toolTip(point) : QString();
            !tip.isEmpty())
            return tip;
    return {};
}

bool CodeEditor::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = toolTipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    return QsciScintilla::viewportEvent(event);
}

void CodeEditor::keyPressEvent(QKeyEvent *event) {
    for (const auto &decorator : m_decorators)
        if (decorator->isEnabled() && decorator->runKey(*event))
            return;
    // A key of an act that is off just now writes no letter.
    const Qt::KeyboardModifiers held = event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    if (held == Qt::AltModifier && !event->text().isEmpty() && event->text().front().isPrint()) {
        event->ignore();
        return;
    }
    const bool isPrint = !event->text().isEmpty() && event->text().front().isPrint();
    // Nor does one with Ctrl that is no key of ours. AltGr, which writes signs, comes as Ctrl and Alt.
    if (isPrint && (held & (Qt::ControlModifier | Qt::MetaModifier)) != 0 && (held & Qt::AltModifier) == 0) {
        QKeyEvent bare(event->type(), event->key(), event->modifiers(), QString(), event->isAutoRepeat());
        press(bare);
        event->setAccepted(bare.isAccepted());
        return;
    }
    // Enter and the indent that comes of it are one step.
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter)
        beginUndoAction();
    press(*event);
    if (isEnter)
        endUndoAction();
    if (event->key() == Qt::Key_Home)
        showLineStart();
}

void CodeEditor::press(QKeyEvent &key) {
    const auto write = [this, &key] {
        QsciScintilla::keyPressEvent(&key);
    };
    for (const auto &decorator : m_decorators)
        if (decorator->isEnabled() && decorator->typeKey(key, write))
            return;
    write();
}

// Scintilla scrolls no further than the caret needs, which leaves the first columns cut.
void CodeEditor::showLineStart() {
    const long caret = sci(SCI_POINTXFROMPOSITION, 0, sci(SCI_GETCURRENTPOS));
    if (const long offset = sci(SCI_GETXOFFSET); offset > 0 && caret + offset < viewport()->width())
        sci(SCI_SETXOFFSET, 0);
}

} // namespace warpwright
