// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/language/clangd_world.h"

#include "toolchain/language/find_clangd.h"
#include "toolchain/language/language_commands.h"

#include <QTest>

using namespace warpwright;

QString missingClangd() {
    const QString tools = missingTools(true);
    if (!tools.isEmpty())
        return tools;
    return findClangd(realToolchain()).program.isEmpty() ? whyNoClangd(realToolchain()) : QString();
}

ClangdWorld::ClangdWorld(const QString &folder) {
    const auto workspace = Workspace::open(folder, DataFolders::find());
    if (!workspace.hasValue()) {
        m_problem = workspace.message();
        return;
    }
    m_workspace = workspace.value();
    const auto command = clangdCommand(m_workspace, realToolchain());
    if (!command.hasValue()) {
        m_problem = command.message();
        return;
    }
    m_server = std::make_unique<LanguageServer>(command.value());
    QObject::connect(m_server.get(), &LanguageServer::diagnosed, m_server.get(),
                     [this](const QString &file, const std::vector<LanguageDiagnostic> &diagnostics) {
                         m_said[file] = diagnostics;
                         ++m_times[file];
                     });
    m_server->start();
    if (!QTest::qWaitFor([this] { return m_server->state() == LanguageServer::State::Ready; }, 60000))
        m_problem = QStringLiteral("clangd is not ready: ") + m_server->why();
}

ClangdWorld::~ClangdWorld() = default;

QString ClangdWorld::open(const QString &name) {
    const QString file = m_workspace.folder + QLatin1Char('/') + name;
    const int before = m_times.value(file);
    m_texts[file] = QString::fromUtf8(textOf(file));
    m_server->openDocument(file, languageIdOf(file), m_texts[file]);
    return QTest::qWaitFor([this, &file, before] { return m_times.value(file) > before; }, 120000)
               ? file
               : QString();
}

bool ClangdWorld::change(const QString &file, const QString &text) {
    if (std::exchange(m_texts[file], text) == text)
        return true;
    const int before = m_times.value(file);
    m_server->changeDocument(file, text);
    return QTest::qWaitFor([this, &file, before] { return m_times.value(file) > before; }, 60000);
}

QString ClangdWorld::saidAsText(const QString &file) const {
    QStringList lines;
    for (const LanguageDiagnostic &one : m_said.value(file))
        lines << QStringLiteral("%1: %2 [%3]").arg(one.range.from.line).arg(one.message, one.code);
    return lines.join(u'\n');
}

TextPlace ClangdWorld::placeOf(const QString &text, const QString &word, int behind) {
    const qsizetype at = text.indexOf(word);
    Q_ASSERT_X(at >= 0, "placeOf", qPrintable(word));
    const qsizetype line = text.left(at).count(u'\n') + 1;
    const qsizetype begin = at == 0 ? 0 : text.lastIndexOf(u'\n', at - 1) + 1;
    return {static_cast<int>(line), static_cast<int>(at - begin) + 1 + behind};
}
