# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes Warpwright Mono out of JetBrains Mono: without the ligatures that draw "!=" and "->" as one sign.

Qt before 6.7 cannot switch off the font feature "calt", and in code each character is to be seen.
Usage: plain_mono.py JetBrainsMono-Regular.ttf WarpwrightMono-Regular.ttf     needs python3-fonttools
"""
import sys

from fontTools.ttLib import TTFont


def main(source, target):
    font = TTFont(source)
    gsub = font["GSUB"].table
    ligatures = [record for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == "calt"]
    if not ligatures:
        sys.exit(f'"{source}" has no ligatures (feature "calt")')
    for record in ligatures:
        record.Feature.LookupListIndex = []
        record.Feature.LookupCount = 0
    for name in font["name"].names:
        if name.nameID in (1, 3, 4, 6, 16):
            text = name.toUnicode()
            name.string = text.replace("JetBrainsMono", "WarpwrightMono").replace("JetBrains Mono", "Warpwright Mono")
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
