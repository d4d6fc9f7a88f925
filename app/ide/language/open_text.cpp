// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/open_text.h"

#include "widgets/editor/code_editor.h"

namespace warpwright {
namespace {

constexpr int restMs = 150;

} // namespace

OpenText::OpenText(CodeEditor &editor, QString file, QString languageId, bool isGuest, QObject *parent)
    : QObject(parent),
      m_editor(&editor),
      m_file(std::move(file)),
      m_languageId(std::move(languageId)),
      m_isGuest(isGuest) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(restMs);
    connect(&m_soon, &QTimer::timeout, this, &OpenText::tell);
    connect(&editor, &QsciScintilla::textChanged, &m_soon, [this] { m_soon.start(); });
}

OpenText::~OpenText() {
    if (m_server)
        m_server->closeDocument(m_file);
}

CodeEditor *OpenText::editor() const {
    return m_editor;
}

void OpenText::setServer(LanguageServer *server) {
    if (server == m_server)
        return;
    if (m_server)
        m_server->closeDocument(m_file);
    m_server = server;
    m_soon.stop();
    if (m_server && m_editor)
        m_server->openDocument(m_file, m_languageId, m_editor->content());
}

LanguageServer *OpenText::asked() {
    if (!m_server || m_server->state() != LanguageServer::State::Ready)
        return nullptr;
    if (m_soon.isActive())
        tell();
    return m_server;
}

void OpenText::tell() {
    m_soon.stop();
    if (!m_server || !m_editor)
        return;
    m_server->changeDocument(m_file, m_editor->content());
    emit told();
}

void OpenText::tellSaved() {
    if (!m_server || !m_editor || m_editor->isModified())
        return;
    if (m_soon.isActive())
        tell();
    m_server->saveDocument(m_file);
}

} // namespace warpwright
