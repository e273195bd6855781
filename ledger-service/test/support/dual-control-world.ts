import type { Approval, Command, CommandType, DataOf } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { hashRequest } from '../../src/log/envelope.ts'
import type { Model, PlacedEvent } from '../../src/log/model.ts'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  starterPlan,
  VERIFIER_KEY,
} from './rule-book.ts'

/**
 * Ada is a dishonest administrator, who attaches any existing approval to any command. Her
 * colleagues approve some of her commands.
 */

export const THRESHOLD = 10_000n
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const ADA = 'admin:ada'
const COLLEAGUES = ['bob', 'cyd', 'dan', 'eve'] as const
const reason = 'a reason'
/** The hashes of two files of opening balances. */
const FILES = ['a'.repeat(64), 'b'.repeat(64)] as const

export interface Step {
  readonly kind: 'act' | 'ask' | 'replay' | 'time'
  readonly type: CommandType
  readonly one: number
  readonly other: number
  readonly amountMinor: bigint
}

/** An approval by a colleague, with the hash of the content that the colleague approved. */
export interface Given extends Approval {
  readonly content: string
}

/**
 * An event, with the names of Ada and of the administrators whose approvals cover exactly the
 * content of the event.
 */
export interface Witnessed {
  readonly event: PlacedEvent
  readonly people: readonly string[]
  /** The number of approvers after the event. */
  readonly activeCount: number
  readonly thresholdMinor: bigint | null
  /** True if the event pays money to an investor whose standing is not active. */
  readonly isDormantPaid: boolean
}

const TYPES = [
  'FundReserve',
  'WithdrawReserve',
  'FundWallet',
  'AdjustWallet',
  'ApproveDeposit',
  'ApproveWithdrawal',
  'ReverseDeposit',
  'ReverseWithdrawal',
  'SetMoneyRules',
  'DefinePlan',
  'AddApprover',
  'RemoveApprover',
  // This command type is in the list more than once, so that it is chosen more often. Some disabled
  // checks are detected only after several removals of approvers in one run.
  'RemoveApprover',
  'RemoveApprover',
  'SetDualControl',
  'HoldWithdrawal',
  'PermitKeyRotation',
  'MoveAsset',
  'PermitImport',
  'ImportBalance',
] as const satisfies readonly CommandType[]

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('act', 'act', 'ask', 'replay', 'time'),
    type: fc.constantFrom(...TYPES),
    one: fc.nat(1_000),
    other: fc.nat(1_000),
    amountMinor: fc.oneof(
      fc.constantFrom(THRESHOLD, THRESHOLD - 1n, THRESHOLD / 2n, 1_000n),
      fc.bigInt({ min: 1n, max: 2n * THRESHOLD }),
    ),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

/** Runs the steps against the model and returns the events that Ada's commands recorded. */
export function executeSteps(model: Model, script: readonly Step[]): readonly Witnessed[] {
  const book = openRuleBook(model)
  for (const approverId of ['ada', 'bob', 'cyd']) {
    book.when('AddApprover', { approverId }, 'system:server')
  }
  const investorId = openInvestor()
  book.advanceTime(DAY_MS)
  const rules = { ...plainRules, approvalThresholdMinor: THRESHOLD }
  book.when('SetMoneyRules', { rules }, ADA)
  const deposits = [1, 2, 3, 4].map(() => requestDeposit())
  const withdrawals = [1, 2, 3, 4].map(() => requestWithdrawal())
  const payout = requestPayout()
  withdrawals.push(payout)
  const given: Given[] = []
  const asked: Command[] = []
  const witnessed: Witnessed[] = []
  const addedMs = new Map(['ada', 'bob', 'cyd'].map((name) => [`admin:${name}`, 0]))
  let thresholdMinor: bigint | null = THRESHOLD

  function openInvestor(): string {
    const opened = createActiveInvestor(book, { amountMinor: 0n })
    const gift = { wallet: 'balance', category: null, reason } as const
    const data = { transactionId: book.id(), investorId: opened, amountMinor: 900_000n, ...gift }
    book.advanceTime(DAY_MS)
    book.approved('FundWallet', data, ['bob', 'cyd'])
    return opened
  }

  function requestDeposit(): string {
    const transactionId = book.id()
    const receipt = { paymentOptionId: null, receiptId: 'r', receiptSha256: 'a'.repeat(64) }
    const request = { transactionId, investorId, amountMinor: THRESHOLD / 2n, method: 'bank' }
    book.when('RequestDeposit', { ...request, ...receipt })
    return transactionId
  }

  function requestWithdrawal(): string {
    const transactionId = book.id()
    const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
    const request = { transactionId, investorId, amountMinor: THRESHOLD / 2n }
    book.when('RequestWithdrawal', { ...request, source: 'balance', ...bank })
    return transactionId
  }

  /**
   * Records Ada's request for a payout below the threshold to an investor whose standing is not
   * active.
   */
  function requestPayout(): string {
    const dormantId = openInvestor()
    book.when('SuspendInvestor', { investorId: dormantId, standing: 'deactivated' })
    const transactionId = book.id()
    const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
    const request = { transactionId, investorId: dormantId, amountMinor: THRESHOLD / 10n }
    book.when('RequestWithdrawal', { ...request, source: 'balance', ...bank }, ADA)
    return transactionId
  }

  function hashContent(command: Command): string {
    return hashRequest(command).requestHash.toString('hex')
  }

  /**
   * True if the approver approved exactly this content in the last week and had already been an
   * approver for one day.
   */
  function isReal({ approver, approvedAt, content }: Given, wanted: string): boolean {
    const since = addedMs.get(approver)
    const atMs = Date.parse(approvedAt)
    return (
      content === wanted &&
      since !== undefined &&
      since <= atMs &&
      book.nowMs() - since >= DAY_MS &&
      book.nowMs() - atMs <= 7 * DAY_MS
    )
  }

  /**
   * Submits a command with approvals. Some of these approvals can belong to a different command.
   */
  function submit(command: Command, attached: readonly Given[]): void {
    const before = book.events().length
    const content = hashContent(command)
    const approvals = attached.map(({ approver, approvedAt }) => ({ approver, approvedAt }))
    const real = attached.filter((one) => isReal(one, content)).map(({ approver }) => approver)
    const commandSha256 = attached[0]?.content ?? content
    const approval = approvals.length === 0 ? null : { commandSha256, approvals }
    book.submit({ ...command, approval })
    const event = book.events()[before]
    if (event === undefined) return
    const { fact } = event
    const people = [...new Set([ADA, ...real])]
    if (fact.type === 'ApproverAdded') addedMs.set(`admin:${fact.data.approverId}`, book.nowMs())
    if (fact.type === 'ApproverRemoved') addedMs.delete(`admin:${fact.data.approverId}`)
    const isDormantPaid = fact.type === 'WithdrawalApproved' && fact.data.transactionId === payout
    witnessed.push({ event, people, activeCount: addedMs.size, thresholdMinor, isDormantPaid })
    if (fact.type === 'MoneyRulesSet') thresholdMinor = fact.data.rules.approvalThresholdMinor
  }

  for (const step of script) {
    const { kind, one, other } = step
    if (kind === 'time') {
      book.advanceTime(((one % 30) + 1) * HOUR_MS)
      continue
    }
    const rest = { actor: ADA, key: null, requestId: null, effectiveAt: null }
    // The cast is safe, because each draft contains a type and its data.
    const command = { ...createDraft(step), ...rest } as Command
    if (kind === 'ask') {
      // Colleagues do not approve the end of dual control, because there would be nothing left to
      // check.
      if (step.type === 'SetDualControl') continue
      asked.push(command)
      const approver = `admin:${COLLEAGUES[other % COLLEAGUES.length]}`
      const approvedAt = new Date(book.nowMs()).toISOString()
      given.push({ approver, approvedAt, content: hashContent(command) })
      continue
    }
    const place = other % Math.max(1, asked.length)
    const older = kind === 'replay' ? asked[place] : undefined
    // Returns the approval of the request at `place`. In one of four cases, returns the approval of
    // a random request instead.
    const approval = given[one % 4 === 0 ? one % Math.max(1, given.length) : place]
    const isAttached = approval !== undefined && one % 5 > 0
    submit(older ?? command, isAttached ? [approval] : [])
  }
  return witnessed

  function createDraft({ type, one, other, amountMinor }: Step): {
    type: CommandType
    data: object
  } {
    const transactionId = book.id()
    const approverId = COLLEAGUES[one % COLLEAGUES.length] ?? 'dan'
    const paymentOptionId = null
    const money = { transactionId, investorId, wallet: 'balance', amountMinor, reason } as const
    const drafts: { [Type in (typeof TYPES)[number]]: DataOf<Type> } = {
      FundReserve: { transactionId, amountMinor, note: null },
      WithdrawReserve: { transactionId, amountMinor, note: null },
      FundWallet: { ...money, category: null },
      AdjustWallet: { ...money, isCredit: one % 2 === 0 },
      ApproveDeposit: {
        transactionId: deposits[other % deposits.length] ?? '',
        paymentOptionId,
        approvedMinor: amountMinor,
      },
      ApproveWithdrawal: {
        transactionId: withdrawals[other % withdrawals.length] ?? '',
        paymentOptionId,
        payoutReference: null,
        bankAccountSha256: 'b'.repeat(64),
      },
      ReverseDeposit: {
        transactionId: deposits[other % deposits.length] ?? '',
        to: one % 2 === 0 ? 'success' : 'declined',
        paymentOptionId,
        reason,
      },
      ReverseWithdrawal: {
        transactionId: withdrawals[other % withdrawals.length] ?? '',
        to: one % 2 === 0 ? 'success' : 'declined',
        paymentOptionId,
        reason,
      },
      SetMoneyRules: {
        rules: {
          ...plainRules,
          approvalThresholdMinor: one % 3 === 0 ? null : amountMinor,
          coolingOffHours: other % 3,
          dailyWithdrawalLimitMinor: other % 2 === 0 ? null : amountMinor,
        },
      },
      DefinePlan: { planId: transactionId, terms: starterPlan },
      AddApprover: { approverId },
      RemoveApprover: { approverId, reason },
      SetDualControl: { mode: one % 4 === 0 ? 'required' : 'single' },
      MoveAsset: { asset: 'EUR/2', from: 'cash:bank', to: 'reserve', amountMinor, note: null },
      HoldWithdrawal: { transactionId: withdrawals[other % withdrawals.length] ?? '', reason },
      PermitKeyRotation: { verifierKey: VERIFIER_KEY },
      PermitImport: { fileSha256: FILES[one % 2] ?? '' },
      ImportBalance: {
        fileSha256: FILES[one % 2] ?? '',
        line: 1 + other,
        lastLine: 2_000,
        account: `investor:${investorId}:balance`,
        asset: 'USD/2',
        isCredit: true,
        amountMinor,
      },
    }
    return { type, data: drafts[type as (typeof TYPES)[number]] }
  }
}
