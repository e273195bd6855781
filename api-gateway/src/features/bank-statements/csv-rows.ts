import { parse } from 'csv-parse/sync'

const CELLS_MAX = 50
const ROW_CHARACTERS_MAX = 8_000

/** Rows of cells, or why there are none. */
export function readRows(bytes: Buffer, { rowsMax }: { rowsMax: number }): string[][] | string {
  const text = decode(bytes)
  if (text === null) return 'This is not a text file: export it as CSV'
  let rows: string[][]
  try {
    rows = parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      relax_column_count: true,
      // Some banks write a quote inside a cell as it is.
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS_MAX,
      to: rowsMax + 1,
    })
  } catch (error) {
    const line = /line (\d+)/i.exec(error instanceof Error ? error.message : '')?.[1]
    return `The file cannot be read as CSV${line === undefined ? '' : `: look at line ${line}`}`
  }
  if (rows.length > rowsMax) return `The file has more than ${rowsMax} rows: split it`
  return rows.map((cells) => cells.slice(0, CELLS_MAX).map(clean))
}

/** UTF-8, or what Excel writes: UTF-16 with a mark, or the old Western code page. */
function decode(bytes: Buffer): string | null {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** What stands most often in the first rows, outside of quotes. */
function findDelimiter(text: string): string {
  const start = text.slice(0, 4_000).replace(/"[^"]*"/g, '')
  const count = (sign: string) => start.split(sign).length
  // Amounts may have commas of their own, so a comma is the last guess.
  return ['\t', ';', '|', ','].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** On one line, without what a screen or a terminal would act on. */
function clean(cell: string): string {
  return cell
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
