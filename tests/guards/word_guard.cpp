// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/word_guard.h"

#include "tests/guards/code_text.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

namespace warpwright {

namespace {

constexpr int sentenceWords = 5;

struct Word {
    QString text; ///< in small letters; a sign that ends a clause is one, too
    int line = 0;
};

/// "onlineSoftmax_sm90Of" -> online softmax sm of
QStringList wordsOfName(const QString &name) {
    static const QRegularExpression word("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");
    QStringList words;
    for (auto found = word.globalMatch(name); found.hasNext();)
        words.append(found.next().captured().toLower());
    return words;
}

/// The words of all comments; between comments that do not follow each other there is an empty one.
QVector<Word> wordsOfComments(const QStringList &lines) {
    static const QRegularExpression word("[A-Za-z_]\\w*|[.;:!?,()]");
    QVector<Word> words;
    for (const CodePiece &piece : codePieces(lines)) {
        if (piece.kind != CodePiece::Kind::Comment)
            continue;
        if (!words.isEmpty() && words.last().line < piece.line - 1)
            words.append({QString(), piece.line});
        const QStringList parts = piece.text.split('\n');
        for (qsizetype at = 0; at < parts.size(); ++at)
            for (auto found = word.globalMatch(parts.at(at)); found.hasNext();)
                words.append({found.next().captured().toLower(), piece.line + int(at)});
    }
    return words;
}

/// Which rows begin with a word: most words begin none.
using FirstWords = QHash<QString, QVector<const WordTable::Row *>>;

FirstWords firstWordsOf(const QVector<WordTable::Row> &rows) {
    FirstWords first;
    for (const WordTable::Row &row : rows)
        for (const QString &form : row.forms.first())
            first[form].append(&row);
    return first;
}

/// Null: no row has these words at `at`.
template <typename WordAt>
const WordTable::Row *rowAt(const FirstWords &first, qsizetype at, qsizetype count, const WordAt &wordAt) {
    if (at > 0 && wordAt(at) == "place" && wordAt(at - 1) == "in")
        return nullptr; // "in place" is a word of its own
    for (const WordTable::Row *row : first.value(wordAt(at))) {
        bool isThere = at + row->forms.size() <= count;
        for (qsizetype next = 1; isThere && next < row->forms.size(); ++next)
            isThere = row->forms.at(next).contains(wordAt(at + next));
        if (isThere)
            return row;
    }
    return nullptr;
}

class Finding {
public:
    Finding(const WordTable &table, QVector<GuardFault> &faults)
        : m_ofNames(firstWordsOf(table.names)),
          m_ofComments(firstWordsOf(table.comments)),
          m_faults(faults) {}

    void read(const GuardFile &file) {
        m_seen.clear();
        takeName(file.path.section('/', -1).section('.', 0, 0), file.path, file.path);
        if (!file.path.endsWith(".in")) {
            readNames(file);
            readComments(file);
        }
    }

private:
    void readNames(const GuardFile &file) {
        // Behind std:: it is not ours.
        static const QRegularExpression name("\\bstd::[\\w:]+|[A-Za-z_]\\w*");
        QSet<QString> known; // each name once
        const QStringList code = codeText(file.lines).split('\n');
        for (qsizetype at = 0; at < code.size(); ++at)
            for (auto found = name.globalMatch(code.at(at)); found.hasNext();) {
                const QString text = found.next().captured();
                if (known.contains(text) || text.startsWith("std::"))
                    continue;
                known.insert(text);
                takeName(text, file.path, QString("%1:%2").arg(file.path).arg(at + 1));
            }
    }

    void takeName(const QString &name, const QString &path, const QString &where) {
        const QStringList words = wordsOfName(name);
        if (path.startsWith("tests/") && words.size() >= sentenceWords)
            return;
        const auto wordAt = [&words](qsizetype at) {
            return words.at(at);
        };
        for (qsizetype at = 0; at < words.size(); ++at)
            if (const WordTable::Row *row = rowAt(m_ofNames, at, words.size(), wordAt)) {
                add(path + ' ' + name,
                    QString("%1: the name %2: say \"%3\" instead of \"%4\"")
                        .arg(where, name, row->instead, words.mid(at, row->forms.size()).join(' ')));
                return;
            }
    }

    void readComments(const GuardFile &file) {
        const QVector<Word> words = wordsOfComments(file.lines);
        const auto wordAt = [&words](qsizetype at) {
            return words.at(at).text;
        };
        for (qsizetype at = 0; at < words.size(); ++at)
            if (const WordTable::Row *row = rowAt(m_ofComments, at, words.size(), wordAt)) {
                QStringList phrase;
                for (qsizetype next = 0; next < row->forms.size(); ++next)
                    phrase.append(wordAt(at + next));
                add(QString("%1 \"%2\"").arg(file.path, phrase.join(' ')),
                    QString("%1:%2: a comment: say \"%3\" instead of \"%4\"")
                        .arg(file.path)
                        .arg(words.at(at).line)
                        .arg(row->instead, phrase.join(' ')));
            }
    }

    void add(const QString &key, const QString &complaint) {
        if (m_seen.contains(key))
            return;
        m_seen.insert(key);
        m_faults.append({key, {}, complaint});
    }

    FirstWords m_ofNames;
    FirstWords m_ofComments;
    QVector<GuardFault> &m_faults;
    QSet<QString> m_seen;
};

} // namespace

WordTable WordTable::parse(const QString &path, const QStringList &lines) {
    WordTable table;
    QVector<Row> *list = nullptr;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const QString line = lines.at(at).section('#', 0, 0).simplified();
        if (line.isEmpty())
            continue;
        const QString old = line.section(':', 0, 0).trimmed();
        const QString instead = line.section(':', 1).trimmed();
        if (old == "list" && (instead == "names" || instead == "comments")) {
            list = instead == "names" ? &table.names : &table.comments;
            continue;
        }
        Row row{{}, instead};
        for (const QString &word : old.split(' ', Qt::SkipEmptyParts))
            row.forms.append(word.split('|', Qt::SkipEmptyParts));
        if (list == nullptr || row.forms.isEmpty() || instead.isEmpty())
            table.complaints.append(
                QString("%1:%2: expected \"list: names\" or \"list: comments\", and below it \"OLD: NEW\"")
                    .arg(path)
                    .arg(at + 1));
        else
            list->append(row);
    }
    return table;
}

bool isPlaybookText(const QString &path) {
    static const QRegularExpression text("^(agent|tests)/playbook/.*\\.(h|cpp|cu|cuh|in)$");
    return text.match(path).hasMatch();
}

QVector<GuardFault> wordFaults(const WordTable &table, const QVector<GuardFile> &files) {
    QVector<GuardFault> faults;
    Finding finding(table, faults);
    for (const GuardFile &file : files)
        finding.read(file);
    return faults;
}

} // namespace warpwright
