import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Font, openSync } from 'fontkit'
import { hasHangul, isEastern, isWestern, printable } from './letters.ts'

const require = createRequire(import.meta.filename)

/** Fonts for characters that Helvetica lacks, in the same weights. */
const FONTS = {
  Helvetica: {
    wide: wideFont('DejaVuSans'),
    han: notoFont('sc', 'NotoSansHans-Regular'),
    hangul: notoFont('kr', 'NotoSansKR-Regular'),
  },
  'Helvetica-Bold': {
    wide: wideFont('DejaVuSans-Bold'),
    han: notoFont('sc', 'NotoSansHans-Bold'),
    hangul: notoFont('kr', 'NotoSansKR-Bold'),
  },
  Courier: {
    wide: wideFont('DejaVuSansMono'),
    han: notoFont('sc', 'NotoSansHans-Regular'),
    hangul: notoFont('kr', 'NotoSansKR-Regular'),
  },
} as const
export type FontName = keyof typeof FONTS

/**
 * The printable form of the text, and a font with all its characters: a standard PDF font if
 * possible, otherwise an embedded one.
 */
export function inFont(text: string, name: FontName): { font: string; text: string } {
  if (isEastern(text)) {
    const font = FONTS[name][hasHangul(text) ? 'hangul' : 'han']
    return { font, text: printable(text, (letter) => hasLetter(font, letter)) }
  }
  return { font: isWestern(text) ? name : FONTS[name].wide, text: printable(text) }
}

/** Fonts stay open until the process ends. */
const opened = new Map<string, Font>()

function hasLetter(file: string, letter: string): boolean {
  const font = opened.get(file) ?? openFont(file)
  return font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
}

function openFont(file: string): Font {
  const font = openSync(file)
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`)
  opened.set(file, font)
  return font
}

function wideFont(name: string): string {
  return require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
}

function notoFont(country: 'sc' | 'kr', name: string): string {
  return join(dirname(require.resolve(`@embedpdf/fonts-${country}`)), '..', 'fonts', `${name}.otf`)
}
