import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FileAnswer } from './registry.ts'

const NEGATIVE_AMOUNT = /^-\d+\.\d\d$/

export type CsvValue = string | number | boolean | null

/**
 * A list as a file, written while it is read. A cell that a spreadsheet would take for a formula is
 * made text.
 */
export function csvAnswer<Row>(options: {
  fileName: string
  columns: Readonly<Record<string, (row: Row) => CsvValue>>
  rows: AsyncIterable<Row>
}): FileAnswer {
  const { fileName, columns, rows } = options
  const names = Object.keys(columns)
  const readers = Object.values(columns)
  const lines = stringify({
    header: true,
    columns: names,
    // Excel takes a file without it for the machine's own old code page.
    bom: true,
    escape_formulas: true,
    cast: {
      boolean: (value) => (value ? 'yes' : 'no'),
      // An amount out of an account is a number that can be added up, and no formula.
      string: (value) => (NEGATIVE_AMOUNT.test(value) ? { value, escape_formulas: false } : value),
    },
  })
  async function* toLines() {
    for await (const row of rows) yield readers.map((read) => read(row))
  }
  const bytes = Readable.from(toLines())
  bytes.once('error', (error) => lines.destroy(error))
  return {
    mediaType: 'text/csv; charset=utf-8',
    bytes: bytes.pipe(lines),
    fileName,
    isDownload: true,
  }
}
