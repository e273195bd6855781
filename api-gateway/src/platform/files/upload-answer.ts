import type { FileAnswer } from '../http/registry.ts'

/** Answers an uploaded file. `name` has no extension. */
export function answerUpload(
  { mediaType, bytes }: { mediaType: string; bytes: Buffer },
  name: string,
): FileAnswer {
  // The browser does not open a PDF on this origin; the reader's own program does.
  return mediaType === 'application/pdf'
    ? { mediaType, bytes, fileName: `${name}.pdf`, isDownload: true }
    : { mediaType, bytes, fileName: name }
}
