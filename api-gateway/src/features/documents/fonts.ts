import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Font, openSync } from 'fontkit'
import { hasCjk, hasHangul, isWestern, toPrintable } from './text-layout.ts'

const require = createRequire(import.meta.filename)

/**
 * Fonts for characters that Helvetica does not have. Each set belongs to one weight of Helvetica.
 */
const FONTS = {
  Helvetica: {
    wide: findDejaVuFont('DejaVuSans'),
    han: findNotoFont('sc', 'NotoSansHans-Regular'),
    hangul: findNotoFont('kr', 'NotoSansKR-Regular'),
  },
  'Helvetica-Bold': {
    wide: findDejaVuFont('DejaVuSans-Bold'),
    han: findNotoFont('sc', 'NotoSansHans-Bold'),
    hangul: findNotoFont('kr', 'NotoSansKR-Bold'),
  },
  Courier: {
    wide: findDejaVuFont('DejaVuSansMono'),
    han: findNotoFont('sc', 'NotoSansHans-Regular'),
    hangul: findNotoFont('kr', 'NotoSansKR-Regular'),
  },
} as const
export type FontName = keyof typeof FONTS

/**
 * Returns a font for the text, and the text without the characters that the font lacks. A standard
 * PDF font is preferred to an embedded font.
 */
export function chooseFont(text: string, name: FontName): { font: string; text: string } {
  if (hasCjk(text)) {
    const font = FONTS[name][hasHangul(text) ? 'hangul' : 'han']
    return { font, text: toPrintable(text, (letter) => hasGlyph(font, letter)) }
  }
  return { font: isWestern(text) ? name : FONTS[name].wide, text: toPrintable(text) }
}

/** The open fonts, by file. A font stays open until the process ends. */
const openFonts = new Map<string, Font>()

function hasGlyph(file: string, letter: string): boolean {
  const font = openFonts.get(file) ?? openFont(file)
  return font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
}

function openFont(file: string): Font {
  const font = openSync(file)
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`)
  openFonts.set(file, font)
  return font
}

function findDejaVuFont(name: string): string {
  return require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
}

function findNotoFont(country: 'sc' | 'kr', name: string): string {
  return join(dirname(require.resolve(`@embedpdf/fonts-${country}`)), '..', 'fonts', `${name}.otf`)
}
