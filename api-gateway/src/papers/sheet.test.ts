import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawnOrder, printable } from './letters.ts'
import { openSheet } from './sheet.ts'

async function paperFor(name: string): Promise<Buffer> {
  const sheet = openSheet({ title: 'Certificate', siteName: 'Cairn', madeAtMs: 0 })
  sheet.facts([['Investor', name]])
  return sheet.finish()
}

function streamsOf(pdf: Buffer): readonly string[] {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  return [...streams].flatMap(([, stream = '']) => {
    try {
      return [inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
}

/** Pages on which letters of an embedded font are drawn, the first of which has the number 1. */
function countWidePages(pdf: Buffer): number {
  return streamsOf(pdf).filter((text) => text.includes(' Tf') && text.includes('<0001')).length
}

/** The letters that the fonts inside the file say they draw, as numbers of Unicode. */
function embeddedLetters(pdf: Buffer): string {
  return streamsOf(pdf)
    .filter((text) => text.includes('begincmap'))
    .join('\n')
}

test.each([
  ['Łukasz Żółć', 'ż'],
  ['Nguyễn Thị Hương', 'ễ'],
  ['Ελένη Παπαδοπούλου', 'ύ'],
  ['Володимир Їжакевич', 'ж'],
  ['Արամ Խաչատրյան', 'խ'],
  ['ქეთევან ბერიძე', 'ქ'],
  ['דוד כהן', 'ד'],
  ['محمد الخوارزمي', 'ز'],
  ['زهرا پیمان', 'پ'],
])('%s stands in the paper with all its letters', async (name, letter) => {
  expect(printable(name)).toBe(name)
  const letters = embeddedLetters(await paperFor(name))
  const drawn = [...name].find((one) => one.toLowerCase() === letter) ?? letter
  const code = (drawn.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  expect(letters).toContain(`<${code}>`)
})

test('words that run from the right hold together, and the font turns them', () => {
  expect(drawnOrder('דוד כהן')).toBe('דוד\u00a0כהן')
  expect(drawnOrder('Investor محمد موسى to Ada')).toBe('Investor محمد\u00a0موسى  to Ada')
  // Digits and Latin letters are turned by nobody.
  expect(drawnOrder('דוד-Cohen 12')).toBe('דוד  -Cohen 12')
  expect(drawnOrder('(דוד)')).toBe(')דוד(')
  expect(drawnOrder('Ada  Lovelace 5')).toBe('Ada  Lovelace 5')
})

test('names of western Europe bring no font along', async () => {
  expect(embeddedLetters(await paperFor('Zoë Müller'))).toBe('')
})

test('what no font has is a plain letter or a question mark, and never a hole', () => {
  expect(printable('e\u0301 ① 王 🙂 −5')).toBe('é 1 ? ? -5')
})

test('a table that goes on says on each page what its columns are', async () => {
  async function titles(rows: number): Promise<number> {
    const sheet = openSheet({ title: 'Statement', siteName: 'Cairn', madeAtMs: 0 })
    sheet.table(
      [{ title: 'Σύνολο', share: 100 }],
      Array.from({ length: rows }, () => ['x']),
    )
    return countWidePages(await sheet.finish())
  }
  expect(await titles(10)).toBe(1)
  expect(await titles(70)).toBe(2)
})
