import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 420
const HEIGHT = 560
const MARGIN = 40
const LINE_EVERY = 36
const LINE_HEIGHT = 12
const PAPER = 0xf6
const INK = 0x6a
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Creates a PNG that shows a receipt as grey lines on white. Each number gives another picture,
 * because the platform marks a deposit whose picture was uploaded before.
 */
export function drawReceipt(nth: number): File {
  return new File([new Uint8Array(drawPicture(nth))], 'receipt.png', { type: 'image/png' })
}

/** Returns the bytes of the PNG that `drawReceipt` makes. */
export function drawPicture(nth: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // These values mean eight bits per pixel and greyscale.
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Array.from({ length: HEIGHT }, (_, y) => createPixelRow(y, nth))
  return Buffer.concat([
    SIGNATURE,
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(Buffer.concat(rows))),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

function createPixelRow(y: number, nth: number): Buffer {
  const row = Buffer.alloc(WIDTH + 1, PAPER)
  row[0] = 0
  const line = Math.floor((y - MARGIN) / LINE_EVERY)
  const isInk = y > MARGIN && y < HEIGHT - MARGIN && (y - MARGIN) % LINE_EVERY < LINE_HEIGHT
  if (isInk)
    row.fill(INK, MARGIN, MARGIN + 120 + (((line + nth) * 73) % (WIDTH - 2 * MARGIN - 120)))
  return row
}

function createChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
