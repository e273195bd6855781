import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type Id,
} from '@cairn/ledger-contracts'
import { createSeededRandom } from './random.ts'
import { DAY_MS } from './timeline.ts'
import type { NewUser } from './users.ts'

const FIRST_NAMES = [
  'Ada',
  'Ben',
  'Chloé',
  'Dmitri',
  'Eun-ji',
  'Fatima',
  'Goran',
  'Hana',
  'Ivo',
  'Jun',
  'Kofi',
  'Lena',
  'Mateo',
  'Noor',
  'Olu',
  'Priya',
  'Quinn',
  'Rosa',
  'Sven',
  'Tala',
] as const
const LAST_NAMES = [
  'Abe',
  'Bauer',
  'Costa',
  'Diaz',
  'Eriksen',
  'Fofana',
  'Garcia',
  'Haddad',
  'Ivanov',
  'Jensen',
  'Khan',
  'Lopez',
  'Mensah',
  'Nowak',
  'Okafor',
  'Petrov',
  'Quist',
  'Rossi',
  'Sato',
  'Tanaka',
] as const
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'NG', 'IN', 'BR', 'JP', 'KE', 'SE'] as const
const HISTORY_DAYS = 90
const SHA256_CHARACTERS = 64

export interface Person {
  readonly id: Id
  readonly index: number
}

export interface CrowdCast {
  readonly nowMs: number
  readonly adminId: Id
  readonly planId: Id
  readonly optionId: Id
  readonly password: string
}

/** Creates user number `index`, with the same values in each run. */
export function createNewcomer(cast: CrowdCast, index: number): NewUser {
  const random = createSeededRandom(index + 1)
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
  return {
    email: `crowd-${index}@crowd.example`,
    password: cast.password,
    name,
    country: random.pick(COUNTRIES),
    phone: '+1 555 0100',
    firstAddress: '1 Example Street',
    gender: index % 2 === 0 ? 'Female' : 'Male',
    referrer: null,
    bank: null,
    paymentProof: null,
    createdAt: new Date(cast.nowMs - HISTORY_DAYS * DAY_MS).toISOString(),
  }
}

/**
 * Yields commands of one user that create `transactions` transactions. The keys are the same in
 * each run, so that a run can be repeated.
 */
export function* createUserCommands(
  cast: CrowdCast,
  { id: investorId, index }: Person,
  transactions: number,
): Generator<Command> {
  const random = createSeededRandom(index + 1)
  const admin = `admin:${cast.adminId}`
  const user = `user:${investorId}`
  const stepMs = Math.floor((HISTORY_DAYS * DAY_MS) / (transactions + 1))
  let atMs = cast.nowMs - HISTORY_DAYS * DAY_MS
  let told = 0
  let freeMinor = 0n
  function createCommand<Type extends CommandType>(
    type: Type,
    actor: string,
    data: DataOf<Type>,
  ): Command {
    told += 1
    const key = `crowd-${index}-${told}`
    const effectiveAt = new Date(atMs).toISOString()
    // The cast is safe because the signature pairs type and data.
    return { type, data, actor, key, requestId: null, effectiveAt } as Command
  }
  yield createCommand('ActivateInvestor', admin, { investorId, referrerId: null })
  for (let made = 0; made < transactions; made += 1) {
    atMs += stepMs
    const amountMinor = BigInt(random.between(50, 5_000) * 100)
    const choice = freeMinor >= 2n * amountMinor ? random.between(0, 9) : 0
    if (choice < 6) {
      const transactionId = createId(atMs)
      yield createCommand('RequestDeposit', user, {
        transactionId,
        investorId,
        amountMinor,
        method: 'Bank Transfer',
        paymentOptionId: cast.optionId,
        receiptId: transactionId.padEnd(SHA256_CHARACTERS, '0'),
        receiptSha256: '0'.repeat(SHA256_CHARACTERS),
      })
      if (random.between(0, 99) === 0) continue
      const approval = { transactionId, paymentOptionId: null, approvedMinor: amountMinor }
      yield createCommand('ApproveDeposit', admin, approval)
      freeMinor += amountMinor
    } else if (choice < 9) {
      const transactionId = createId(atMs)
      yield createCommand('RequestWithdrawal', user, {
        transactionId,
        investorId,
        source: 'balance',
        amountMinor,
        bankAccountId: 'crowd',
        bankAccountSha256: '0'.repeat(SHA256_CHARACTERS),
      })
      freeMinor -= amountMinor
      if (random.between(0, 49) === 0) continue
      const payout = {
        transactionId,
        paymentOptionId: cast.optionId,
        payoutReference: null,
        bankAccountSha256: '0'.repeat(SHA256_CHARACTERS),
      }
      yield createCommand('ApproveWithdrawal', admin, payout)
    } else {
      const investmentId = createId(atMs)
      const opening = { investmentId, investorId, planId: cast.planId, planVersion: null }
      yield createCommand('OpenInvestment', user, { ...opening, amountMinor })
      freeMinor -= amountMinor
    }
  }
}
