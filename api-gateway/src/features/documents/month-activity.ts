import {
  ALL_TRANSACTIONS,
  account,
  eventData,
  type LedgerClient,
  type LedgerTransaction,
  PAGE_LIMIT_MAX,
  type QueryResponse,
  type RecordedEvent,
  Wallet,
} from '@cairn/ledger-contracts'
import { getWalletLabel } from '../../platform/ledger-client/wallet-name.ts'

type Line = QueryResponse<'statement'>['lines'][number]

/**
 * The events of a month. `from` and `to` are the sizes of the log at the start and at the end of
 * the month.
 */
export interface MonthSpan {
  from: bigint
  to: bigint
}

export interface AccountActivity {
  name: string
  openingMinor: bigint
  closingMinor: bigint
  /** The newest movements of the month, oldest first. */
  lines: readonly Line[]
  /** True if the month has older movements, which `lines` does not contain. */
  hasOlderLines: boolean
}

export interface MonthActivity {
  accounts: readonly AccountActivity[]
  /** The references of transactions by the numbers of the events of `lines`. */
  references: ReadonlyMap<bigint, string>
  /** The fees that were taken less those that were returned. Negative if more were returned. */
  feesMinor: bigint
}

const LINES_PER_PAGE = 1_000
/**
 * After this number of movements of an account, no older page is read. Otherwise an investor who
 * requests and cancels in a loop would make statements that are too large to be stored.
 */
export const LINES_MAX = 2_000
const TRANSACTIONS_PER_PAGE = PAGE_LIMIT_MAX

/**
 * Returns the balances and the newest movements of each account of an investor in a signed month.
 * The balances and fees include all movements.
 */
export async function readMonthActivity(
  ledger: LedgerClient,
  { investorId, span }: { investorId: string; span: MonthSpan },
): Promise<MonthActivity> {
  const named = [
    ...Wallet.options.map(
      (wallet) => [getWalletLabel(wallet), account.getAvailableCode(investorId, wallet)] as const,
    ),
    ...Wallet.options.map(
      (wallet) =>
        [`${getWalletLabel(wallet)}, held`, account.getHeldCode(investorId, wallet)] as const,
    ),
    ['Invested', account.getPrincipalCode(investorId)],
  ] as const
  const accounts: AccountActivity[] = []
  for (const [name, code] of named) accounts.push(await readAccount(ledger, { name, code, span }))
  const seqs = new Set(accounts.flatMap(({ lines }) => lines.map(({ seq }) => seq)))
  return { accounts, ...(await readTransactions(ledger, { investorId, span, seqs })) }
}

/** Returns true if any account has an opening balance or a movement. */
export function hasActivity({ accounts }: MonthActivity): boolean {
  return accounts.some(({ openingMinor, lines }) => openingMinor !== 0n || lines.length > 0)
}

async function readAccount(
  ledger: LedgerClient,
  { name, code, span }: { name: string; code: string; span: MonthSpan },
): Promise<AccountActivity> {
  const found: Line[] = []
  let before = span.to
  while (found.length < LINES_MAX) {
    const page = { account: code, before, limit: LINES_PER_PAGE, wholeEvents: true } as const
    const { lines } = await ledger.ask('statement', page)
    const inside = lines.filter(({ seq }) => seq >= span.from)
    found.push(...inside)
    const last = lines.at(-1)
    // The newest line before the month contains the opening balance of the month.
    if (inside.length < lines.length || last === undefined || lines.length < LINES_PER_PAGE) {
      return toActivity({ name, opening: lines[inside.length], found, hasOlderLines: false })
    }
    before = last.seq
  }
  const older = await findNewestLine(ledger, { code, before })
  const hasOlderLines = older !== undefined && older.seq >= span.from
  const opening = await findNewestLine(ledger, { code, before: span.from })
  return toActivity({ name, opening, found, hasOlderLines })
}

/** Returns the newest movement of the account before the event; undefined if there is none. */
async function findNewestLine(
  ledger: LedgerClient,
  { code, before }: { code: string; before: bigint },
): Promise<Line | undefined> {
  const { lines } = await ledger.ask('statement', { account: code, before, limit: 1 })
  return lines[0]
}

/** `found` has the newest movement first. */
function toActivity({
  name,
  opening,
  found,
  hasOlderLines,
}: {
  name: string
  opening: Line | undefined
  found: readonly Line[]
  hasOlderLines: boolean
}): AccountActivity {
  const openingMinor = opening?.balanceAfterMinor ?? 0n
  const closingMinor = found[0]?.balanceAfterMinor ?? openingMinor
  return { name, openingMinor, closingMinor, lines: found.toReversed(), hasOlderLines }
}

interface InvestorMonth {
  investorId: string
  span: MonthSpan
}

/**
 * Returns the references of the events `seqs`, and the fees of all events of the month. The present
 * state of a transaction does not show them, because a later decision can have replaced that of the
 * month.
 */
async function readTransactions(
  ledger: LedgerClient,
  { investorId, span, seqs }: InvestorMonth & { seqs: ReadonlySet<bigint> },
): Promise<Pick<MonthActivity, 'references' | 'feesMinor'>> {
  const references = new Map<bigint, string>()
  let feesMinor = 0n
  for await (const transaction of listTransactions(ledger, { investorId, span })) {
    const { transactionId, reference, seq, lastSeq } = transaction
    const events = canHaveFee(transaction)
      ? (await ledger.ask('transactionEvents', { transactionId })).events
      : []
    for (const named of [seq, lastSeq, ...events.map((event) => event.seq)]) {
      if (seqs.has(named)) references.set(named, reference)
    }
    for (const event of events) {
      if (event.seq >= span.from && event.seq < span.to) feesMinor += getFee(event)
    }
  }
  return { references, feesMinor }
}

/**
 * Returns true if an administrator has decided the transaction, as only such events take or return
 * a fee. All events of other transactions with postings are its first and its last one, so they need
 * no call. An investor can make thousands of these in a month.
 */
function canHaveFee({ type, status }: LedgerTransaction): boolean {
  const isDecided = status === 'success' || status === 'declined'
  return isDecided && (type === 'deposit' || type === 'withdrawal')
}

/** Returns the fee that the event took from the investor; negative if it returned the fee. */
function getFee({ type, data }: RecordedEvent): bigint {
  switch (type) {
    case 'DepositApproved':
    case 'WithdrawalApproved':
      return eventData[type].parse(data).feeMinor
    case 'DepositReversed':
    case 'WithdrawalReversed': {
      const { to, feeMinor } = eventData[type].parse(data)
      return to === 'success' ? feeMinor : -feeMinor
    }
    default:
      return 0n
  }
}

/** Yields the transactions that can have an event in the month. */
async function* listTransactions(
  ledger: LedgerClient,
  { investorId, span }: InvestorMonth,
): AsyncGenerator<LedgerTransaction> {
  for (let after: string | undefined; ; ) {
    const { transactions } = await ledger.ask('transactions', {
      ...ALL_TRANSACTIONS,
      investorIds: [investorId],
      order: 'oldest',
      limit: TRANSACTIONS_PER_PAGE,
      after,
    })
    yield* transactions.filter(({ seq, lastSeq }) => lastSeq >= span.from && seq < span.to)
    if (transactions.length < TRANSACTIONS_PER_PAGE) return
    after = transactions.at(-1)?.transactionId
  }
}
