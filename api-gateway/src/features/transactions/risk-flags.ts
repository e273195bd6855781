import type { BankAccount, RiskFlag, Transaction } from '@cairn/gateway-contracts'
import {
  ALL_TRANSACTIONS,
  type InvestorSummary,
  type LedgerTransaction,
} from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findInvestors } from '../../platform/ledger-client/investors.ts'
import { findBankAccounts } from '../banks/index.ts'
import { findRepeatedHashes } from '../deposits/index.ts'
import { findPersons } from '../users/index.ts'
import { isMethodAmbiguous, toAdminTransactions } from './transaction.ts'

const NEW_ACCOUNT_MS = 7 * 86_400_000
/** The number of files, and of the newest deposits of their owners, that are compared at most. */
const COMPARED_MAX = 1_000

type ReadDependencies = Pick<Dependencies, 'clock' | 'db' | 'ledger'>

/** Converts a list for administrators. Each pending request has its risk flags. */
export async function toReviewedTransactions(
  deps: ReadDependencies,
  found: readonly LedgerTransaction[],
): Promise<Transaction[]> {
  const pending = found.filter(({ status }) => status === 'pending')
  const [rows, flags] = await Promise.all([
    toAdminTransactions(deps, found),
    findRiskFlags(deps, pending),
  ])
  return rows.map((row) => {
    const own = flags.get(row.id)
    return own === undefined ? row : { ...row, flags: own }
  })
}

/** Finds the facts that an administrator must check, by the id of the transaction. */
export async function findRiskFlags(
  deps: ReadDependencies,
  found: readonly LedgerTransaction[],
): Promise<ReadonlyMap<string, RiskFlag[]>> {
  if (found.length === 0) return new Map()
  const payees = found.flatMap((item) => (isPayout(item) ? [item] : []))
  const investorIds = [...new Set(payees.map(({ investorId }) => investorId))]
  const accountIds = payees.flatMap(({ bankAccountId }) => bankAccountId ?? [])
  const [investors, persons, accounts, receipts, hashes] = await Promise.all([
    findInvestors(deps.ledger, investorIds),
    findPersons(deps.db, investorIds),
    findBankAccounts(deps.db, { ids: accountIds, nowMs: deps.clock.now() }),
    findRepeatedReceipts(deps, found),
    findRepeatedHashes(
      deps,
      found.map(({ transactionId }) => transactionId),
    ),
  ])
  return new Map(
    found.map((item) => {
      const { transactionId: id } = item
      const flags: RiskFlag[] = []
      if (receipts.has(id)) flags.push('receipt-used-before')
      if (hashes.has(id)) flags.push('hash-used-before')
      if (isMethodAmbiguous(item)) flags.push('method-ambiguous')
      if (!isPayout(item)) return [id, flags]
      const payee = {
        investor: investors.get(item.investorId),
        account: accounts.get(item.bankAccountId ?? ''),
        name: persons.get(item.investorId)?.name ?? '',
      }
      return [id, [...flags, ...listPayoutFlags(item, payee)]]
    }),
  )
}

function isPayout(item: LedgerTransaction): item is LedgerTransaction & { investorId: string } {
  return item.type === 'withdrawal' && item.investorId !== null
}

function listPayoutFlags(
  { createdAt, status, bankAccountSha256 }: LedgerTransaction,
  payee: { investor: InvestorSummary | undefined; account: BankAccount | undefined; name: string },
): readonly RiskFlag[] {
  const { investor, account, name } = payee
  const flags: RiskFlag[] = []
  if (investor?.totals.withdrawnMinor === 0n) flags.push('first-withdrawal')
  if (account === undefined) return flags
  // This flag shows the administrator why the approval will be refused. The account of a withdrawal
  // that was paid can be removed.
  const isRemoved = status === 'pending' && account.status === 'archived'
  if (isRemoved || account.sha256 !== bankAccountSha256) flags.push('bank-account-changed')
  const ageMs = Date.parse(createdAt) - Date.parse(account.createdAt)
  if (ageMs < NEW_ACCOUNT_MS) flags.push('new-bank-account')
  if (!isSameName(name, account.accountName)) flags.push('name-differs')
  return flags
}

/**
 * Returns true if the names have two words in common. If a name has only one word, one common word
 * is enough. Banks shorten and reorder names. Initials are ignored.
 */
function isSameName(left: string, right: string): boolean {
  const splitWords = (name: string) =>
    name
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 1)
  const known = new Set(splitWords(left))
  return splitWords(right).filter((word) => known.has(word)).length >= Math.min(2, known.size)
}

/** Returns the ids of the transactions whose picture of the payment another deposit also has. */
async function findRepeatedReceipts(
  deps: ReadDependencies,
  found: readonly LedgerTransaction[],
): Promise<ReadonlySet<string>> {
  const pictures = found.flatMap(({ receiptSha256 }) => receiptSha256 ?? [])
  const users = new Map<string, Set<string>>()
  for (const { transactionId, receiptSha256 } of [
    ...found,
    ...(await findDepositsWithReceipts(deps, pictures)),
  ]) {
    if (receiptSha256 === null) continue
    const ids = users.get(receiptSha256) ?? new Set()
    users.set(receiptSha256, ids.add(transactionId))
  }
  const isRepeated = ({ receiptSha256 }: LedgerTransaction) =>
    receiptSha256 !== null && (users.get(receiptSha256)?.size ?? 0) > 1
  return new Set(found.filter(isRepeated).map(({ transactionId }) => transactionId))
}

/**
 * Finds the deposits of all users that have one of these pictures. Compares at most the 1,000 newest
 * deposits, and the 1,000 newest credited ones, of the users who uploaded such a picture. An owner
 * can cancel as many deposits as they like, and must not hide a credited one behind them.
 */
export async function findDepositsWithReceipts(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  pictures: readonly string[],
): Promise<readonly LedgerTransaction[]> {
  if (pictures.length === 0) return []
  const owners = await deps.db
    .selectFrom('platform.file')
    .select('owner_id')
    .distinct()
    .where('sha256', 'in', [...new Set(pictures)])
    .where('purpose', '=', 'receipt')
    .limit(COMPARED_MAX)
    .execute()
  if (owners.length === 0) return []
  const findNewest = (status: 'success' | null) =>
    deps.ledger.ask('transactions', {
      ...ALL_TRANSACTIONS,
      investorIds: owners.map(({ owner_id }) => owner_id),
      limit: COMPARED_MAX,
      type: 'deposit',
      status,
    })
  const [all, credited] = await Promise.all([findNewest(null), findNewest('success')])
  const isWanted = new Set(pictures)
  const found = [...all.transactions, ...credited.transactions].filter(({ receiptSha256 }) =>
    isWanted.has(receiptSha256 ?? ''),
  )
  return [...new Map(found.map((each) => [each.transactionId, each])).values()]
}
