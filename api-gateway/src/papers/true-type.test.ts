import { create } from 'fontkit'
import { expect, test } from 'vitest'
import { writeTrueType } from './true-type.ts'

const LINE = { ascent: 718, descent: -207 }

test('what is written is read again: outlines with their holes, curves and widths', () => {
  const ring = [
    { command: 'moveTo', args: [100, -50] },
    { command: 'lineTo', args: [900, -50] },
    { command: 'quadraticCurveTo', args: [1000, 400, 500, 800] },
    { command: 'closePath', args: [] },
    { command: 'moveTo', args: [300, 100] },
    { command: 'lineTo', args: [500, 400] },
    { command: 'lineTo', args: [700, 100] },
    { command: 'closePath', args: [] },
  ] as const
  const file = writeTrueType(
    [
      { commands: [], advanceWidth: 1000 },
      {
        commands: ring.map(({ command, args }) => ({ command, args: [...args] })),
        advanceWidth: 990,
      },
      { commands: [], advanceWidth: 250 },
    ],
    LINE,
  )
  const font = create(file)
  if (!('layout' in font)) throw new Error('one font was written')
  expect(font).toMatchObject({ numGlyphs: 3, unitsPerEm: 1000, ...LINE })
  expect(font.getGlyph(1).path.commands).toEqual(ring)
  expect([0, 1, 2].map((id) => font.getGlyph(id).advanceWidth)).toEqual([1000, 990, 250])
  expect(font.getGlyph(1).bbox).toMatchObject({ minX: 100, minY: -50, maxY: 800 })
})
