import {
  ALL_TRANSACTIONS,
  account,
  eventData,
  type LedgerClient,
  type LedgerTransaction,
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
  /** The movements, oldest first. */
  lines: readonly Line[]
}

export interface MonthActivity {
  accounts: readonly AccountActivity[]
  /** The references of transactions by the numbers of their events. */
  references: ReadonlyMap<bigint, string>
  /** The fees that were taken less those that were returned. Negative if more were returned. */
  feesMinor: bigint
}

const LINES_PER_PAGE = 1_000
const TRANSACTIONS_PER_PAGE = 1_000

/** Returns the balances and movements of each account of an investor in a signed month. */
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
  return { accounts, ...(await readTransactions(ledger, { investorId, span })) }
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
  for (;;) {
    const page = { account: code, before, limit: LINES_PER_PAGE, wholeEvents: true } as const
    const { lines } = await ledger.ask('statement', page)
    const inside = lines.filter(({ seq }) => seq >= span.from)
    found.push(...inside)
    const last = lines.at(-1)
    // The newest line before the month contains the opening balance of the month.
    if (inside.length < lines.length || last === undefined || lines.length < LINES_PER_PAGE) {
      const openingMinor = lines[inside.length]?.balanceAfterMinor ?? 0n
      const closingMinor = found[0]?.balanceAfterMinor ?? openingMinor
      return { name, openingMinor, closingMinor, lines: found.toReversed() }
    }
    before = last.seq
  }
}

/**
 * Returns the references and the fees. The present state of a transaction does not show them,
 * because a later decision can have replaced that of the month.
 */
async function readTransactions(
  ledger: LedgerClient,
  { investorId, span }: { investorId: string; span: MonthSpan },
): Promise<Pick<MonthActivity, 'references' | 'feesMinor'>> {
  const references = new Map<bigint, string>()
  let feesMinor = 0n
  for (const transaction of await listTransactions(ledger, { investorId, span })) {
    const { transactionId, reference, seq, lastSeq } = transaction
    references.set(seq, reference)
    references.set(lastSeq, reference)
    if (!isDecided(transaction)) continue
    const { events } = await ledger.ask('transactionEvents', { transactionId })
    for (const event of events) {
      references.set(event.seq, reference)
      if (event.seq >= span.from && event.seq < span.to) feesMinor += getFee(event)
    }
  }
  return { references, feesMinor }
}

/** Returns true for the kinds of transaction that are decided after their request. */
function isDecided({ type }: LedgerTransaction): boolean {
  return type === 'deposit' || type === 'withdrawal'
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

/** Lists the transactions that can have an event in the month. */
async function listTransactions(
  ledger: LedgerClient,
  { investorId, span }: { investorId: string; span: MonthSpan },
): Promise<readonly LedgerTransaction[]> {
  const found: LedgerTransaction[] = []
  for (let after: string | undefined; ; ) {
    const { transactions } = await ledger.ask('transactions', {
      ...ALL_TRANSACTIONS,
      investorIds: [investorId],
      order: 'oldest',
      limit: TRANSACTIONS_PER_PAGE,
      after,
    })
    found.push(...transactions.filter(({ seq, lastSeq }) => lastSeq >= span.from && seq < span.to))
    if (transactions.length < TRANSACTIONS_PER_PAGE) return found
    after = transactions.at(-1)?.transactionId
  }
}
