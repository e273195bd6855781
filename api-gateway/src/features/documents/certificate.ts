import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { LedgerInvestment } from '@cairn/ledger-contracts'
import { formatExactMoney, formatSiteTime } from '../../platform/site-format.ts'
import { createPdf } from './pdf-page.ts'
import { writeKeys } from './write-keys.ts'

interface Certified {
  siteName: string
  siteUrl: string
  reader: { name: string; accountId: string }
  investment: LedgerInvestment
  /** The number of the event that opened the investment, in the ledger of the investor. */
  seq: bigint
  /** A signed checkpoint of this ledger that covers the event. */
  checkpoint: { size: bigint; note: string }
  /** The first key of the log, and the handovers to all keys after it. */
  verifierKeys: readonly string[]
  riskWarning: string
  madeAtMs: number
}

/** Creates the PDF with the terms of an investment at its start. These terms never change. */
export async function createCertificatePdf(certified: Certified): Promise<Buffer> {
  const { siteName, siteUrl, reader, investment, seq, checkpoint } = certified
  const pdf = createPdf({
    title: `Certificate ${investment.reference}`,
    siteName,
    madeAtMs: certified.madeAtMs,
  })
  pdf.writeTitle('Certificate of investment', `Reference ${investment.reference}`)
  pdf.writeFacts([
    ['Investor', `${reader.name} (${reader.accountId})`],
    ['Plan', investment.planName ?? 'No Plan'],
    ['Amount invested', formatExactMoney(investment.principalMinor)],
    ['Profit over the whole term', formatExactMoney(investment.promisedMinor)],
    ['Term', `${investment.duration} ${investment.unit}`],
    ['Began', formatSiteTime(investment.startedAt)],
    ['Ends', formatSiteTime(investment.expiresAt)],
    [
      'The amount invested',
      investment.returnPrincipal
        ? 'is paid back to the Wallet Balance when the term ends'
        : 'is not paid back when the term ends',
    ],
    ['Event of the ledger', String(seq)],
  ])
  pdf.writeHeading('Signature')
  pdf.writeNote(
    `When this document was made, the ledger had ${formatCounted(checkpoint.size, 'event')} and was signed as below. The receipt of ` +
      `event ${seq} proves that the ledger contains this investment: ${siteUrl}/verify checks it in your own browser.`,
  )
  pdf.writeVerbatim(checkpoint.note)
  writeKeys(pdf, { siteUrl, verifierKeys: certified.verifierKeys })
  pdf.writeNote(certified.riskWarning)
  return pdf.finish()
}
