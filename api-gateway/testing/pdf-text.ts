import { inflateSync } from 'node:zlib'

/** Returns the text of the PDF without compression. */
export function extractText(pdf: Buffer): string {
  const text: string[] = []
  const latin = pdf.toString('latin1')
  for (const [, stream = ''] of latin.matchAll(/stream\r?\n([\s\S]*?)\nendstream/g)) {
    let plain = ''
    try {
      plain = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
    } catch {
      continue
    }
    for (const [, hex = ''] of plain.matchAll(/<([0-9a-f]+)>/g)) {
      text.push(Buffer.from(hex, 'hex').toString('latin1'))
    }
    text.push('\n')
  }
  return text.join('')
}
