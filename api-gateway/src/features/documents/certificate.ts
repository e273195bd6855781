import type { LedgerInvestment } from '@cairn/ledger-contracts'
import { formatCents } from './amount.ts'
import { openSheet } from './sheet.ts'

interface Certified {
  siteName: string
  siteUrl: string
  reader: { name: string; accountId: string }
  investment: LedgerInvestment
  /** The newest signed checkpoint; null before the first one. */
  checkpoint: { size: bigint; note: string } | null
  riskWarning: string
  madeAtMs: number
}

const when = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/** Writes the terms of an investment at its start, which never change. */
export async function writeCertificate(certified: Certified): Promise<Buffer> {
  const { siteName, siteUrl, reader, investment, checkpoint } = certified
  const sheet = openSheet({
    title: `Certificate ${investment.reference}`,
    siteName,
    madeAtMs: certified.madeAtMs,
  })
  sheet.title('Certificate of investment', `Reference ${investment.reference}`)
  sheet.facts([
    ['Investor', `${reader.name} (${reader.accountId})`],
    ['Plan', investment.planName ?? 'No Plan'],
    ['Amount invested', `$${formatCents(investment.principalMinor)}`],
    ['Profit over the whole term', `$${formatCents(investment.promisedMinor)}`],
    ['Term', `${investment.duration} ${investment.unit}`],
    ['Began', when(investment.startedAt)],
    ['Ends', when(investment.expiresAt)],
    [
      'The amount invested',
      investment.returnPrincipal
        ? 'is paid back to the wallet when the term ends'
        : 'is not paid back when the term ends',
    ],
    ['Event of the log', String(investment.seq)],
  ])
  sheet.heading('The seal')
  if (checkpoint === null) {
    sheet.note('No checkpoint has been signed yet; the receipt of the event above proves it later.')
  } else {
    sheet.note(
      `When this paper was made, the log held ${checkpoint.size} events and was signed as below. The receipt of ` +
        `event ${investment.seq} proves that this investment stands in it: ${siteUrl}/verify checks it in your own browser.`,
    )
    sheet.verbatim(checkpoint.note)
  }
  sheet.note(certified.riskWarning)
  return sheet.finish()
}
