import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseFont } from './fonts.ts'
import { createPdf, type PdfWriter } from './pdf-page.ts'
import { toDrawingOrder, toPrintable } from './text-layout.ts'

async function createCertificatePdf(name: string): Promise<Buffer> {
  const sheet = createPdf({ title: 'Certificate', siteName: 'Cairn', madeAtMs: 0 })
  sheet.writeFacts([['Investor', name]])
  return sheet.finish()
}

function extractStreams(pdf: Buffer): readonly string[] {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  return [...streams].flatMap(([, stream = '']) => {
    try {
      return [inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
}

/** Counts the pages with text in an embedded font. */
function countPagesWithFont(pdf: Buffer): number {
  return extractStreams(pdf).filter((text) => text.includes(' Tf') && text.includes('<0001')).length
}

/**
 * Returns the character maps of the embedded fonts. The maps contain the code points of all used
 * characters.
 */
function extractCharacterMaps(pdf: Buffer): string {
  return extractStreams(pdf)
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
  ['李伟', '伟'],
  ['陳大文', '陳'],
  ['サイトウ・タカシ（髙橋）', 'ウ'],
  ['㈱カナダ', '㈱'],
  ['김민준', '준'],
  ['Li Wei 李伟, 株式会社, Κλειω', 'λ'],
])('%s is in the PDF with all its characters', async (name, letter) => {
  expect(chooseFont(name, 'Helvetica').text).toBe(name)
  const letters = extractCharacterMaps(await createCertificatePdf(name))
  const drawn = [...name].find((one) => one.toLowerCase() === letter) ?? letter
  const code = (drawn.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  expect(letters).toContain(`<${code}>`)
})

test('right-to-left words stay together, and the font reverses them', () => {
  expect(toDrawingOrder('דוד כהן')).toBe('דוד\u00a0כהן')
  expect(toDrawingOrder('Investor محمد موسى to Ada')).toBe('Investor محمد\u00a0موسى  to Ada')
  // Digits and Latin characters keep their direction.
  expect(toDrawingOrder('דוד-Cohen 12')).toBe('דוד  -Cohen 12')
  expect(toDrawingOrder('(דוד)')).toBe(')דוד(')
  expect(toDrawingOrder('Ada  Lovelace 5')).toBe('Ada  Lovelace 5')
})

test('names of western Europe embed no font', async () => {
  expect(extractCharacterMaps(await createCertificatePdf('Zoë Müller'))).toBe('')
})

test('a character that no font has becomes its base letter or a question mark', async () => {
  expect(toPrintable('e\u0301 ① 𠮷 🙂 −5')).toBe('é 1 ? ? -5')
  // The variation selector after the character is removed from the text.
  expect(chooseFont('葛\u{e0100}城', 'Helvetica').text).toBe('葛城')
  // The Chinese and Korean fonts have no Hebrew characters.
  expect(chooseFont('王 דוד', 'Helvetica').text).toBe('王 ???')
  expect(extractCharacterMaps(await createCertificatePdf('王\u05d3'))).toMatch(/<738b>.*<003f>/)
})

test('Chinese, Japanese and Korean characters have the weight of the text around them', async () => {
  async function findFont(write: (sheet: PdfWriter) => void): Promise<string | undefined> {
    const sheet = createPdf({ title: 'Statement', siteName: 'Cairn', madeAtMs: 0 })
    write(sheet)
    return /\/BaseFont \/\w+\+(Noto\S+)/.exec((await sheet.finish()).toString('latin1'))?.[1]
  }
  expect(await findFont((sheet) => sheet.writeNote('一'))).toMatch(/Regular$/)
  expect(await findFont((sheet) => sheet.writeHeading('一'))).toMatch(/Bold$/)
  expect(await findFont((sheet) => sheet.writeHeading('민'))).toMatch(/KR-?Bold$/)
})

test('a text without spaces is wrapped, and a row is as high as its highest cell', async () => {
  async function countPages(cell: string): Promise<number> {
    const sheet = createPdf({ title: 'Statement', siteName: 'Cairn', madeAtMs: 0 })
    const rows = Array.from({ length: 20 }, () => ['1', cell])
    sheet.writeTable(
      ['', ''].map((title) => ({ title, share: 50 })),
      rows,
    )
    return (await sheet.finish()).toString('latin1').split('/Type /Page\n').length - 1
  }
  expect(await countPages('投资者')).toBe(1)
  expect(await countPages('投资者应当仔细阅读全部风险提示'.repeat(6))).toBe(2)
})

test('a PDF embeds only the characters that it contains', async () => {
  const name = '根据本协议的条款和条件投资者应当仔细阅读全部风险提示'
  expect((await createCertificatePdf(name)).length).toBeLessThan(100_000)
})

test('a table with several pages repeats its headings on each page', async () => {
  async function countTitles(rows: number): Promise<number> {
    const sheet = createPdf({ title: 'Statement', siteName: 'Cairn', madeAtMs: 0 })
    sheet.writeTable(
      [{ title: 'Σύνολο', share: 100 }],
      Array.from({ length: rows }, () => ['x']),
    )
    return countPagesWithFont(await sheet.finish())
  }
  expect(await countTitles(10)).toBe(1)
  expect(await countTitles(70)).toBe(2)
})
