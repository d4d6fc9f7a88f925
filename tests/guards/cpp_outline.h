// SPDX-License-Identifier: GPL-3.0-or-later
// Where the classes and functions of a C++ file begin and end, by a scan of its text.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

/// What is written in a file, and not what a compiler makes of it: macros are not replaced, and of a
/// preprocessor's branches all are read. Namespaces are left out of names. What is inside of a function
/// (local classes, lambdas) is part of it and not listed.
struct CppOutline {
    struct Class {
        QString name; ///< "Dock", of a class in a class "Dock::Row"
        int line = 0; ///< of its first word, "template" included
        int lines = 0;
        bool isSpecialization = false; ///< of a template, whole or partial
        bool isInUnnamed = false;      ///< within a namespace without a name: no other file sees it
    };
    struct Function {
        QString qualifier; ///< as it is written before the name, with the classes around it: "Dock::Row", or
                           ///< empty
        QString name;
        bool isInClass = false; ///< its lines are among those of the class around it
        int line = 0;           ///< of its first word, "template" and the type of the result included
        int lines = 0;          ///< to the brace that closes it
    };
    struct Lambda {
        QString name; ///< of what it is a value of or an argument for; may be empty
        int line = 0; ///< of its "["
        int lines = 0;
    };
    QVector<Class> classes;
    QVector<Class> enums; ///< with a name
    QVector<Function> functions;
    QVector<Lambda> lambdas; ///< outside of functions: within values, arguments and tables
    bool isWhole = true;     ///< false: the braces do not match, and what is above may be wrong

    /// A lambda that a variable of a namespace is begun with counts as a function of that name.
    static CppOutline of(const QStringList &lines);
};

} // namespace warpwright
