import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Font, openSync } from 'fontkit'
import { hasHangul, isEastern, isWestern, printable } from './letters.ts'

const require = createRequire(import.meta.filename)

/** Of letters that Helvetica and its kin have not, in the same weights. */
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
 * The text with what can be drawn of it, and the font that has all its letters: every reader has the
 * named one, the others travel along.
 */
export function inFont(text: string, name: FontName): { font: string; text: string } {
  if (isEastern(text)) {
    const font = FONTS[name][hasHangul(text) ? 'hangul' : 'han']
    return { font, text: printable(text, (letter) => hasLetter(font, letter)) }
  }
  return { font: isWestern(text) ? name : FONTS[name].wide, text: printable(text) }
}

/** Open as long as the process runs. */
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
