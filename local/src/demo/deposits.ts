import type { Id } from '@cairn/ledger-contracts'
import { investMost } from './investing.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'
import { pickHours, type Stage, type StoryOption } from './stage.ts'
import { DAY_MS, type StoryInvestor } from './timeline.ts'

const SMALL_DEPOSIT_SEED = 20_261
// The days before the end of the history. All of them are in the 30 days over which review times
// are measured. The last deposit is decided before the history ends.
const SMALL_DEPOSIT_DAYS = [28, 23, 18, 13, 8, 3] as const

type Request = {
  readonly transactionId: Id
  readonly option: StoryOption
  readonly atMs: number
  readonly amountMinor: bigint
}
type Approval = Pick<Request, 'transactionId' | 'amountMinor'> & { readonly decidedMs: number }

/**
 * Schedules deposits at irregular intervals. Some deposits are declined; the money of the other
 * deposits is invested.
 */
export function scheduleDeposits(
  stage: Stage,
  { investor, atMs }: { investor: StoryInvestor; atMs: number },
): void {
  const { random } = stage
  const isDemoLogin = investor.joinedOnDay === 0
  let depositMs = atMs + pickHours(random, 2, 30)
  for (let round = 0; depositMs < stage.nowMs; round += 1) {
    const amountMinor = isDemoLogin && round === 0 ? 9_000_00n : pickDepositSize(random)
    scheduleDeposit(stage, investor, { atMs: depositMs, amountMinor })
    depositMs += random.between(16, 34) * DAY_MS + pickHours(random, 0, 20)
  }
}

/**
 * Schedules small deposits in the last month, so that two payment methods have enough decided
 * deposits for a measured review time. The demo user makes none of these deposits. They use a
 * separate random generator, so that they do not change the other deposits.
 */
export function scheduleSmallDeposits(stage: Stage): void {
  const random = createSeededRandom(SMALL_DEPOSIT_SEED)
  const [first, second = first] = stage.options
  const depositors = stage.investors.filter(({ joinedOnDay }) => joinedOnDay > 0)
  for (const [index, investor] of depositors.entries()) {
    const option = index % 2 === 0 ? first : second
    for (const day of SMALL_DEPOSIT_DAYS) {
      const atMs = stage.nowMs - day * DAY_MS + pickHours(random, 0, 20)
      const decidedMs = atMs + pickHours(random, 1, 40)
      const transactionId = random.id(atMs)
      const amountMinor = BigInt(random.pick([50, 75, 100, 150])) * 100n
      requestDeposit(stage, investor, { transactionId, option, atMs, amountMinor })
      stage.time.addStep(decidedMs, () => {
        approveDeposit(stage, investor, { transactionId, amountMinor, decidedMs })
      })
    }
  }
}

function pickDepositSize(random: SeededRandom): bigint {
  return BigInt(random.pick([250, 400, 650, 1_200, 1_800, 2_600, 4_000, 6_500])) * 100n
}

function scheduleDeposit(
  stage: Stage,
  investor: StoryInvestor,
  { atMs, amountMinor }: Pick<Request, 'atMs' | 'amountMinor'>,
): void {
  const { time, random, admin, nowMs } = stage
  const option = random.pick(stage.options)
  const transactionId = random.id(atMs)
  const isDeclined = random.between(1, 6) === 6 && amountMinor < 5_000_00n
  const decidedMs = atMs + pickHours(random, 1, 40)
  requestDeposit(stage, investor, { transactionId, option, atMs, amountMinor })
  time.addStep(decidedMs, () => {
    if (isDeclined) {
      const reason = 'The payment proof cannot be read'
      const data = { transactionId, reason }
      time.addCommand('DeclineDeposit', { actor: admin, atMs: decidedMs, data })
      return
    }
    approveDeposit(stage, investor, { transactionId, amountMinor, decidedMs })
    const investMs = decidedMs + pickHours(random, 1, 12)
    if (investMs < nowMs) time.addStep(investMs, () => investMost(stage, investor, investMs))
  })
}

export function requestDeposit(
  { time }: Stage,
  { id: investorId, receipt }: StoryInvestor,
  request: Request,
): void {
  const { transactionId, option, atMs, amountMinor } = request
  const paid = { amountMinor, method: option.type, paymentOptionId: option.id }
  const proof = { receiptId: receipt.id, receiptSha256: receipt.sha256 }
  const data = { transactionId, investorId, ...paid, ...proof }
  time.addStep(atMs, () => {
    time.addCommand('RequestDeposit', { actor: `user:${investorId}`, atMs, data })
  })
}

/** Adds the approval to the commands. The money becomes available at the time of the approval. */
export function approveDeposit(
  { time, admin }: Stage,
  investor: StoryInvestor,
  { transactionId, amountMinor, decidedMs }: Approval,
): void {
  const data = { transactionId, paymentOptionId: null, approvedMinor: amountMinor }
  time.addCommand('ApproveDeposit', { actor: admin, atMs: decidedMs, data })
  investor.wallets.balanceMinor += amountMinor
}
