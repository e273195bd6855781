import type { CommandType } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  type RuleBook,
  starterPlan,
} from '../../test/support/rule-book.ts'
import type { Model } from '../log/model.ts'
import type { View } from '../log/view.ts'
import { model } from './model.ts'

const AMOUNT = 20_000n
const reason = 'a reason'
const paymentOptionId = null
const HOUR_MS = 3_600_000

type Step = readonly [type: CommandType, more?: object]

/**
 * The states of one kind of object, the steps that lead to each state, and the actions to try in
 * each state.
 */
interface Life {
  start(book: RuleBook): { id: object; begin(): void }
  states: Readonly<Record<string, readonly Step[]>>
  actions: Readonly<Record<string, Step>>
  /** The allowed transitions. All other actions must be refused without any change. */
  edges: Readonly<Record<string, readonly string[]>>
}

const approveDeposit: Step = ['ApproveDeposit', { paymentOptionId, approvedMinor: AMOUNT }]
const approveWithdrawal: Step = [
  'ApproveWithdrawal',
  { paymentOptionId, payoutReference: null, bankAccountSha256: 'b'.repeat(64) },
]
const createReversal = (type: CommandType, to: string): Step => [
  type,
  { to, paymentOptionId, reason },
]

function createRequestLife(kind: 'Deposit' | 'Withdrawal', approve: Step, details: object): Life {
  const decline: Step = [`Decline${kind}`, { reason }]
  const undo = createReversal(`Reverse${kind}`, 'declined')
  const redo = createReversal(`Reverse${kind}`, 'success')
  return {
    start: (book) => {
      const investorId = createActiveInvestor(book, { amountMinor: 10n * AMOUNT })
      const transactionId = book.id()
      const request = { ...details, transactionId, investorId, amountMinor: AMOUNT }
      return {
        id: { transactionId, investorId },
        begin: () => void book.when(`Request${kind}`, request as never),
      }
    },
    states: {
      pending: [],
      success: [approve],
      declined: [decline],
      cancelled: [[`Cancel${kind}`]],
      'success, taken back': [approve, undo],
      'declined, taken back': [decline, redo],
    },
    actions: {
      approve,
      decline,
      cancel: [`Cancel${kind}`],
      'reverse to declined': undo,
      'reverse to success': redo,
    },
    edges: {
      pending: ['approve', 'decline', 'cancel'],
      success: ['reverse to declined'],
      declined: ['reverse to success'],
      'success, taken back': ['reverse to success'],
      'declined, taken back': ['reverse to declined'],
    },
  }
}

const lives: Readonly<Record<string, Life>> = {
  deposit: createRequestLife('Deposit', approveDeposit, {
    method: 'bank',
    paymentOptionId,
    receiptId: 'r',
    receiptSha256: 'a'.repeat(64),
  }),
  withdrawal: createRequestLife('Withdrawal', approveWithdrawal, {
    source: 'balance',
    bankAccountId: 'b',
    bankAccountSha256: 'b'.repeat(64),
  }),
  investment: {
    start: (book) => {
      const investorId = createActiveInvestor(book, { amountMinor: AMOUNT })
      const [planId, investmentId] = [book.id(), book.id()]
      const terms = { ...starterPlan, duration: 2, unit: 'hours' } as const
      book.when('DefinePlan', { planId, terms })
      const opening = { investmentId, investorId, planId, amountMinor: AMOUNT, planVersion: null }
      const begin = () => {
        book.when('OpenInvestment', opening)
        book.advanceTime(2 * HOUR_MS)
      }
      return { id: { investmentId, investorId }, begin }
    },
    states: {
      active: [],
      'half paid': [['AccrueThrough', { units: 1 }]],
      completed: [['AccrueThrough', { units: 2 }]],
      denied: [['DenyInvestment', { reason }]],
    },
    actions: {
      'pay the first unit': ['AccrueThrough', { units: 1 }],
      'pay the last unit': ['AccrueThrough', { units: 2 }],
      'pay a unit too many': ['AccrueThrough', { units: 3 }],
      deny: ['DenyInvestment', { reason }],
      'cancel without a cooling-off time': ['CancelInvestment'],
    },
    edges: {
      active: ['pay the first unit', 'pay the last unit', 'deny'],
      'half paid': ['pay the last unit', 'deny'],
    },
  },
  investor: {
    start: (book) => {
      const investorId = book.id()
      return { id: { investorId }, begin: () => {} }
    },
    states: {
      unknown: [],
      active: [['ActivateInvestor', { referrerId: null }]],
      deactivated: [['SuspendInvestor', { standing: 'deactivated' }]],
      denied: [['SuspendInvestor', { standing: 'denied' }]],
      closed: [['ActivateInvestor', { referrerId: null }], ['CloseInvestor']],
    },
    actions: {
      activate: ['ActivateInvestor', { referrerId: null }],
      deactivate: ['SuspendInvestor', { standing: 'deactivated' }],
      deny: ['SuspendInvestor', { standing: 'denied' }],
      close: ['CloseInvestor'],
    },
    edges: {
      unknown: ['activate', 'deactivate', 'deny'],
      active: ['deactivate', 'deny', 'close'],
      deactivated: ['activate', 'deny', 'close'],
      denied: ['activate', 'deactivate', 'close'],
    },
  },
}

/** The commands whose data include the investor. */
const OWNER_NAMED = /^(Cancel|Activate|Suspend|Close)/

function performStep(book: RuleBook, id: object, [type, more = {}]: Step) {
  const { investorId, ...own } = id as { investorId: string }
  const data = OWNER_NAMED.test(type) ? { ...own, investorId, ...more } : { ...own, ...more }
  // The cast is safe, because each step contains the data of its own type.
  return book.when(type, data as never, 'admin:one').decision
}

/**
 * Returns the type of the recorded event or the refusal code. A refusal must not change anything.
 */
function performStepAndCompare(
  { start, states, actions }: Life,
  cell: readonly [string, string],
  book: RuleBook,
) {
  const [state, action] = cell
  const { id, begin } = start(book)
  begin()
  for (const step of states[state] ?? []) {
    expect(performStep(book, id, step)).not.toHaveProperty('refusal')
  }
  const before = book.events().length
  const step = actions[action]
  if (step === undefined) throw new Error(action)
  const decision = performStep(book, id, step)
  const isRecorded = !('refusal' in decision)
  expect(book.events().length - before).toBe(isRecorded ? 1 : 0)
  return isRecorded ? 'recorded' : decision.refusal.code
}

describe.each(Object.entries(lives))('%s', (_name, life) => {
  const cells = Object.keys(life.states).flatMap((state) =>
    Object.keys(life.actions).map((action) => [state, action] as const),
  )
  test.each(cells)('%s: %s', (state, action) => {
    const isAllowed = life.edges[state]?.includes(action) ?? false
    expect(performStepAndCompare(life, [state, action], openRuleBook())).toEqual(
      isAllowed ? 'recorded' : expect.stringMatching(/^[A-Z_]+$/),
    )
  })
})

test('a rule book that takes a declined request for a pending one is detected', () => {
  const forgetful: Model = {
    ...model,
    decide: (command, view, context) => {
      const find: View['find'] = (table, key) => {
        const row = view.find(table, key)
        return row !== null && 'status' in row ? { ...row, status: 'pending' } : row
      }
      return model.decide(command, { ...view, find }, context)
    },
  }
  const { deposit } = lives
  if (deposit === undefined) throw new Error('no deposits')
  expect(performStepAndCompare(deposit, ['declined', 'approve'], openRuleBook(forgetful))).toBe(
    'recorded',
  )
  expect(performStepAndCompare(deposit, ['declined', 'approve'], openRuleBook())).toBe(
    'TRANSACTION_DECIDED',
  )
})
