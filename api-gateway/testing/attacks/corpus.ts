import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'

export interface Attack {
  name: string
  bytes: Buffer
}

const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`
const RAW = { width: 24, height: 16, channels: 3 as const, background: '#0e5c4a' }

/**
 * Returns files that are not images, files that contain other data besides an image, and files that
 * are too large.
 */
export async function createUploadCorpus(): Promise<readonly Attack[]> {
  const png = await sharp({ create: RAW }).png().toBuffer()
  const jpeg = await sharp({ create: RAW }).jpeg().toBuffer()
  const zip = Buffer.from('504b0304140000000000000000000000000000000000000000000100000061', 'hex')
  const trailers = [
    ['html', Buffer.from(SCRIPT)],
    ['zip', zip],
    ['phar', Buffer.from('<?php __HALT_COMPILER(); ?>')],
    ['pdf', Buffer.from('%PDF-1.7 /OpenAction /JavaScript')],
    ['svg', Buffer.from(SVG)],
    ['megabyte', Buffer.alloc(1_000_000, 65)],
  ] as const
  const polyglots = trailers.flatMap(([kind, trailer]) => [
    { name: `png and ${kind}`, bytes: Buffer.concat([png, trailer]) },
    { name: `jpeg and ${kind}`, bytes: Buffer.concat([jpeg, trailer]) },
  ])
  return [
    ...polyglots,
    ...(await createPicturesWithMetadata()),
    ...(await createOtherFormats()),
    ...createTextsAndArchives(),
    ...createBrokenPictures(png, jpeg),
    { name: 'a picture of 16,000 by 16,000', bytes: createHugePng(16_000) },
    { name: 'a picture of 60,000 by 60,000', bytes: createHugePng(60_000) },
    {
      name: 'png with a text chunk of script',
      bytes: insertChunk(png, 'tEXt', `Comment\0${SCRIPT}`),
    },
    { name: 'png with an unknown chunk', bytes: insertChunk(png, 'evIl', SCRIPT) },
    { name: 'animated png', bytes: insertChunk(png, 'acTL', '\0\0\0\u0002\0\0\0\0') },
  ]
}

async function createPicturesWithMetadata(): Promise<readonly Attack[]> {
  const exif = { IFD0: { Copyright: SCRIPT, Artist: 'canary-artist' } }
  const createPicture = () => sharp({ create: RAW }).withExif(exif)
  return [
    { name: 'jpeg with exif', bytes: await createPicture().jpeg().toBuffer() },
    { name: 'png with exif', bytes: await createPicture().png().toBuffer() },
    {
      name: 'jpeg with a colour profile',
      bytes: await sharp({ create: RAW }).withIccProfile('p3').jpeg().toBuffer(),
    },
    {
      name: 'jpeg with a comment',
      bytes: createJpegWithComment(await sharp({ create: RAW }).jpeg().toBuffer()),
    },
  ]
}

function createJpegWithComment(jpeg: Buffer): Buffer {
  const text = Buffer.from(SCRIPT)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xfe]),
    length,
    text,
    jpeg.subarray(2),
  ])
}

async function createOtherFormats(): Promise<readonly Attack[]> {
  const heads: readonly (readonly [name: string, hex: string])[] = [
    ['heic', '00000018667479706865696300000000'],
    ['avif', '00000018667479706176696600000000'],
    ['webp', '524946461a000000574542505650384c'],
    ['tiff', '49492a00080000000000000000000000'],
    ['bmp', '424d3a00000000000000360000002800'],
    ['ico', '00000100010010100000010018006804'],
    ['psd', '38425053000100000000000000030000'],
    ['jp2', '0000000c6a5020200d0a870a00000000'],
    ['exr', '762f3101020000006368616e6e656c73'],
    ['vips', '08f2a6b6000000100000001000000003'],
    ['elf', '7f454c46020101000000000000000000'],
    ['exe', '4d5a9000030000000400000000ffff00'],
    ['mp4', '000000206674797069736f6d00000200'],
    ['class', 'cafebabe000000340010000000000000'],
  ]
  const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  return [
    { name: 'gif', bytes: gif },
    { name: 'gif that is also javascript', bytes: Buffer.from('GIF89a=1;alert(1)//') },
    ...heads.map(([name, hex]) => ({ name, bytes: Buffer.from(hex.padEnd(128, '0'), 'hex') })),
  ]
}

function createTextsAndArchives(): readonly Attack[] {
  const bomb = Buffer.alloc(50_000_000)
  return [
    { name: 'svg', bytes: Buffer.from(SVG) },
    { name: 'svg with a doctype', bytes: Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg>${SVG}`) },
    { name: 'html', bytes: Buffer.from(`<!doctype html>${SCRIPT}`) },
    { name: 'javascript', bytes: Buffer.from('alert(1)') },
    {
      name: 'xml with an entity',
      bytes: Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    },
    { name: 'postscript', bytes: Buffer.from('%!PS-Adobe-3.0\n(/etc/passwd) (r) file') },
    { name: 'pdf', bytes: Buffer.from('%PDF-1.7\n1 0 obj<</OpenAction 2 0 R>>') },
    { name: 'mvg', bytes: Buffer.from('push graphic-context\nfill url(https://evil.example)') },
    { name: 'gzip bomb', bytes: gzipSync(bomb) },
    { name: 'shell script', bytes: Buffer.from('#!/bin/sh\nrm -rf /') },
    { name: 'one byte', bytes: Buffer.from([0xff]) },
    { name: 'zeros', bytes: Buffer.alloc(5_000) },
  ]
}

function createBrokenPictures(png: Buffer, jpeg: Buffer): readonly Attack[] {
  const flipped = Buffer.from(png)
  flipped[40] = (flipped[40] ?? 0) ^ 0xff
  return [
    { name: 'png signature alone', bytes: png.subarray(0, 8) },
    { name: 'png cut in its header', bytes: png.subarray(0, 20) },
    { name: 'png cut in its middle', bytes: png.subarray(0, png.length >> 1) },
    { name: 'jpeg signature alone', bytes: jpeg.subarray(0, 3) },
    { name: 'jpeg cut in its middle', bytes: jpeg.subarray(0, jpeg.length >> 1) },
    { name: 'png with a flipped byte', bytes: flipped },
    { name: 'png behind html', bytes: Buffer.concat([Buffer.from(SCRIPT), png]) },
    { name: 'png of no width', bytes: createPng({ width: 0, height: 10, rows: Buffer.alloc(0) }) },
  ]
}

/**
 * Returns an image with one bit per pixel. The file has some kilobytes; the decoded image has
 * gigabytes.
 */
function createHugePng(side: number): Buffer {
  const row = Math.ceil(side / 8) + 1
  // The file contains only the first rows of pixels. The gateway must refuse the image before a
  // decoder needs more rows.
  return createPng({ width: side, height: side, rows: Buffer.alloc(row * 1_000) })
}

function createPng({
  width,
  height,
  rows,
}: {
  width: number
  height: number
  rows: Buffer
}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(rows)),
    createChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}

function createChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Returns the image with an additional chunk after the header, where every decoder reads it. */
function insertChunk(png: Buffer, type: string, text: string): Buffer {
  const at = 8 + 25
  return Buffer.concat([
    png.subarray(0, at),
    createChunk(type, Buffer.from(text)),
    png.subarray(at),
  ])
}
