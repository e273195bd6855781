import { HttpFailure } from '../http/failure.ts'
import { findImageType, type Image } from './image.ts'

export type DocumentType = Image['mediaType'] | 'application/pdf'

const HEADER = /^%PDF-[12]\.\d/
const END = '%%EOF'
/** PDF readers search for the end mark in this many last bytes. */
const TAIL_BYTES = 1_024

/**
 * The type of a document: an image, or a PDF by its first and last bytes. A PDF is never parsed or
 * rendered here and is served as a download in a sandbox. Throws 415 for anything else.
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
