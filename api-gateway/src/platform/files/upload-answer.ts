import type { FileAnswer } from '../http/registry.ts'

/** Returns the answer that sends an uploaded file. `name` has no extension. */
export function answerUpload(
  { mediaType, bytes }: { mediaType: string; bytes: Buffer },
  name: string,
): FileAnswer {
  // A PDF is sent as a download, so that the browser does not open it on this origin.
  return mediaType === 'application/pdf'
    ? { mediaType, bytes, fileName: `${name}.pdf`, isDownload: true }
    : { mediaType, bytes, fileName: name }
}
