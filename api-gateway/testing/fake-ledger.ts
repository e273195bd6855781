import type {
  Answer,
  Command,
  DataOf,
  Id,
  InvestorSummary,
  LedgerClient,
  LedgerTransaction,
  OperatorTotals,
  QueryName,
  QueryResponse,
} from '@cairn/ledger-contracts'
import { formatReference } from '@cairn/ledger-contracts'
import { createRecordedEvent } from './recorded-event.ts'

/** A ledger client for tests. It records its commands and returns configured answers. */
export interface FakeLedger extends LedgerClient {
  readonly commands: Command[]
  /**
   * Returns the answer to a command. If this function returns null, the answer says that the
   * command is recorded.
   */
  answerWith: (command: Command) => Answer | null
}

const AT = '2026-01-01T00:00:00.000Z'

export function createFakeLedger(): FakeLedger {
  const commands: Command[] = []
  const ledger: FakeLedger = {
    commands,
    answerWith: () => null,
    submit: async (command) => {
      commands.push(command)
      return ledger.answerWith(command) ?? createRecordedAnswer(command, BigInt(commands.length))
    },
    submitMany: async (many) => await Promise.all(many.map((command) => ledger.submit(command))),
    submitLinked: async () => {
      throw new Error('the gateway links no commands')
    },
    submitDryRun: async () => {
      throw new Error('the gateway makes no dry runs')
    },
    submitBriefly: async () => {
      throw new Error('the gateway reads its answers')
    },
    // The cast is safe because `ask` returns the answer to the query with this name.
    ask: async (name, request) =>
      answerQuery(commands, name, request) as QueryResponse<typeof name>,
    closeMonths: async () => [],
    copyRules: async () => ({ through: 0n, size: 0n, problem: null }),
    events: async () => ({ events: [], size: 0n }),
  }
  return ledger
}

function createRecordedAnswer(command: Command, seq: bigint): Answer {
  const { type, actor } = command
  const event = createRecordedEvent({ seq, type, actor, data: { version: '1' } })
  return { outcome: 'recorded', isReplay: false, event }
}

function answerQuery(commands: readonly Command[], name: QueryName, request: unknown): unknown {
  const { transactionId, investorIds } = request as { transactionId?: Id; investorIds?: Id[] }
  const transactions = commands
    .filter((command) => command.type === 'RequestDeposit')
    .map(({ data }) => toTransaction(data))
  switch (name) {
    case 'plans':
      return { plans: [] }
    case 'rules':
      return { rules: RULES }
    case 'investors':
      return { investors: (investorIds ?? []).map(toInvestor) }
    case 'transaction':
      return {
        transaction: transactions.find((one) => one.transactionId === transactionId) ?? null,
      }
    case 'transactions':
      return { transactions, total: transactions.length, totalMinor: 0n }
    case 'investment':
      return { investment: null }
    case 'investments':
      return { investments: [], total: 0, investedMinor: 0n, profitMinor: 0n, activeCount: 0 }
    case 'due':
      return { due: [] }
    case 'totals':
      return { totals: TOTALS }
    default:
      throw new Error(`the plain ledger does not know ${name}`)
  }
}

const RULES: QueryResponse<'rules'>['rules'] = {
  version: 1,
  depositFeePpm: 0,
  withdrawalFeePpm: 0,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'disclose',
  isReferralEnabled: true,
  approvalThresholdMinor: null,
  coolingOffHours: 0,
  dailyWithdrawalLimitMinor: null,
  monthlyWithdrawalLimitMinor: null,
}
const TOTALS: OperatorTotals = {
  byKind: {},
  transactions: [],
  investments: [],
  activeInvestors: 0,
}

function toInvestor(investorId: Id): InvestorSummary {
  const none = { balance: 0n, profit: 0n, referral: 0n }
  return {
    investorId,
    standing: 'active',
    referrerId: null,
    available: none,
    held: none,
    principalMinor: 0n,
    totals: {
      depositedMinor: 0n,
      withdrawnMinor: 0n,
      investmentCount: 0,
      activeInvestmentCount: 0,
      investedMinor: 0n,
      profitMinor: 0n,
      referralMinor: 0n,
    },
    counted: { day: null, dayMinor: 0n, monthMinor: 0n },
  }
}

function toTransaction(data: DataOf<'RequestDeposit'>): LedgerTransaction {
  return {
    transactionId: data.transactionId,
    reference: formatReference(data.transactionId),
    type: 'deposit',
    purpose: 'deposit',
    status: 'pending',
    investorId: data.investorId,
    amountMinor: data.amountMinor,
    requestedMinor: data.amountMinor,
    feeMinor: 0n,
    netMinor: data.amountMinor,
    isCredit: true,
    method: data.method,
    paymentOptionId: data.paymentOptionId,
    receiptId: data.receiptId,
    receiptSha256: data.receiptSha256,
    bankAccountId: null,
    bankAccountSha256: null,
    holdReason: null,
    investmentId: null,
    reason: null,
    payoutReference: null,
    requestedBy: `user:${data.investorId}`,
    decidedBy: null,
    createdAt: AT,
    decidedAt: null,
    seq: 1n,
    lastSeq: 1n,
  }
}
