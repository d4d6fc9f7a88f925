// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/judge_keeper.h"

#include "toolchain/workspace/task_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>

namespace warpwright {

QString judgeKeyOf(const JudgeNeeds &needs, const JudgeSession::Setup &setup) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const QByteArray &text) {
        hash.addData(QByteArray::number(text.size()) + ' ');
        hash.addData(text);
    };
    Json words = setup.openParams;
    words.erase("scratch");
    words.erase("tier");
    add(dumpJson(words));
    add(setup.replacement.toUtf8());
    add(setup.plan ? setup.plan->key.toUtf8() : QByteArray());
    add(needs.toolchain.python ? needs.toolchain.python->torchVersion.toUtf8() : QByteArray());
    // model.py, and whatever beside it the reference may import. The candidate's own file is no part of it.
    const QFileInfo model(needs.workspace.modelFile);
    const QDir folder = model.dir();
    const QStringList names = needs.workspace.isLoneFile
                                  ? QStringList{model.fileName()}
                                  : folder.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        if (folder.filePath(name) == needs.workspace.modelNewFile)
            continue;
        QFile file(folder.filePath(name));
        add(name.toUtf8());
        add(file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    for (const TaskFile &file : neighboursOf(needs.workspace.modelFile)) {
        add(file.name.toUtf8());
        add(file.state());
    }
    return QString::fromLatin1(hash.result().toHex());
}

JudgeKeeper::JudgeKeeper(QObject *parent) : QObject(parent) {
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleLimitMs);
    connect(&m_idle, &QTimer::timeout, this, &JudgeKeeper::clear);
}

JudgeKeeper::~JudgeKeeper() {
    // Destroying a judge kills it with everything that it started.
    delete m_kept.session;
    if (!m_kept.scratch.isEmpty())
        QDir(m_kept.scratch).removeRecursively();
}

JudgeKeeper::Kept JudgeKeeper::take(const QString &key) {
    m_idle.stop();
    if (m_kept.session == nullptr)
        return {};
    if (m_key != key) {
        clear();
        return {};
    }
    m_kept.session->disconnect(this);
    return std::exchange(m_kept, {});
}

void JudgeKeeper::keep(const QString &key, JudgeSession *session, const QString &scratch) {
    clear();
    m_key = key;
    m_kept = {session, scratch};
    session->setParent(this);
    // It may die while it waits.
    connect(session, &JudgeSession::refused, this, &JudgeKeeper::clear);
    m_idle.start();
}

void JudgeKeeper::clear() {
    m_idle.stop();
    const Kept gone = std::exchange(m_kept, {});
    if (gone.session == nullptr)
        return;
    gone.session->disconnect(this);
    ++m_ending;
    connect(gone.session, &JudgeSession::stopped, this, [this, gone] {
        QDir(gone.scratch).removeRecursively();
        gone.session->deleteLater();
        --m_ending;
        if (isEmpty())
            emit emptied();
    });
    gone.session->stop();
}

} // namespace warpwright
