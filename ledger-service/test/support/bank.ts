import { setTimeout as delay } from 'node:timers/promises'
import { type Command, createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createSeededRandom } from '../simulation/random.ts'
import { createRemoteLedger } from './remote-ledger.ts'
import { plainRules } from './rule-book.ts'
import { plan30Days, requireRecorded } from './test-ledger.ts'

const INVESTORS = 16
const START_MINOR = 100_000n
const STEP_MINOR = 1_000n
const ACCOUNTS_MAX = 500
const UNANSWERED_PAUSE_MS = 20

/**
 * Moves money between the accounts of sixteen investors. The sum of these accounts must not change.
 */
export interface Bank {
  readonly totalMinor: bigint
  /** Makes one movement. The actor of its command identifies the movement in the log. */
  move(client: LedgerClient): Promise<void>
  /** The outcome of each movement, by actor. */
  readonly outcomes: ReadonlyMap<string, 'ok' | 'failed' | 'unknown'>
}

export interface Reading {
  sumMinor: bigint
  investorsMinor: bigint
  negatives: number
}

export async function openBank(client: LedgerClient): Promise<Bank> {
  const ledger = createRemoteLedger(client)
  const planId = createId(Date.now())
  const terms = { ...plan30Days, minimumMinor: STEP_MINOR }
  await requireRecorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms }))
  const investors = Array.from({ length: INVESTORS }, () => createId(Date.now()))
  for (const investorId of investors) {
    const gift = { wallet: 'balance', category: null, reason: null } as const
    const transactionId = createId(Date.now())
    const funding = { ...gift, transactionId, investorId, amountMinor: START_MINOR }
    await requireRecorded(ledger.submit('ActivateInvestor', { investorId, referrerId: null }))
    await requireRecorded(ledger.submit('FundWallet', funding))
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
      // While the ledger is unreachable, clients pause. Without the pause, they would spend all
      // movements of the test on failed attempts.
      if (answer === null) return void (await delay(UNANSWERED_PAUSE_MS))
      outcomes.set(actor, answer.outcome === 'recorded' ? 'ok' : 'failed')
      if (answer.outcome === 'recorded') teller.addRecorded(command)
    },
  }
}

/**
 * Creates a source of random commands. They move money to a held account and back, and into an
 * investment and back.
 */
function createTeller({ investors, planId }: { investors: readonly string[]; planId: string }) {
  const random = createSeededRandom(4)
  const held: { transactionId: string; investorId: string }[] = []
  const invested: string[] = []

  function createDraft(): Pick<Command, 'type' | 'data'> {
    const isBack = random.drawChance(0.5)
    const hold = isBack ? held.shift() : undefined
    if (hold !== undefined) return { type: 'CancelWithdrawal', data: hold }
    const investmentId = isBack ? invested.shift() : undefined
    if (investmentId !== undefined) {
      return { type: 'DenyInvestment', data: { investmentId, reason: 'bank' } }
    }
    const some = {
      investorId: random.pick(investors),
      amountMinor: STEP_MINOR * BigInt(1 + random.pickInt(10)),
    }
    if (random.drawChance(0.5)) {
      const data = { ...some, investmentId: createId(Date.now()), planId, planVersion: null }
      return { type: 'OpenInvestment', data }
    }
    const bank = {
      source: 'balance',
      bankAccountId: 'b',
      bankAccountSha256: 'b'.repeat(64),
    } as const
    return {
      type: 'RequestWithdrawal',
      data: { ...some, ...bank, transactionId: createId(Date.now()) },
    }
  }

  return {
    next: (actor: string): Command =>
      // The cast is safe, because each draft contains a type and its data.
      ({ ...createDraft(), actor, key: actor, requestId: null, effectiveAt: null }) as Command,
    addRecorded: ({ type, data }: Command) => {
      if (type === 'OpenInvestment') invested.push(data.investmentId)
      if (type !== 'RequestWithdrawal') return
      held.push({ transactionId: data.transactionId, investorId: data.investorId })
    },
  }
}

type Balances = readonly { account: string; balanceMinor: bigint }[]

/** Reads all balances with one statement. */
export async function readInOneStatement(client: LedgerClient): Promise<Reading> {
  const request = { prefix: '', after: null, limit: ACCOUNTS_MAX }
  return toReading((await client.ask('accounts', request)).accounts)
}

/**
 * Sabotaged twin: the balances are read with two statements. Money that moves between the two
 * statements is counted twice or not at all.
 */
export async function readInTwoStatements(client: LedgerClient): Promise<Reading> {
  const limit = INVESTORS
  const first = await client.ask('accounts', { prefix: '', after: null, limit })
  const after = first.next
  const rest = await client.ask('accounts', { prefix: '', after, limit: ACCOUNTS_MAX })
  return toReading([...first.accounts, ...rest.accounts])
}

function toReading(balances: Balances): Reading {
  const sum = (some: Balances) => some.reduce((total, { balanceMinor }) => total + balanceMinor, 0n)
  const own = balances.filter(({ account }) => account.startsWith('investor:'))
  return {
    sumMinor: sum(balances),
    investorsMinor: sum(own),
    negatives: own.filter(({ balanceMinor }) => balanceMinor < 0n).length,
  }
}
