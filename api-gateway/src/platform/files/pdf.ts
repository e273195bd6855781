import { HttpFailure } from '../http/failure.ts'
import { findImageType, type Image } from './image.ts'

export type DocumentType = Image['mediaType'] | 'application/pdf'

const HEADER = /^%PDF-[12]\.\d/
const END = '%%EOF'
/** The end mark of a PDF must be within this number of bytes from the end of the file. */
const TAIL_BYTES = 1_024

/**
 * Returns the type of a document: an image type, or PDF according to its first and last bytes.
 * Throws 415 for anything else. The server never parses a PDF and sends it only as a download.
 */
export function requireDocumentType(received: Buffer): DocumentType {
  const image = findImageType(received)
  if (image !== null) return image
  const isPdf =
    HEADER.test(received.subarray(0, 8).toString('latin1')) &&
    received.subarray(-TAIL_BYTES).includes(END)
  if (isPdf) return 'application/pdf'
  const message = 'The file must be a PNG or JPG image or a PDF document'
  throw new HttpFailure(415, 'NOT_A_DOCUMENT', message)
}
