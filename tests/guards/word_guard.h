// SPDX-License-Identifier: GPL-3.0-or-later
// Finds words that were given up, in names and comments.
#pragma once

#include "tests/guards/allow_list.h"

namespace warpwright {

/// Which words there were, and what is said instead. As a text:
///
///     list: names             of code and of files
///     kept row|rows: cached   these words behind each other, each in one of its forms
///     list: comments
///     matrix units: tensor cores
struct WordTable {
    struct Row {
        QVector<QStringList> forms; ///< of each word, in small letters
        QString instead;
    };
    QVector<Row> names;
    QVector<Row> comments;
    QStringList complaints; ///< lines that cannot be read

    static WordTable parse(const QString &path, const QStringList &lines);
};

/// C++ of the playbook and of its tests, and the texts that it fills in (of which only the names are read).
bool isPlaybookText(const QString &path);

/// A fault for each file and name ("a/leaf.h leafOf", "a/leaf.h leaf": of the file itself), and for each file
/// and phrase of a comment ("a/b.h "copy engine""). In tests a name of five words and more is a sentence,
/// where a word may have its plain meaning: it is not looked at. Nor are names behind std::, and "in place".
QVector<GuardFault> wordFaults(const WordTable &table, const QVector<GuardFile> &files);

} // namespace warpwright
