import { formatCounted } from '@cairn/gateway-contracts/counted'
import { getCurrencyName } from '@cairn/gateway-contracts/currency'
import type { RecordedEvent } from '@cairn/ledger-contracts'
import { formatMonthName } from '../../platform/mail/compose.ts'
import { formatCents, formatSiteMinute, formatSiteTime } from '../../platform/site-format.ts'
import type { AccountActivity, MonthActivity } from './month-activity.ts'
import { createPdf } from './pdf-page.ts'
import { writeKeys } from './write-keys.ts'

interface Stated {
  siteName: string
  currency: string
  timezone: string
  siteUrl: string
  reader: { name: string; email: string; accountId: string }
  month: string
  book: MonthActivity
  /** The signed trial balance of the month. */
  signature: { size: bigint; note: string }
  /** The first key of the log, and the handovers to all keys after it. */
  verifierKeys: readonly string[]
  riskWarning: string
  madeAtMs: number
}

const MOVEMENTS: Readonly<Record<string, string>> = {
  DepositApproved: 'Deposit',
  DepositReversed: 'Deposit corrected',
  WithdrawalRequested: 'Withdrawal requested, held',
  WithdrawalApproved: 'Withdrawal paid',
  WithdrawalDeclined: 'Withdrawal declined, returned',
  WithdrawalCancelled: 'Withdrawal cancelled, returned',
  WithdrawalReversed: 'Withdrawal corrected',
  WalletFunded: 'Added by the platform',
  WalletAdjusted: 'Correction by the platform',
  InvestmentOpened: 'Investment',
  ProfitAccrued: 'Profit',
  InvestmentMatured: 'Investment ended',
  InvestmentCancelled: 'Investment cancelled',
  InvestmentDenied: 'Investment ended by the platform',
  ReferralBonusPaid: 'Referral bonus',
  BalanceImported: 'Opening balance',
} satisfies Partial<Record<RecordedEvent['type'], string>>

export async function writeStatement(stated: Stated): Promise<Buffer> {
  const { siteName, reader, month, book, signature } = stated
  const pdf = createPdf({ title: `Statement ${month}`, siteName, madeAtMs: stated.madeAtMs })
  pdf.writeTitle(`Statement of ${formatMonthName(month)}`, describeUnits(stated))
  pdf.writeFacts([
    ['For', `${reader.name}, ${reader.email}`],
    ['Statement number', `ST-${month}-${reader.accountId}`],
    ['Made', formatSiteTime(stated.madeAtMs)],
    ['Fees in this month', formatCents(book.feesMinor)],
  ])
  pdf.writeHeading('Balances')
  const formatSum = (pick: (booked: AccountActivity) => bigint) =>
    formatCents(book.accounts.reduce((total, booked) => total + pick(booked), 0n))
  pdf.writeTable(
    [
      { title: 'Account', share: 40 },
      { title: 'Opening', share: 30, isAmount: true },
      { title: 'Closing', share: 30, isAmount: true },
    ],
    [
      ...book.accounts.map(({ name, openingMinor, closingMinor }) => [
        name,
        formatCents(openingMinor),
        formatCents(closingMinor),
      ]),
      [
        'Total',
        formatSum(({ openingMinor }) => openingMinor),
        formatSum(({ closingMinor }) => closingMinor),
      ],
    ],
  )
  for (const booked of book.accounts) {
    if (booked.lines.length === 0) continue
    pdf.writeHeading(booked.name)
    if (booked.hasOlderLines) pdf.writeNote(describeOlderLines(booked))
    pdf.writeTable(
      [
        { title: 'Date', share: 17 },
        { title: 'Description', share: 31 },
        { title: 'Reference', share: 18 },
        { title: 'Event', share: 9, isAmount: true },
        { title: 'Amount', share: 12, isAmount: true },
        { title: 'Balance', share: 13, isAmount: true },
      ],
      toStatementRows(booked, book),
    )
  }
  writeSignature(pdf, stated, signature)
  pdf.writeNote(stated.riskWarning)
  return pdf.finish()
}

/**
 * Returns the sentence about currency and time zone. The sentence says that the month ends at
 * midnight UTC, because the ledger signs UTC months.
 */
function describeUnits({ currency, timezone }: Stated): string {
  const amounts = `All amounts in ${getCurrencyName(currency)}`
  if (timezone === 'UTC') return `${amounts}, all times in UTC`
  return `${amounts}, all times in ${timezone}. The month begins and ends at midnight UTC.`
}

function describeOlderLines({ lines }: AccountActivity): string {
  return (
    `This list has the ${formatCounted(lines.length, 'newest movement', 'newest movements')} of the month. ` +
    'The balances include the older ones. The CSV file of your transactions has all requests.'
  )
}

function toStatementRows({ lines }: AccountActivity, { references }: MonthActivity): string[][] {
  return lines.map((line) => [
    formatSiteMinute(line.effectiveAt),
    MOVEMENTS[line.type] ?? line.type,
    references.get(line.seq) ?? '',
    String(line.seq),
    formatCents(line.amountMinor),
    formatCents(line.balanceAfterMinor),
  ])
}

function writeSignature(
  pdf: ReturnType<typeof createPdf>,
  { month, siteUrl, verifierKeys }: Stated,
  { size, note }: Stated['signature'],
): void {
  pdf.writeHeading('Signature')
  pdf.writeNote(
    `When ${formatMonthName(month)} ended, the ledger had ${formatCounted(size, 'event')}, including each line above by its number. ` +
      'The ledger at that time was signed as below. The receipt of an event proves that the signed ' +
      `ledger contains it: ${siteUrl}/verify checks it in your own browser.`,
  )
  pdf.writeVerbatim(note)
  writeKeys(pdf, { siteUrl, verifierKeys })
}
