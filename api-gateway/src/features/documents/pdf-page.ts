import PDFDocument from 'pdfkit'
import { chooseFont, type FontName } from './fonts.ts'
import { toDrawingOrder, toPrintable } from './text-layout.ts'

const INK = '#1d2420'
const MUTED = '#5b665f'
const ACCENT = '#0e5c4a'
const RULE = '#d9ddd6'
const MARGIN = 54
const ROW_GAP = 5

export interface Column {
  title: string
  /** The width of the column, in per cent of the page width. */
  share: number
  isAmount?: true
}

/** Writes a PDF in A4 from top to bottom, with automatic page breaks. */
export interface PdfWriter {
  writeTitle(text: string, sub: string): void
  writeHeading(text: string): void
  writeFacts(facts: readonly (readonly [label: string, value: string])[]): void
  writeTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void
  writeNote(text: string): void
  /** Writes text without changes, so that a signature of the text can be verified. */
  writeVerbatim(text: string): void
  finish(): Promise<Buffer>
}

export function createPdf(paper: { title: string; siteName: string; madeAtMs: number }): PdfWriter {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: {
      Title: toPrintable(paper.title),
      Author: toPrintable(paper.siteName),
      CreationDate: new Date(paper.madeAtMs),
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve)
    doc.once('error', reject)
  })
  let font: FontName = 'Helvetica'
  const width = doc.page.width - 2 * MARGIN
  const left = MARGIN

  function selectFont(text: string): string {
    const chosen = chooseFont(text, font)
    doc.font(chosen.font)
    return toDrawingOrder(chosen.text)
  }

  function drawRow(columns: readonly Column[], cells: readonly string[], isHead: boolean): void {
    font = isHead ? 'Helvetica-Bold' : 'Helvetica'
    doc.fontSize(9)
    const spans = columns.map(({ share }) => (width * share) / 100)
    const height = Math.max(
      ...cells.map((cell, place) =>
        doc.heightOfString(selectFont(cell) || ' ', { width: (spans[place] ?? 0) - 6 }),
      ),
    )
    if (doc.y + height + ROW_GAP > doc.page.height - MARGIN - 20) {
      doc.addPage()
      // The column headings are repeated on the new page.
      if (!isHead && columns.some(({ title }) => title !== '')) {
        drawHeadings(columns)
        drawRow(columns, cells, false)
        return
      }
    }
    const top = doc.y
    let x = left
    columns.forEach(({ isAmount }, place) => {
      const span = spans[place] ?? 0
      const align = isAmount === true ? 'right' : 'left'
      doc.fillColor(isHead ? MUTED : INK)
      doc.text(selectFont(cells[place] ?? ''), x, top, { width: span - 6, align })
      x += span
    })
    doc.y = top + height + ROW_GAP
    doc.x = left
    drawRule()
  }

  function drawHeadings(columns: readonly Column[]): void {
    drawRow(
      columns,
      columns.map(({ title }) => title),
      true,
    )
  }

  function drawRule(): void {
    doc.moveTo(left, doc.y - 2).lineTo(left + width, doc.y - 2)
    doc.lineWidth(0.5).strokeColor(RULE).stroke()
    doc.y += 2
  }

  return {
    writeTitle: (text, sub) => {
      font = 'Helvetica-Bold'
      doc.fontSize(11).fillColor(ACCENT).text(selectFont(paper.siteName))
      doc.moveDown(1).fontSize(20).fillColor(INK).text(selectFont(text))
      font = 'Helvetica'
      doc.fontSize(10).fillColor(MUTED).text(selectFont(sub)).moveDown(1)
    },
    writeHeading: (text) => {
      if (doc.y > doc.page.height - MARGIN - 90) doc.addPage()
      font = 'Helvetica-Bold'
      doc.moveDown(0.8).fontSize(12).fillColor(INK).text(selectFont(text), left).moveDown(0.4)
    },
    writeFacts: (facts) => {
      const columns = [
        { title: '', share: 35 },
        { title: '', share: 65 },
      ]
      for (const fact of facts) drawRow(columns, fact, false)
    },
    writeTable: (columns, rows) => {
      drawHeadings(columns)
      for (const cells of rows) drawRow(columns, cells, false)
    },
    writeNote: (text) => {
      font = 'Helvetica'
      doc.moveDown(0.6).fontSize(9).fillColor(MUTED).text(selectFont(text), left, doc.y, { width })
    },
    writeVerbatim: (text) => {
      font = 'Courier'
      doc.moveDown(0.4).fontSize(7.5).fillColor(INK).text(selectFont(text), left, doc.y, { width })
    },
    finish: async () => {
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page)
        // If the page had a bottom margin, the page number, which is below this margin, would start
        // a new page.
        doc.page.margins.bottom = 0
        font = 'Helvetica'
        doc.fontSize(8).fillColor(MUTED)
        const line = selectFont(`${paper.siteName}  -  page ${page + 1} of ${count}`)
        doc.text(line, left, doc.page.height - MARGIN + 14, { width, align: 'right' })
      }
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}
