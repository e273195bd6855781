import sharp from 'sharp'
import { HttpFailure } from '../http/failure.ts'

const PIXELS_MAX = 25_000_000
const SIDE_PIXELS_MAX = 2_000
const TIMEOUT_SECONDS = 5
const JPEG_QUALITY = 85

// Only the decoders for PNG and JPEG are enabled, because each decoder could have security flaws.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
sharp.concurrency(1)
sharp.cache(false)

const SIGNATURES = [
  { mediaType: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { mediaType: 'image/png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
] as const

export interface Image {
  mediaType: 'image/jpeg' | 'image/png'
  bytes: Buffer
}

/** Returns the image type that the first bytes indicate; null for any other type. */
export function findImageType(received: Buffer): Image['mediaType'] | null {
  const found = SIGNATURES.find(({ bytes }) => received.subarray(0, bytes.length).equals(bytes))
  return found?.mediaType ?? null
}

export function requireImageType(received: Buffer): Image['mediaType'] {
  const found = findImageType(received)
  if (found === null) throw createNotAnImageFailure()
  return found
}

/** Decodes the image and encodes it again, which removes embedded data and metadata. */
export async function reencodeImage(
  received: Buffer,
  mediaType: Image['mediaType'],
): Promise<Image> {
  const input = sharp(received, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({
      width: SIDE_PIXELS_MAX,
      height: SIDE_PIXELS_MAX,
      fit: 'inside',
      withoutEnlargement: true,
    })
  const output = mediaType === 'image/jpeg' ? input.jpeg({ quality: JPEG_QUALITY }) : input.png()
  try {
    return { mediaType, bytes: await output.toBuffer() }
  } catch (cause) {
    throw createNotAnImageFailure(cause)
  }
}

function createNotAnImageFailure(cause?: unknown): HttpFailure {
  const message = 'The file must be a PNG or JPG image'
  return new HttpFailure(415, 'NOT_AN_IMAGE', message, { cause })
}
