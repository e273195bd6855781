import { approveDeposit, requestDeposit } from './deposits.ts'
import { invest } from './investing.ts'
import { HOURLY } from './plans.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'
import type { Stage } from './stage.ts'
import { HOUR_MS, type StoryInvestor } from './timeline.ts'

const RECENT_SEED = 20_262
const MINUTE_MS = HOUR_MS / 60
const AMOUNT_MINOR = 100_00n

/**
 * Schedules what happens to the demo user in the last hour of the history: a withdrawal is paid, a
 * deposit is approved, and an hourly investment ends. The platform notifies people only of events that
 * it records within an hour, so the demo user finds only these events of the history among the
 * notifications. They use a separate random generator, so that they do not change other commands.
 */
export function scheduleRecentEvents(stage: Stage): void {
  const random = createSeededRandom(RECENT_SEED)
  const investor = stage.investors.find(({ joinedOnDay }) => joinedOnDay === 0)
  if (investor === undefined) return
  scheduleApprovedDeposit(stage, investor, {
    random,
    amountMinor: 200_00n,
    atMs: stage.nowMs - 3 * HOUR_MS,
    decidedMs: stage.nowMs - 15 * MINUTE_MS,
  })
  // The ledger returns the principal when it records the end, so the end is shortly before the load.
  const endMs = stage.nowMs - 5 * MINUTE_MS
  const investMs = endMs - HOURLY.duration * HOUR_MS
  scheduleApprovedDeposit(stage, investor, {
    random,
    amountMinor: AMOUNT_MINOR,
    atMs: investMs - 2 * HOUR_MS,
    decidedMs: investMs - HOUR_MS,
  })
  stage.time.addStep(investMs, () => {
    invest(stage, investor, { plan: HOURLY, amountMinor: AMOUNT_MINOR, atMs: investMs, random })
  })
  schedulePaidWithdrawal(stage, investor, {
    random,
    amountMinor: AMOUNT_MINOR,
    atMs: stage.nowMs - 5 * HOUR_MS,
    decidedMs: stage.nowMs - 25 * MINUTE_MS,
  })
}

type Request = { random: SeededRandom; amountMinor: bigint; atMs: number; decidedMs: number }

function scheduleApprovedDeposit(
  stage: Stage,
  investor: StoryInvestor,
  { random, amountMinor, atMs, decidedMs }: Request,
): void {
  const [option] = stage.options
  const transactionId = random.id(atMs)
  requestDeposit(stage, investor, { transactionId, option, atMs, amountMinor })
  stage.time.addStep(decidedMs, () => {
    approveDeposit(stage, investor, { transactionId, amountMinor, decidedMs })
  })
}

function schedulePaidWithdrawal(
  { time, admin, options: [option] }: Stage,
  investor: StoryInvestor,
  { random, amountMinor, atMs, decidedMs }: Request,
): void {
  const transactionId = random.id(atMs)
  const { id: investorId, bankAccountId, bankAccountSha256 } = investor
  time.addStep(atMs, () => {
    const own = { transactionId, investorId, source: 'balance' as const, amountMinor }
    const data = { ...own, bankAccountId, bankAccountSha256 }
    time.addCommand('RequestWithdrawal', { actor: `user:${investorId}`, atMs, data })
    investor.wallets.balanceMinor -= amountMinor
  })
  time.addStep(decidedMs, () => {
    const paid = { paymentOptionId: option.id, payoutReference: null, bankAccountSha256 }
    const data = { transactionId, ...paid }
    time.addCommand('ApproveWithdrawal', { actor: admin, atMs: decidedMs, data })
  })
}
