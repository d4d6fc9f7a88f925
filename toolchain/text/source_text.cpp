// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/source_text.h"

#include "toolchain/base/text_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>
#include <QStringEncoder>

#include <algorithm>

namespace warpwright {
namespace {

const QByteArray kBom8 = QByteArrayLiteral("\xef\xbb\xbf");
const QByteArray kBom16Le = QByteArrayLiteral("\xff\xfe");
const QByteArray kBom16Be = QByteArrayLiteral("\xfe\xff");

QByteArray hashOf(const QByteArray &bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

/// Without its byte order mark. Fails unless encoding gives the same bytes again.
bool decodeExactly(QByteArrayView bytes, QStringConverter::Encoding encoding, QString &text) {
    QStringDecoder decoder(encoding, QStringConverter::Flag::ConvertInitialBom);
    text = decoder(bytes);
    QStringEncoder encoder(encoding, QStringConverter::Flag::Default);
    return !decoder.hasError() && QByteArray(encoder(text)) == bytes;
}

/// A text has hardly any of the control characters that programs and images are full of.
bool looksBinary(const QByteArray &bytes) {
    const qsizetype looked = std::min<qsizetype>(bytes.size(), 64 * 1024);
    const auto controls = std::count_if(bytes.begin(), bytes.begin() + looked, [](char c) {
        return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b') ||
               c == '\x7f';
    });
    return bytes.contains('\0') || controls * 20 > looked;
}

LineEnding lineEndingOf(const QString &text) {
    const qsizetype pairs = text.count(QLatin1String("\r\n"));
    const qsizetype returns = text.count(u'\r');
    if (returns == 0)
        return LineEnding::Lf;
    return returns == pairs && text.count(u'\n') == pairs ? LineEnding::CrLf : LineEnding::Mixed;
}

QString english(qint64 number) {
    return QLocale(QLocale::English).toString(number);
}

/// Cuts lines over longestLine; gives how long the longest was.
qsizetype cutLongLines(QString &text) {
    qsizetype longest = 0;
    QString cut;
    qsizetype start = 0;
    while (start < text.size()) {
        qsizetype end = text.indexOf(u'\n', start);
        end = end < 0 ? text.size() : end;
        longest = std::max(longest, end - start);
        if (end - start > longestLine && cut.isEmpty())
            cut = text.left(start);
        if (longest > longestLine) {
            cut += QStringView(text).sliced(start, std::min(end - start, shownOfLongLine));
            if (end - start > shownOfLongLine)
                cut += QStringLiteral(" … %1 characters more").arg(english(end - start - shownOfLongLine));
            if (end < text.size())
                cut += u'\n';
        }
        start = end + 1;
    }
    if (longest > longestLine)
        text = cut;
    return longest;
}

QString megabytes(qint64 bytes) {
    return QLocale::c().toString(static_cast<double>(bytes) / 1e6, 'f', 1) + QStringLiteral(" MB");
}

void add(QString &note, const QString &sentence) {
    note += (note.isEmpty() ? QString() : QStringLiteral(" ")) + sentence;
}

/// How many bytes of UTF-8 remain when a last character that may be cut is left out.
qsizetype wholeCharacters(const QByteArray &bytes) {
    qsizetype size = bytes.size();
    while (size > 0 && (static_cast<unsigned char>(bytes[size - 1]) & 0xc0) == 0x80)
        --size;
    const bool hasLead = size > 0 && (static_cast<unsigned char>(bytes[size - 1]) & 0xc0) == 0xc0;
    return hasLead ? size - 1 : size;
}

Result<SourceText> readFirstPart(QFile &file) {
    QByteArray bytes = file.read(shownPart);
    if (bytes.isEmpty())
        return Result<SourceText>::error(
            QStringLiteral("Cannot read \"%1\": %2.").arg(file.fileName(), file.errorString()));
    const QByteArray hash = hashOf(bytes + QByteArray::number(file.size()));
    if (const qsizetype end = bytes.lastIndexOf('\n'); end > 0)
        bytes.truncate(end + 1);
    else // at least no half character
        bytes.truncate(wholeCharacters(bytes));
    SourceText source = decodeSourceText(bytes);
    source.hash = hash;
    if (!source.isReadOnlyKind)
        source.note =
            QStringLiteral("The file has %1; only its first %2 are shown, and it cannot be changed here. "
                           "Open it in another editor to see all of it.")
                .arg(megabytes(file.size()), megabytes(bytes.size()));
    source.isReadOnlyKind = true;
    return Result<SourceText>::ok(std::move(source));
}

} // namespace

SourceText decodeSourceText(const QByteArray &bytes) {
    SourceText source;
    source.hash = hashOf(bytes);
    const auto take = [&](const QByteArray &bom, TextEncoding encoding,
                          QStringConverter::Encoding converter) {
        if (!bytes.startsWith(bom) ||
            !decodeExactly(QByteArrayView(bytes).sliced(bom.size()), converter, source.text) ||
            source.text.contains(QChar(0)))
            return false;
        source.encoding = encoding;
        return true;
    };
    const bool isWide = take(kBom16Le, TextEncoding::Utf16Le, QStringConverter::Utf16LE) ||
                        take(kBom16Be, TextEncoding::Utf16Be, QStringConverter::Utf16BE);
    if (!isWide && looksBinary(bytes)) {
        source.text.clear();
        source.isReadOnlyKind = true;
        source.note =
            QStringLiteral("This is no text: a binary file of %1 bytes.").arg(english(bytes.size()));
        return source;
    }
    if (!isWide && !take(kBom8, TextEncoding::Utf8Bom, QStringConverter::Utf8) &&
        !take({}, TextEncoding::Utf8, QStringConverter::Utf8)) {
        source.text = QString::fromLatin1(bytes);
        source.encoding = TextEncoding::Latin1;
        add(source.note, QStringLiteral("The file is not UTF-8: it is shown as Latin-1 and saved so again."));
    }
    source.lineEnding = lineEndingOf(source.text);
    if (source.lineEnding == LineEnding::CrLf)
        source.text.remove(u'\r');
    if (source.lineEnding == LineEnding::Mixed)
        add(source.note,
            QStringLiteral("Its lines end in more than one way; each is kept, new ones end in LF."));
    if (const qsizetype longest = cutLongLines(source.text); longest > longestLine) {
        source.hasLongLine = true;
        source.isReadOnlyKind = true;
        add(source.note,
            QStringLiteral("It has a line of %1 characters: long lines are shown in part, without colours, "
                           "and it cannot be changed here.")
                .arg(english(longest)));
    }
    return source;
}

Result<QByteArray> encodeSourceText(const SourceText &source) {
    using Answer = Result<QByteArray>;
    QString text = source.text;
    if (source.lineEnding == LineEnding::CrLf)
        text.remove(u'\r').replace(u'\n', QLatin1String("\r\n"));
    const auto wide = [&text](const QByteArray &bom, QStringConverter::Encoding converter) {
        QStringEncoder encoder(converter, QStringConverter::Flag::Default);
        return bom + QByteArray(encoder(text));
    };
    switch (source.encoding) {
    case TextEncoding::Utf8:
        return Answer::ok(text.toUtf8());
    case TextEncoding::Utf8Bom:
        return Answer::ok(kBom8 + text.toUtf8());
    case TextEncoding::Utf16Le:
        return Answer::ok(wide(kBom16Le, QStringConverter::Utf16LE));
    case TextEncoding::Utf16Be:
        return Answer::ok(wide(kBom16Be, QStringConverter::Utf16BE));
    case TextEncoding::Latin1:
        break;
    }
    const auto strange = std::find_if(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() > 0xff; });
    if (strange == text.cend())
        return Answer::ok(text.toLatin1());
    const qsizetype at = strange - text.cbegin();
    const QString sign = text.mid(at, strange->isHighSurrogate() ? 2 : 1);
    return Answer::error(QStringLiteral("the file is Latin-1, which has no \"%1\" (line %2)")
                             .arg(sign)
                             .arg(QStringView(text).first(at).count(u'\n') + 1));
}

Result<SourceText> readSourceText(const QString &path) {
    using Answer = Result<SourceText>;
    const QFileInfo info(path);
    if (info.isFile() && info.size() > largestSource) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return Answer::error(QStringLiteral("Cannot read \"%1\": %2.").arg(path, file.errorString()));
        return readFirstPart(file);
    }
    Result<QByteArray> bytes = readTextFile(path, largestSource);
    if (!bytes.hasValue())
        return Answer::error(bytes.message());
    SourceText source = decodeSourceText(bytes.value());
    // By the bits: root may write anyway, and still someone meant it to stay as it is.
    source.isWritable =
        (QFileInfo(path).permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) != 0;
    if (!source.isWritable)
        add(source.note,
            QStringLiteral("The file is read-only: what you change here cannot be saved to it."));
    return Answer::ok(std::move(source));
}

Result<QByteArray> writeSourceText(const QString &path, const SourceText &source) {
    using Answer = Result<QByteArray>;
    Q_ASSERT(!source.isReadOnlyKind);
    const auto refuse = [&path](const QString &why, const QString &advice) {
        return Answer::error(QStringLiteral("Cannot save \"%1\": %2. %3").arg(path, why, advice));
    };
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return refuse(QStringLiteral("it is not a file"), QStringLiteral("Choose another name."));
    if (info.exists() &&
        (info.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) == 0)
        return refuse(QStringLiteral("the file is read-only"),
                      QStringLiteral("Make it writable: chmod u+w \"%1\"").arg(path));
    const Result<QByteArray> bytes = encodeSourceText(source);
    if (!bytes.hasValue())
        return refuse(bytes.message(), QStringLiteral("Replace it, or convert the file to UTF-8 first."));
    if (const auto written = writeFileAtomically(path, bytes.value()); !written.hasValue())
        return Answer::error(written.message());
    return Answer::ok(hashOf(bytes.value()));
}

QByteArray hashOfFile(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    if (file.size() > largestSource)
        return hashOf(file.read(shownPart) + QByteArray::number(file.size()));
    return hashOf(file.readAll());
}

} // namespace warpwright
