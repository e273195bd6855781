import {
  computeCreditedThrough,
  computeShare,
  computeUnitEnd,
  type PlanTerms,
} from '@cairn/ledger-contracts'
import { ELITE, GROWTH, HOURLY, PRO, STARTER } from './plans.ts'
import type { SeededRandom } from './random.ts'
import type { Stage } from './stage.ts'
import { HOUR_MS, type StoryInvestor } from './timeline.ts'

// The number of credited hours of the demo user's hourly investment.
const HOURS_DONE = 4
// The time until the next credit. The credit appears within two minutes, because the worker polls
// once a minute.
const NEXT_HOUR_IN_MS = 40_000

/** Invests most of the available money in the most profitable plan that the investor can afford. */
export function investMost(stage: Stage, investor: StoryInvestor, atMs: number): void {
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

export function openHourly(stage: Stage, investor: StoryInvestor): void {
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

export function invest(
  stage: Stage,
  investor: StoryInvestor,
  {
    plan,
    amountMinor,
    atMs,
    random = stage.random,
  }: { plan: PlanTerms; amountMinor: bigint; atMs: number; random?: SeededRandom },
): void {
  const { time, planIds } = stage
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
  const { unit, duration } = plan
  const computeCredited = (units: number) =>
    computeCreditedThrough({ promisedMinor, units, duration })
  for (let units = 1; units <= duration; units += 1) {
    const dueMs = computeUnitEnd({ startedAtMs: atMs, unit, units })
    time.addStep(dueMs, () => {
      // The command has no effective time, because the ledger sets the effective time of an accrual
      // itself.
      const accrual = { actor: 'system:demo', atMs: null, data: { investmentId, units } }
      time.addCommand('AccrueThrough', accrual)
      investor.wallets.profitMinor += computeCredited(units) - computeCredited(units - 1)
      if (units === duration) investor.wallets.balanceMinor += amountMinor
    })
  }
}
