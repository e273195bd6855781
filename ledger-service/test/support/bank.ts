import { setTimeout as delay } from 'node:timers/promises'
import { type Command, type LedgerClient, newId } from '@cairn/ledger-contracts'
import { seededRandom } from '../simulation/random.ts'
import { remoteLedger } from './remote-ledger.ts'
import { plainRules } from './rule-book.ts'
import { plan30Days, recorded } from './test-ledger.ts'

const INVESTORS = 16
const START_MINOR = 100_000n
const STEP_MINOR = 1_000n
const ACCOUNTS_MAX = 500
const UNANSWERED_PAUSE_MS = 20

/** Sixteen people whose money moves between their own accounts, and never becomes more or less. */
export interface Bank {
  readonly totalMinor: bigint
  /** One movement, under an actor of its own so that the log tells whose it was. */
  move(client: LedgerClient): Promise<void>
  /** How each movement ended: known to be recorded, known not to be, or unknown. */
  readonly outcomes: ReadonlyMap<string, 'ok' | 'failed' | 'unknown'>
}

export interface Reading {
  sumMinor: bigint
  investorsMinor: bigint
  negatives: number
}

export async function openBank(client: LedgerClient): Promise<Bank> {
  const ledger = remoteLedger(client)
  const planId = newId(Date.now())
  const terms = { ...plan30Days, minimumMinor: STEP_MINOR }
  await recorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
  await recorded(ledger.submit('DefinePlan', { planId, terms }))
  const investors = Array.from({ length: INVESTORS }, () => newId(Date.now()))
  for (const investorId of investors) {
    const gift = { wallet: 'balance', category: null, reason: null } as const
    const transactionId = newId(Date.now())
    const funding = { ...gift, transactionId, investorId, amountMinor: START_MINOR }
    await recorded(ledger.submit('ActivateInvestor', { investorId, referrerId: null }))
    await recorded(ledger.submit('FundWallet', funding))
  }
  const outcomes = new Map<string, 'ok' | 'failed' | 'unknown'>()
  const teller = createTeller({ investors, planId })
  return {
    totalMinor: BigInt(INVESTORS) * START_MINOR,
    outcomes,
    move: async (through) => {
      const actor = `system:movement-${outcomes.size}`
      outcomes.set(actor, 'unknown')
      const command = teller.next(actor)
      const answer = await through.submit(command).catch(() => null)
      // What cannot be reached is not hammered: little of that would ever be decided.
      if (answer === null) return void (await delay(UNANSWERED_PAUSE_MS))
      outcomes.set(actor, answer.outcome === 'recorded' ? 'ok' : 'failed')
      if (answer.outcome === 'recorded') teller.happened(command)
    },
  }
}

/** Money into a hold and out of it again, into an investment and out of it again. */
function createTeller({ investors, planId }: { investors: readonly string[]; planId: string }) {
  const random = seededRandom(4)
  const held: { transactionId: string; investorId: string }[] = []
  const invested: string[] = []

  function draft(): Pick<Command, 'type' | 'data'> {
    const isBack = random.chance(0.5)
    const hold = isBack ? held.shift() : undefined
    if (hold !== undefined) return { type: 'CancelWithdrawal', data: hold }
    const investmentId = isBack ? invested.shift() : undefined
    if (investmentId !== undefined) {
      return { type: 'DenyInvestment', data: { investmentId, reason: 'bank' } }
    }
    const some = {
      investorId: random.pick(investors),
      amountMinor: STEP_MINOR * BigInt(1 + random.int(10)),
    }
    if (random.chance(0.5)) {
      const data = { ...some, investmentId: newId(Date.now()), planId, planVersion: null }
      return { type: 'OpenInvestment', data }
    }
    const bank = {
      source: 'balance',
      bankAccountId: 'b',
      bankAccountSha256: 'b'.repeat(64),
    } as const
    return {
      type: 'RequestWithdrawal',
      data: { ...some, ...bank, transactionId: newId(Date.now()) },
    }
  }

  return {
    next: (actor: string): Command =>
      // Each draft pairs its type with that type's data.
      ({ ...draft(), actor, key: actor, requestId: null, effectiveAt: null }) as Command,
    happened: ({ type, data }: Command) => {
      if (type === 'OpenInvestment') invested.push(data.investmentId)
      if (type !== 'RequestWithdrawal') return
      held.push({ transactionId: data.transactionId, investorId: data.investorId })
    },
  }
}

type Balances = readonly { account: string; balanceMinor: bigint }[]

/** All balances as one statement tells them. */
export async function readAtOnce(client: LedgerClient): Promise<Reading> {
  const request = { prefix: '', after: null, limit: ACCOUNTS_MAX }
  return readingOf((await client.ask('accounts', request)).accounts)
}

/** The same in two statements: what moves in between is seen twice or not at all. */
export async function readInTwo(client: LedgerClient): Promise<Reading> {
  const limit = INVESTORS
  const first = await client.ask('accounts', { prefix: '', after: null, limit })
  const after = first.next
  const rest = await client.ask('accounts', { prefix: '', after, limit: ACCOUNTS_MAX })
  return readingOf([...first.accounts, ...rest.accounts])
}

function readingOf(balances: Balances): Reading {
  const sum = (some: Balances) => some.reduce((total, { balanceMinor }) => total + balanceMinor, 0n)
  const own = balances.filter(({ account }) => account.startsWith('investor:'))
  return {
    sumMinor: sum(balances),
    investorsMinor: sum(own),
    negatives: own.filter(({ balanceMinor }) => balanceMinor < 0n).length,
  }
}
