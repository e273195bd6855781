import { randomBytes } from 'node:crypto'
import type { Command, CommandType, DataOf } from '@cairn/ledger-contracts'
import { findBankAccounts } from '../../src/features/banks/index.ts'
import { submitAll } from '../agreed-command.ts'
import { addUser, type TestGateway } from '../test-gateway.ts'
import { THRESHOLD } from './baseline.ts'

/** Objects on which the administrator can act. No earlier sequence has used these objects. */
export interface Place {
  investorId: string
  /**
   * Two pending and two declined deposits. In each pair, the amount of one deposit is half the
   * threshold, and the amount of the other deposit equals the threshold.
   */
  deposits: readonly string[]
  /** Two pending withdrawals and two paid withdrawals. */
  withdrawals: readonly string[]
  investmentId: string
}

export interface Making {
  gateway: TestGateway
  planId: string
  createAgreedCommand<Type extends CommandType>(type: Type, data: DataOf<Type>): Command
  id(): string
}

export async function addPeople(making: Making): Promise<Place> {
  const { gateway, planId, createAgreedCommand, id } = making
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  const bank = await addBank(gateway, investorId, id())
  const [small, large, smallDeclined, largeDeclined] = [id(), id(), id(), id()]
  const [smallPayout, largePayout, smallPaid, largePaid] = [id(), id(), id(), id()]
  const investmentId = id()
  const reason = null
  const requestDeposit = (transactionId: string, amountMinor: bigint) =>
    createPlatformCommand('RequestDeposit', {
      ...{ transactionId, investorId, amountMinor, method: 'bank' },
      ...{ paymentOptionId: null, receiptId: 'r', receiptSha256: 'a'.repeat(64) },
    })
  const requestWithdrawal = (transactionId: string, amountMinor: bigint) =>
    createPlatformCommand('RequestWithdrawal', {
      ...{ transactionId, investorId, source: 'balance', amountMinor },
      ...bank,
    })
  const funding = { transactionId: id(), investorId, wallet: 'balance', category: null } as const
  const approveWithdrawal = (transactionId: string) =>
    createAgreedCommand('ApproveWithdrawal', {
      ...{ transactionId, paymentOptionId: null, payoutReference: null },
      bankAccountSha256: bank.bankAccountSha256,
    })
  await submitAll(gateway, [
    createAgreedCommand('FundWallet', { ...funding, amountMinor: 10n * THRESHOLD, reason }),
    requestDeposit(small, THRESHOLD / 2n),
    requestDeposit(large, THRESHOLD),
    requestDeposit(smallDeclined, THRESHOLD / 2n),
    requestDeposit(largeDeclined, THRESHOLD),
    createPlatformCommand('DeclineDeposit', { transactionId: smallDeclined, reason }),
    createPlatformCommand('DeclineDeposit', { transactionId: largeDeclined, reason }),
    requestWithdrawal(smallPayout, THRESHOLD / 2n),
    requestWithdrawal(largePayout, THRESHOLD),
    requestWithdrawal(smallPaid, THRESHOLD / 2n),
    requestWithdrawal(largePaid, THRESHOLD),
    approveWithdrawal(smallPaid),
    approveWithdrawal(largePaid),
    createPlatformCommand('OpenInvestment', {
      ...{ investmentId, investorId, planId, planVersion: null },
      amountMinor: THRESHOLD / 2n,
    }),
  ])
  return {
    investorId,
    deposits: [small, large, smallDeclined, largeDeclined],
    withdrawals: [smallPayout, largePayout, smallPaid, largePaid],
    investmentId,
  }
}

/** Creates a command whose actor is the platform itself. */
function createPlatformCommand<Type extends CommandType>(type: Type, data: DataOf<Type>): Command {
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  // The cast is safe because type and data are given as a pair.
  return { type, data, ...envelope } as Command
}

async function addBank({ db, deps }: TestGateway, userId: string, id: string) {
  const now = new Date(deps.clock.now())
  await db
    .insertInto('platform.bank_account')
    .values({
      ...{ id, user_id: userId, label: null, bank_name: 'B', account_number: '1' },
      ...{ account_name: 'A', account_type: 'Others', is_default: true },
      ...{ created_at: now, confirmed_at: now, usable_from: now, archived_at: null },
      hash_salt: randomBytes(16),
    })
    .execute()
  const account = (await findBankAccounts(db, { ids: [id], nowMs: now.getTime() })).get(id)
  if (account === undefined) throw new Error('the account was not added')
  return { bankAccountId: id, bankAccountSha256: account.sha256 }
}
