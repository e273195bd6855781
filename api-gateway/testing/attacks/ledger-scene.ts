import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type MoneyRules,
} from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { toAgreedCommand } from '../agreed-command.ts'
import { startLedgerProcess } from '../ledger-process.ts'

const HOUR_MS = 3_600_000
/** The credentials of the gateway and of its worker. */
export const TOKENS = {
  gateway: 'gateway-token-'.padEnd(40, '0'),
  'gateway-worker': 'worker-token-'.padEnd(40, '0'),
} as const
export const APPROVERS = ['ada', 'bob', 'cyd'] as const
export const THRESHOLD = 100_000n

/** A ledger with dual control and a threshold. */
export interface LedgerScene {
  url: string
  nowMs(): number
  createTestId(): string
  /** Submits the command with all rights. Throws unless the command is recorded. */
  prepare(command: Command): Promise<void>
  createAgreedCommand<Type extends CommandType>(type: Type, data: DataOf<Type>): Command
  close(): Promise<void>
  /** Investments and bonuses whose accrual or payment is due at the present time of the test. */
  dueInvestments: string[]
  dueBonuses: string[]
}

export const RULES: MoneyRules = {
  depositFeePpm: 20_000,
  withdrawalFeePpm: 0,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'disclose',
  isReferralEnabled: true,
  approvalThresholdMinor: null,
  coolingOffHours: 1,
  dailyWithdrawalLimitMinor: null,
  monthlyWithdrawalLimitMinor: null,
}
export const TERMS: DataOf<'DefinePlan'>['terms'] = {
  name: null,
  duration: 1_000,
  unit: 'hours',
  minimumMinor: 1_000n,
  maximumMinor: null,
  profitPpm: 50_000,
  referralBonusPpm: 10_000,
  returnPrincipal: true,
  isArchived: false,
}

/**
 * The number of objects of each kind that become due. It exceeds the number of attempts, so each
 * attempt gets an unused object.
 */
const READY = 20

export async function openLedgerScene(): Promise<LedgerScene> {
  const database = await createTestDatabase()
  const tokens = Object.entries(TOKENS).map(([name, token]) => [name, [token]])
  const CALLER_TOKENS = JSON.stringify(Object.fromEntries(tokens))
  const process = await startLedgerProcess(database, { environment: { CALLER_TOKENS } })
  const all = process.createClient(1)
  let aheadMs = 0
  const nowMs = () => Date.now() + aheadMs
  const prepare = async (command: Command) => {
    const answer = await all.submit(command)
    if (answer.outcome !== 'recorded') throw new Error(`${command.type} ${JSON.stringify(answer)}`)
  }
  const createTestId = () => createId(nowMs())
  const scene = {
    url: process.url,
    nowMs,
    createTestId,
    prepare,
    createAgreedCommand: <Type extends CommandType>(type: Type, data: DataOf<Type>) =>
      toAgreedCommand({ deps: { clock: { now: nowMs } } }, { type, data, by: APPROVERS }),
    close: async () => {
      await process.stop()
      await database.drop()
    },
  }
  await prepare(createServerCommand('SetMoneyRules', { rules: RULES }))
  const ready = await prepareLedger(scene)
  for (const approverId of APPROVERS)
    await prepare(createServerCommand('AddApprover', { approverId }))
  aheadMs = 25 * HOUR_MS
  await process.setClockAhead(aheadMs)
  const rules = { ...RULES, coolingOffHours: 720, approvalThresholdMinor: THRESHOLD }
  await prepare(createServerCommand('SetMoneyRules', { rules }))
  return { ...scene, ...ready }
}

async function prepareLedger({
  prepare,
  createTestId,
}: Pick<LedgerScene, 'prepare' | 'createTestId'>) {
  const planId = createTestId()
  await prepare(createServerCommand('DefinePlan', { planId, terms: TERMS }))
  const [referrerId, investorId, transactionId] = [createTestId(), createTestId(), createTestId()]
  await prepare(
    createServerCommand('ActivateInvestor', { investorId: referrerId, referrerId: null }),
  )
  await prepare(createServerCommand('ActivateInvestor', { investorId, referrerId }))
  const paymentOptionId = null
  const receipt = { paymentOptionId, receiptId: 'r', receiptSha256: 'a'.repeat(64) }
  // An attack that runs after this set-up can move the fee of this deposit to the reserve.
  const amountMinor = 1_000n * THRESHOLD
  const deposit = { transactionId, investorId, amountMinor, method: 'bank', ...receipt }
  await prepare(createServerCommand('RequestDeposit', deposit))
  const approved = { transactionId, paymentOptionId, approvedMinor: amountMinor }
  await prepare(createServerCommand('ApproveDeposit', approved))
  await prepare(
    createServerCommand('FundReserve', { transactionId: createTestId(), amountMinor, note: null }),
  )
  const open = async () => {
    const investmentId = createTestId()
    const opening = { investmentId, investorId, planId, amountMinor: 1_000n, planVersion: null }
    await prepare(createServerCommand('OpenInvestment', opening))
    return investmentId
  }
  const dueInvestments: string[] = []
  const dueBonuses: string[] = []
  for (let made = 0; made < READY; made += 1) {
    dueInvestments.push(await open())
    dueBonuses.push(await open())
  }
  return { dueInvestments, dueBonuses }
}

/** Creates a command whose default actor is the server. */
export function createServerCommand<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  actor = 'system:server',
): Command {
  // The cast is safe because type and data are given as a pair.
  return { type, data, actor, key: null, requestId: null, effectiveAt: null } as Command
}
