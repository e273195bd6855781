import { formatReference, type LedgerTransaction, refusals } from '@cairn/ledger-contracts'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createCommandChange,
  type DescribedLine,
  describePerson,
  toMaskableLine,
  toMoneyLine,
  toTextLine,
  writeMaskable,
} from '../change-requests/index.ts'
import { describeCashAccount } from './cash-account.ts'
import { findPayeeAccount, hashPayeeAccount } from './payee-account.ts'

type Sources = Pick<Dependencies, 'clock' | 'db' | 'ledger'>

/**
 * The state that a decision replaces. An approval becomes invalid if a field of this state changes.
 */
const Before = z
  .object({
    status: z.string(),
    amountMinor: z.coerce.bigint(),
    bankAccountSha256: z.string().nullable(),
  })
  .nullable()

/**
 * Returns the definitions of the decisions about deposits and withdrawals that can need a second
 * administrator.
 */
export function createTransactionChanges(deps: Sources) {
  const permission = 'transactions.decide' as const
  const common = {
    permission,
    getTarget: ({ transactionId }: { transactionId: string }) => transactionId,
    getLink: ({ transactionId }: { transactionId: string }) =>
      `/manage/admin/transactions?transaction=${transactionId}`,
    listBeneficiaries: async ({ transactionId }: { transactionId: string }) => {
      const { investorId = null } = (await findTransaction(deps, transactionId)) ?? {}
      return investorId === null ? [] : [investorId]
    },
    readBefore: async ({ transactionId }: { transactionId: string }) => {
      const found = await findTransaction(deps, transactionId)
      if (found === null) return null
      const { status, amountMinor, bankAccountSha256 } = found
      return { status, amountMinor, bankAccountSha256 }
    },
  }
  const describeApprovalLines = async (
    { transactionId }: { transactionId: string },
    { before, after, more = [] }: { before: unknown; after: bigint | null; more?: DescribedLine[] },
  ) => {
    const known = Before.parse(before)
    return [
      ...(await describeTransaction(deps, transactionId)),
      toTextLine('Status', { before: known?.status ?? null, after: 'success' }),
      toMoneyLine('Amount', {
        before: known?.amountMinor ?? null,
        after: after ?? known?.amountMinor ?? null,
      }),
      ...more,
    ]
  }
  const describeReversalLines = async (
    { transactionId, to, reason }: { transactionId: string; to: string; reason: string },
    before: unknown,
  ) => {
    const known = Before.parse(before)
    return [
      ...(await describeTransaction(deps, transactionId)),
      toTextLine('Status', { before: known?.status ?? null, after: to }),
      toMoneyLine('Amount', {
        before: known?.amountMinor ?? null,
        after: known?.amountMinor ?? null,
      }),
      ...(to === 'success' ? await describeAccount(deps, transactionId) : []),
      toTextLine('Reason of the reversal', { after: reason }),
    ]
  }
  return {
    'deposit-approval': createCommandChange(deps, {
      ...common,
      kind: 'deposit-approval',
      type: 'ApproveDeposit',
      getTitle: ({ transactionId }) => `Approval of deposit ${formatReference(transactionId)}`,
      present: async (data, before) => {
        const chosen = data.paymentOptionId ?? (await findRecordedOption(deps, data.transactionId))
        const account = toTextLine('Paid to', { after: await describeCashAccount(deps, chosen) })
        return describeApprovalLines(data, { before, after: data.approvedMinor, more: [account] })
      },
    }),
    'withdrawal-approval': createCommandChange(deps, {
      ...common,
      kind: 'withdrawal-approval',
      type: 'ApproveWithdrawal',
      getTitle: ({ transactionId }) => `Approval of withdrawal ${formatReference(transactionId)}`,
      // The ledger compares this hash with that of the request, and knows no present account.
      findObstacle: async (db, { transactionId, bankAccountSha256 }) => {
        const found = await findTransaction(deps, transactionId)
        const present = found && (await hashPayeeAccount(db, found, deps.clock.now()))
        return present === bankAccountSha256 ? null : refusals.bankAccountChanged[1]
      },
      present: async (data, before) => {
        const { paymentOptionId, payoutReference } = data
        const paid =
          payoutReference === null
            ? []
            : [toTextLine('Payout reference', { after: payoutReference })]
        const more = [
          ...(await describeAccount(deps, data.transactionId)),
          toTextLine('Paid from', { after: await describeCashAccount(deps, paymentOptionId) }),
          ...paid,
        ]
        return describeApprovalLines(data, { before, after: null, more })
      },
    }),
    'deposit-reversal': createCommandChange(deps, {
      ...common,
      kind: 'deposit-reversal',
      type: 'ReverseDeposit',
      getTitle: ({ transactionId }) => `Reversal of deposit ${formatReference(transactionId)}`,
      present: describeReversalLines,
    }),
    'withdrawal-reversal': createCommandChange(deps, {
      ...common,
      kind: 'withdrawal-reversal',
      type: 'ReverseWithdrawal',
      getTitle: ({ transactionId }) => `Reversal of withdrawal ${formatReference(transactionId)}`,
      present: describeReversalLines,
    }),
  }
}

async function findTransaction(
  { ledger }: Pick<Dependencies, 'ledger'>,
  transactionId: string,
): Promise<LedgerTransaction | null> {
  return (await ledger.ask('transaction', { transactionId })).transaction
}

async function findRecordedOption(deps: Sources, transactionId: string): Promise<string | null> {
  return (await findTransaction(deps, transactionId))?.paymentOptionId ?? null
}

async function describeTransaction(deps: Sources, transactionId: string): Promise<DescribedLine[]> {
  const found = await findTransaction(deps, transactionId)
  if (found === null || found.investorId === null) return []
  const person = await describePerson(deps.db, found.investorId)
  return [toMaskableLine('User', { before: person, after: person })]
}

async function describeAccount(deps: Sources, transactionId: string): Promise<DescribedLine[]> {
  const found = await findTransaction(deps, transactionId)
  const account = found === null ? null : await findPayeeAccount(deps.db, found, deps.clock.now())
  if (account === null) return []
  const { bankName, accountName, accountNumber } = account
  const text = writeMaskable(
    { field: 'accountNumber', value: accountNumber },
    (number) => `${accountName}, ${number}, ${bankName}`,
  )
  return [toMaskableLine('Paid to', { before: text, after: text })]
}
