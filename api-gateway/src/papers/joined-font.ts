import type { Font, Glyph, GlyphPosition } from 'fontkit'
import { EM, type Outline, writeTrueType } from './true-type.ts'

/** Of Helvetica, so that the cells of a row stand on one line, whatever they are written in. */
const LINE = { ascent: 718, descent: -207, lineGap: 275, capHeight: 718, xHeight: 523 }
const NO_LETTER = { id: 0, codePoints: [0], advanceWidth: EM, commands: [] }

interface JoinedGlyph extends Outline {
  id: number
  codePoints: readonly number[]
}

/**
 * Fonts of some letters each as one font, of which pdfkit asks what it asks of one of fontkit: a text is
 * measured, wrapped and drawn with all of them, and the file holds one font of the letters drawn.
 */
export function joinFonts({ name, fonts }: { name: string; fonts: readonly Font[] }) {
  const all: JoinedGlyph[] = [NO_LETTER]
  const places = new Map<Font, Map<number, JoinedGlyph>>(fonts.map((font) => [font, new Map()]))

  function join(font: Font, glyph: Glyph): JoinedGlyph {
    const known = places.get(font)?.get(glyph.id)
    if (known !== undefined) return known
    const scale = EM / font.unitsPerEm
    const { commands } = glyph.path.scale(scale)
    const advanceWidth = Math.round(glyph.advanceWidth * scale)
    const joined = { id: all.length, codePoints: glyph.codePoints, advanceWidth, commands }
    all.push(joined)
    places.get(font)?.set(glyph.id, joined)
    return joined
  }

  return {
    ...LINE,
    postscriptName: name,
    unitsPerEm: EM,
    italicAngle: 0,
    bbox: { minX: 0, minY: LINE.descent, maxX: EM, maxY: LINE.ascent },
    post: { isFixedPitch: false },
    head: { macStyle: { italic: false } },
    getGlyph: (id: number) => all[id] ?? NO_LETTER,
    layout: (text: string) => {
      const glyphs: JoinedGlyph[] = []
      const positions: GlyphPosition[] = []
      for (const { font, part } of runsOf(text, fonts)) {
        const run = font.layout(part)
        glyphs.push(...run.glyphs.map((glyph) => join(font, glyph)))
        positions.push(...run.positions.map((position) => scaled(position, EM / font.unitsPerEm)))
      }
      const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      return { glyphs, positions, advanceWidth }
    },
    createSubset: () => startSubset(all),
  }
}

/** The letters that are drawn, in the order of their first time. */
function startSubset(all: readonly JoinedGlyph[]) {
  const drawn = new Map([[0, 0]])
  return {
    includeGlyph: (id: number) => {
      const place = drawn.get(id) ?? drawn.size
      drawn.set(id, place)
      return place
    },
    encode: () =>
      writeTrueType(
        [...drawn.keys()].map((id) => all[id] ?? NO_LETTER),
        LINE,
      ),
  }
}

function scaled(position: GlyphPosition, by: number): GlyphPosition {
  return {
    xAdvance: position.xAdvance * by,
    yAdvance: position.yAdvance * by,
    xOffset: position.xOffset * by,
    yOffset: position.yOffset * by,
  }
}

/** A font is kept while it has the letters, as one of letters from the right turns what it is given at once. */
function runsOf(text: string, fonts: readonly Font[]): readonly { font: Font; part: string }[] {
  const runs: { font: Font; part: string }[] = []
  for (const letter of text) {
    const run = runs.at(-1)
    const has = (font: Font) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
    if (run !== undefined && has(run.font)) {
      run.part += letter
      continue
    }
    const font = fonts.find(has)
    if (font !== undefined) runs.push({ font, part: letter })
    else if (letter !== '?') runs.push(...runsOf('?', fonts))
  }
  return runs
}
