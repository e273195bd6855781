import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FileAnswer } from './registry.ts'

/** Assets have from no to many decimals. */
const NEGATIVE_AMOUNT = /^-\d+(\.\d+)?$/

export type CsvValue = string | number | boolean | null

/**
 * Returns an answer that streams a list as CSV. Cells that a spreadsheet would interpret as
 * formulas are escaped.
 */
export function createCsvAnswer<Row>(options: {
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
    // Excel needs the byte order mark to recognise UTF-8.
    bom: true,
    escape_formulas: true,
    cast: {
      boolean: (value) => (value ? 'yes' : 'no'),
      // A negative amount is not escaped, so that spreadsheets read it as a number.
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
