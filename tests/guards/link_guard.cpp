// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/link_guard.h"

#include "tests/guards/markdown_text.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>

namespace warpwright {

namespace {

/// Prose, and of that not what is code `within` a line.
QStringList linkedLines(const QStringList &lines) {
    static const QRegularExpression code("(`+)(?!`).*?(?<!`)\\1(?!`)");
    QStringList prose = proseLines(lines);
    for (QString &line : prose)
        line.remove(code);
    return prose;
}

QString labelOf(const QString &text) {
    return text.simplified().toLower();
}

class Following {
public:
    Following(const QVector<GuardFile> &documents, const std::function<bool(const QString &)> &exists)
        : m_exists(exists) {
        for (const GuardFile &document : documents)
            m_anchors.insert(document.path, anchorsIn(document.lines));
    }

    void read(const GuardFile &document) {
        static const QRegularExpression link("\\]\\(<?([^)\\s>]+)>?[^)]*\\)");
        static const QRegularExpression label("\\]\\[([^\\]]+)\\]");
        static const QRegularExpression definition("^ {0,3}\\[([^\\]]+)\\]:\\s*<?([^\\s>]+)");
        const QStringList lines = linkedLines(document.lines);
        QSet<QString> labels;
        for (qsizetype at = 0; at < lines.size(); ++at)
            if (const auto match = definition.match(lines[at]); match.hasMatch()) {
                labels.insert(labelOf(match.captured(1)));
                follow(document.path, at, match.captured(2));
            }
        for (qsizetype at = 0; at < lines.size(); ++at) {
            for (auto found = link.globalMatch(lines[at]); found.hasNext();)
                follow(document.path, at, found.next().captured(1));
            for (auto found = label.globalMatch(lines[at]); found.hasNext();)
                if (const QString name = found.next().captured(1); !labels.contains(labelOf(name)))
                    add(document.path, at, '[' + name + ']');
        }
    }

    QStringList dead() const { return m_dead; }

private:
    void follow(const QString &path, qsizetype at, const QString &target) {
        static const QRegularExpression elsewhere("^[a-z]+:");
        if (elsewhere.match(target).hasMatch())
            return;
        const QString page = target.section('#', 0, 0);
        const QString anchor = target.section('#', 1);
        const QString folder = path.left(path.lastIndexOf('/') + 1);
        const QString goal = page.isEmpty() ? path : QDir::cleanPath(folder + page);
        const auto anchors = m_anchors.constFind(goal);
        const bool isThere = anchors != m_anchors.constEnd() || m_exists(goal);
        if (!isThere || (!anchor.isEmpty() && anchors != m_anchors.constEnd() && !anchors->contains(anchor)))
            add(path, at, target);
    }

    void add(const QString &path, qsizetype at, const QString &target) {
        m_dead.append(QString("%1:%2: %3").arg(path).arg(at + 1).arg(target));
    }

    const std::function<bool(const QString &)> &m_exists;
    QHash<QString, QSet<QString>> m_anchors; ///< of a document
    QStringList m_dead;
};

} // namespace

QStringList deadLinks(const QVector<GuardFile> &documents,
                      const std::function<bool(const QString &)> &exists) {
    Following following(documents, exists);
    for (const GuardFile &document : documents)
        following.read(document);
    QStringList dead = following.dead();
    dead.sort();
    return dead;
}

QStringList deadLinks(const QString &root) {
    QVector<GuardFile> documents;
    QDirIterator files(root, {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            documents.append({QDir(root).relativeFilePath(file.fileName()),
                              QString::fromUtf8(file.readAll()).split('\n')});
    }
    return deadLinks(documents, [&root](const QString &path) { return QDir(root).exists(path); });
}

} // namespace warpwright
