import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import decompress from 'woff2-encoder/decompress'
import { easternFilesOf } from './eastern-letters.ts'
import { joinFonts } from './joined-font.ts'

/** Of letters that Helvetica and its kin have not, in the same weights. */
export const WIDE_FONTS = {
  Helvetica: wideFont('DejaVuSans'),
  'Helvetica-Bold': wideFont('DejaVuSans-Bold'),
  Courier: wideFont('DejaVuSansMono'),
} as const
const WEIGHTS = { Helvetica: 400, 'Helvetica-Bold': 700, Courier: 400 } as const

export type FontName = keyof typeof WIDE_FONTS
type JoinedFont = ReturnType<typeof joinFonts>
interface EasternText {
  text: string
  name: FontName
}

/** Open as long as the process runs: there are only so many. */
const opened = new Map<string, Font>()

/** Fonts of all letters of the text, for texts of which some are Chinese, Japanese or Korean. */
export async function openEasternFonts(text: string): Promise<ReadonlyMap<FontName, JoinedFont>> {
  const fonts = new Map<FontName, JoinedFont>()
  // One after the other, as they are of the same files.
  for (const name of ['Helvetica', 'Helvetica-Bold', 'Courier'] as const) {
    fonts.set(name, await openEasternFont({ text, name }))
  }
  return fonts
}

async function openEasternFont({ text, name }: EasternText): Promise<JoinedFont> {
  const fonts = new Map<string, Font>()
  for (const letter of new Set(text)) {
    for (const file of easternFilesOf(letter)) {
      const font = fonts.get(file) ?? (await openFont(file)).getVariation({ wght: WEIGHTS[name] })
      fonts.set(file, font)
      if (font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)) break
    }
  }
  const wide = await openFont(WIDE_FONTS[name])
  return joinFonts({ name: `Eastern-${name}`, fonts: [...fonts.values(), wide] })
}

async function openFont(file: string): Promise<Font> {
  const known = opened.get(file)
  if (known !== undefined) return known
  const bytes = await readFile(file)
  const font = create(file.endsWith('.woff2') ? Buffer.from(await decompress(bytes)) : bytes)
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`)
  opened.set(file, font)
  return font
}

function wideFont(name: string): string {
  return createRequire(import.meta.filename).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
}
