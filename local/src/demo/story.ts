import { type Command, DEFAULT_CURRENCY } from '@cairn/ledger-contracts'
import { scheduleDeposits, scheduleSmallDeposits } from './deposits.ts'
import { openHourly } from './investing.ts'
import { DEMO_PLANS } from './plans.ts'
import { createSeededRandom } from './random.ts'
import { scheduleRecentEvents } from './recent.ts'
import { type Cast, pickHours, type Stage } from './stage.ts'
import { createTimeline, DAY_MS, type StoryInvestor } from './timeline.ts'

const SEED = 20_260
export const STORY_DAYS = 91

export interface Story {
  /**
   * The commands on which all later commands depend: rules, reserve, plans and the activation of
   * investors.
   */
  readonly opening: readonly Command[]
  /** Returns the commands of the ninety days after the opening. */
  history(): readonly Command[]
}

export function createStory(cast: Cast): Story {
  const random = createSeededRandom(SEED)
  const openedMs = cast.nowMs - STORY_DAYS * DAY_MS
  const planIds = new Map(DEMO_PLANS.map((plan) => [plan, random.id(openedMs)]))
  const admin = `admin:${cast.adminId}`
  const stage: Stage = { ...cast, openedMs, admin, time: createTimeline(), random, planIds }
  openPlatform(stage)
  const arrivals = stage.investors.map((investor) => activateInvestor(stage, investor))
  const opening = [...stage.time.commands]
  return {
    opening,
    history: () => {
      for (const arrival of arrivals) scheduleInvestorCommands(stage, arrival)
      scheduleSmallDeposits(stage)
      scheduleRecentEvents(stage)
      stage.time.run(stage.nowMs)
      return stage.time.commands.slice(opening.length)
    },
  }
}

function openPlatform({ admin, openedMs: atMs, time, random, planIds }: Stage): void {
  time.addCommand('ChooseCurrency', { actor: admin, atMs, data: { asset: DEFAULT_CURRENCY } })
  time.addCommand('SetMoneyRules', {
    actor: admin,
    atMs,
    data: {
      rules: {
        depositFeePpm: 0,
        withdrawalFeePpm: 0,
        minimumDepositMinor: 10_00n,
        minimumWithdrawalMinor: 10_00n,
        coverageMode: 'disclose',
        isReferralEnabled: true,
        approvalThresholdMinor: null,
        coolingOffHours: 0,
        dailyWithdrawalLimitMinor: null,
        monthlyWithdrawalLimitMinor: null,
      },
    },
  })
  const reserve = { transactionId: random.id(atMs), amountMinor: 75_000_00n }
  time.addCommand('FundReserve', {
    actor: admin,
    atMs,
    data: { ...reserve, note: 'Opening reserve' },
  })
  for (const [terms, planId] of planIds) {
    time.addCommand('DefinePlan', { actor: admin, atMs, data: { planId, terms } })
  }
}

function activateInvestor(
  stage: Stage,
  investor: StoryInvestor,
): { investor: StoryInvestor; atMs: number } {
  const { openedMs, time, random, admin } = stage
  const atMs = openedMs + investor.joinedOnDay * DAY_MS + pickHours(random, 1, 9)
  const data = { investorId: investor.id, referrerId: investor.referrerId }
  time.addCommand('ActivateInvestor', { actor: admin, atMs, data })
  return { investor, atMs }
}

function scheduleInvestorCommands(
  stage: Stage,
  { investor, atMs }: { investor: StoryInvestor; atMs: number },
): void {
  const { random } = stage
  scheduleDeposits(stage, { investor, atMs })
  for (let day = 20; atMs + day * DAY_MS < stage.nowMs; day += random.between(14, 26)) {
    withdrawProfit(stage, investor, atMs + day * DAY_MS + pickHours(random, 0, 12))
  }
  if (investor.joinedOnDay === 0) openHourly(stage, investor)
}

function withdrawProfit(stage: Stage, investor: StoryInvestor, atMs: number): void {
  const { time, random, admin, options } = stage
  const share = BigInt(random.between(30, 80))
  const kind = random.between(1, 10)
  const isLast = stage.nowMs - atMs < 6 * DAY_MS
  const decidedMs = isLast ? Number.POSITIVE_INFINITY : atMs + pickHours(random, 4, 60)
  const transactionId = random.id(atMs)
  time.addStep(atMs, () => {
    const amountMinor = ((investor.wallets.profitMinor * share) / 100n / 1_00n) * 1_00n
    if (amountMinor < 10_00n) return
    const own = { transactionId, investorId: investor.id, source: 'profit' as const, amountMinor }
    const { bankAccountId, bankAccountSha256 } = investor
    const actor = `user:${investor.id}`
    const data = { ...own, bankAccountId, bankAccountSha256 }
    time.addCommand('RequestWithdrawal', { actor, atMs, data })
    investor.wallets.profitMinor -= amountMinor
    time.addStep(decidedMs, () => {
      if (kind > 8) {
        investor.wallets.profitMinor += amountMinor
        const reason = 'The bank account could not be confirmed'
        const refusal = { actor: admin, atMs: decidedMs, data: { transactionId, reason } }
        time.addCommand('DeclineWithdrawal', refusal)
        return
      }
      const paid = {
        transactionId,
        // Like the gateway, which pays from the oldest bank account.
        paymentOptionId: (options.find(({ type }) => type === 'Bank Transfer') ?? options[0]).id,
        payoutReference: null,
        bankAccountSha256,
      }
      time.addCommand('ApproveWithdrawal', { actor: admin, atMs: decidedMs, data: paid })
    })
  })
}
