# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes Warpwright Sans out of Inter: tabular figures become the default glyphs.

Qt before 6.7 cannot switch on the font feature "tnum", and figures that jump about cannot be compared.
Usage: tabular.py Inter-Regular.otf WarpwrightSans-Regular.otf     needs python3-fonttools
"""
import sys

from fontTools.ttLib import TTFont


def main(source, target):
    font = TTFont(source)
    gsub = font["GSUB"].table
    swap = {}
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                swap.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    if not swap:
        sys.exit(f'"{source}" has no tabular figures (feature "tnum")')
    for table in font["cmap"].tables:
        if table.isUnicode():
            for code, glyph in list(table.cmap.items()):
                table.cmap[code] = swap.get(glyph, glyph)
    for name in font["name"].names:
        if name.nameID in (1, 3, 4, 6, 16):
            new = "WarpwrightSans" if name.nameID == 6 else "Warpwright Sans"
            name.string = name.toUnicode().replace("Inter", new)
    if "CFF " in font:
        font["CFF "].cff.fontNames = [target.rsplit("/", 1)[-1].removesuffix(".otf")]
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
