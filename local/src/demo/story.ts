import type { PayOption } from '@cairn/gateway-contracts'
import {
  type Command,
  computeShare,
  DEFAULT_CURRENCY,
  type Id,
  type PlanTerms,
} from '@cairn/ledger-contracts'
import { DEMO_PLANS, ELITE, GROWTH, HOURLY, PRO, STARTER } from './plans.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'
import { createTimeline, DAY_MS, HOUR_MS, type StoryInvestor, type Timeline } from './timeline.ts'

const SEED = 20_260
export const STORY_DAYS = 91
const UNIT_MS = { hours: HOUR_MS, days: DAY_MS } as const
// The number of credited hours of the demo user's hourly investment.
const HOURS_DONE = 4
// The time until the next credit. The credit appears within two minutes, because the worker polls
// once a minute.
const NEXT_HOUR_IN_MS = 40_000

export interface Cast {
  readonly nowMs: number
  readonly adminId: Id
  readonly investors: readonly StoryInvestor[]
  /** The payment options to which deposits are made. */
  readonly options: readonly [StoryOption, ...StoryOption[]]
}

export interface StoryOption {
  readonly id: Id
  readonly type: PayOption
}

export interface StoryReceipt {
  readonly id: string
  readonly sha256: string
}

interface Stage extends Cast {
  readonly openedMs: number
  readonly admin: string
  readonly time: Timeline
  readonly random: SeededRandom
  readonly planIds: ReadonlyMap<PlanTerms, Id>
}

export interface Story {
  /**
   * The commands on which all later commands depend: rules, reserve, plans and the activation of
   * investors.
   */
  readonly opening: readonly Command[]
  /** Returns the commands of the ninety days after the opening. */
  history(receipt: StoryReceipt): readonly Command[]
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
    history: (receipt) => {
      for (const arrival of arrivals) scheduleInvestorCommands(stage, { ...arrival, receipt })
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
  { investor, atMs, receipt }: { investor: StoryInvestor; atMs: number; receipt: StoryReceipt },
): void {
  const { random } = stage
  const isDemoLogin = investor.joinedOnDay === 0
  let depositMs = atMs + pickHours(random, 2, 30)
  for (let round = 0; depositMs < stage.nowMs; round += 1) {
    const amountMinor = isDemoLogin && round === 0 ? 9_000_00n : pickDepositSize(random)
    deposit(stage, investor, { atMs: depositMs, amountMinor, receipt })
    depositMs += random.between(16, 34) * DAY_MS + pickHours(random, 0, 20)
  }
  for (let day = 20; atMs + day * DAY_MS < stage.nowMs; day += random.between(14, 26)) {
    withdrawProfit(stage, investor, atMs + day * DAY_MS + pickHours(random, 0, 12))
  }
  if (isDemoLogin) openHourly(stage, investor)
}

/** Returns a random duration between `min` and `max` hours, in milliseconds. */
function pickHours(random: SeededRandom, min: number, max: number): number {
  return random.between(min * 3_600, max * 3_600) * 1_000
}

function pickDepositSize(random: SeededRandom): bigint {
  return BigInt(random.pick([250, 400, 650, 1_200, 1_800, 2_600, 4_000, 6_500])) * 100n
}

function deposit(
  stage: Stage,
  investor: StoryInvestor,
  wanted: { atMs: number; amountMinor: bigint; receipt: StoryReceipt },
): void {
  const { atMs, amountMinor } = wanted
  const { time, random, admin, nowMs } = stage
  const option = random.pick(stage.options)
  const transactionId = random.id(atMs)
  const isDeclined = random.between(1, 6) === 6 && amountMinor < 5_000_00n
  const decidedMs = atMs + pickHours(random, 1, 40)
  time.addStep(atMs, () => {
    const receipt = { receiptId: wanted.receipt.id, receiptSha256: wanted.receipt.sha256 }
    const paid = { amountMinor, method: option.type, paymentOptionId: option.id }
    time.addCommand('RequestDeposit', {
      actor: `user:${investor.id}`,
      atMs,
      data: { transactionId, investorId: investor.id, ...paid, ...receipt },
    })
  })
  time.addStep(decidedMs, () => {
    const decision = { actor: admin, atMs: decidedMs }
    if (isDeclined) {
      const reason = 'The receipt cannot be read'
      time.addCommand('DeclineDeposit', { ...decision, data: { transactionId, reason } })
      return
    }
    time.addCommand('ApproveDeposit', {
      ...decision,
      data: { transactionId, paymentOptionId: null, approvedMinor: amountMinor },
    })
    investor.wallets.balanceMinor += amountMinor
    const investMs = decidedMs + pickHours(random, 1, 12)
    if (investMs < nowMs) time.addStep(investMs, () => investMost(stage, investor, investMs))
  })
}

/** Invests most of the available money in the most profitable plan that the investor can afford. */
function investMost(stage: Stage, investor: StoryInvestor, atMs: number): void {
  const affordable = [ELITE, PRO, GROWTH, STARTER].find(
    (plan) => plan.minimumMinor <= investor.wallets.balanceMinor,
  )
  if (affordable === undefined) return
  const share = BigInt(stage.random.between(60, 90))
  const wishedMinor = ((investor.wallets.balanceMinor * share) / 100n / 50_00n) * 50_00n
  const { minimumMinor, maximumMinor } = affordable
  const raised = wishedMinor < minimumMinor ? minimumMinor : wishedMinor
  const amountMinor = maximumMinor !== null && raised > maximumMinor ? maximumMinor : raised
  invest(stage, investor, { plan: affordable, amountMinor, atMs })
}

function openHourly(stage: Stage, investor: StoryInvestor): void {
  const atMs = stage.nowMs - (HOURS_DONE + 1) * HOUR_MS + NEXT_HOUR_IN_MS
  const topUp = { atMs: atMs - 2 * HOUR_MS, amountMinor: 1_000_00n }
  const transactionId = stage.random.id(topUp.atMs)
  stage.time.addStep(topUp.atMs, () => {
    const funding = { transactionId, investorId: investor.id, wallet: 'balance' as const }
    const why = { category: 'Demo', reason: 'Money to try the platform with' }
    stage.time.addCommand('FundWallet', {
      actor: stage.admin,
      atMs: topUp.atMs,
      data: { ...funding, amountMinor: topUp.amountMinor, ...why },
    })
    investor.wallets.balanceMinor += topUp.amountMinor
  })
  stage.time.addStep(atMs, () => {
    invest(stage, investor, { plan: HOURLY, amountMinor: 480_00n, atMs })
  })
}

function invest(
  stage: Stage,
  investor: StoryInvestor,
  { plan, amountMinor, atMs }: { plan: PlanTerms; amountMinor: bigint; atMs: number },
): void {
  const { time, random, planIds } = stage
  const planId = planIds.get(plan)
  if (planId === undefined || investor.wallets.balanceMinor < amountMinor) return
  const investmentId = random.id(atMs)
  const data = { investmentId, investorId: investor.id, planId, amountMinor, planVersion: null }
  time.addCommand('OpenInvestment', { actor: `user:${investor.id}`, atMs, data })
  // Without this command, the ledger worker would pay the bonus at the time of the installation.
  if (investor.referrerId !== null && plan.referralBonusPpm > 0) {
    time.addCommand('PayReferralBonus', { actor: 'system:referrals', atMs, data: { investmentId } })
  }
  investor.wallets.balanceMinor -= amountMinor

  const promisedMinor = computeShare(amountMinor, plan.profitPpm)
  const computeCredited = (units: number) => (promisedMinor * BigInt(units)) / BigInt(plan.duration)
  for (let units = 1; units <= plan.duration; units += 1) {
    const dueMs = atMs + units * UNIT_MS[plan.unit]
    time.addStep(dueMs, () => {
      // The command has no effective time, because the ledger sets the effective time of an accrual
      // itself.
      const accrual = { actor: 'system:demo', atMs: null, data: { investmentId, units } }
      time.addCommand('AccrueThrough', accrual)
      investor.wallets.profitMinor += computeCredited(units) - computeCredited(units - 1)
      if (units === plan.duration) investor.wallets.balanceMinor += amountMinor
    })
  }
}

function withdrawProfit(stage: Stage, investor: StoryInvestor, atMs: number): void {
  const { time, random, admin } = stage
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
        paymentOptionId: null,
        payoutReference: null,
        bankAccountSha256,
      }
      time.addCommand('ApproveWithdrawal', { actor: admin, atMs: decidedMs, data: paid })
    })
  })
}
