import { parse } from 'csv-parse/sync'

const CELLS_MAX = 50
const ROW_CHARACTERS_MAX = 8_000

/** Returns the rows as arrays of cells, or the reason why the file cannot be parsed. */
export function readRows(bytes: Buffer, { rowsMax }: { rowsMax: number }): string[][] | string {
  const text = decodeText(bytes)
  if (text === null) return 'This is not a text file: export it as CSV'
  let rows: string[][]
  try {
    rows = parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      relax_column_count: true,
      // Accepts unescaped quotes inside a cell, which some banks write.
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
  return rows.map((cells) => cells.slice(0, CELLS_MAX).map(toSingleLine))
}

/** Decodes UTF-8, or the encodings of Excel: UTF-16 with a byte order mark, or Windows-1252. */
function decodeText(bytes: Buffer): string | null {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the delimiter that occurs most often in the first rows, outside quotes. */
function findDelimiter(text: string): string {
  const start = text.slice(0, 4_000).replace(/"[^"]*"/g, '')
  const count = (sign: string) => start.split(sign).length
  // Amounts can contain commas, so the comma is chosen only if it is more frequent than every other
  // delimiter.
  return ['\t', ';', '|', ','].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** Removes line breaks and control characters, which a terminal would interpret. */
function toSingleLine(cell: string): string {
  return cell
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
