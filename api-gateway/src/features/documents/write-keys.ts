import { listKeyTexts } from '@cairn/ledger-contracts/proof'
import type { PdfWriter } from './pdf-page.ts'

/**
 * Prints the keys of the log, so that a reader can compare them with the keys that a browser
 * trusts.
 */
export function writeKeys(
  pdf: PdfWriter,
  { siteUrl, verifierKeys }: { siteUrl: string; verifierKeys: readonly string[] },
): void {
  pdf.writeNote(
    'The keys of the ledger, oldest first, are below. Your browser keeps the key that it saw first: ' +
      `${siteUrl}/verify shows it. If it differs from these keys, contact the operator before you trust the site.`,
  )
  pdf.writeVerbatim(listKeyTexts(verifierKeys).join('\n'))
}
