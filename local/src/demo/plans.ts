import type { PlanTerms } from '@cairn/ledger-contracts'

const common = { returnPrincipal: true, isArchived: false } as const

export const STARTER: PlanTerms = {
  ...common,
  name: 'Starter',
  unit: 'days',
  duration: 30,
  minimumMinor: 100_00n,
  maximumMinor: 2_500_00n,
  profitPpm: 50_000,
  referralBonusPpm: 10_000,
}
export const GROWTH: PlanTerms = {
  ...common,
  name: 'Growth',
  unit: 'days',
  duration: 60,
  minimumMinor: 500_00n,
  maximumMinor: 10_000_00n,
  profitPpm: 120_000,
  referralBonusPpm: 20_000,
}
export const PRO: PlanTerms = {
  ...common,
  name: 'Pro',
  unit: 'days',
  duration: 90,
  minimumMinor: 2_000_00n,
  maximumMinor: 50_000_00n,
  profitPpm: 200_000,
  referralBonusPpm: 30_000,
}
export const ELITE: PlanTerms = {
  ...common,
  name: 'Elite',
  unit: 'days',
  duration: 180,
  minimumMinor: 5_000_00n,
  maximumMinor: null,
  profitPpm: 400_000,
  referralBonusPpm: 50_000,
}
export const HOURLY: PlanTerms = {
  ...common,
  name: 'Hourly',
  unit: 'hours',
  duration: 48,
  minimumMinor: 50_00n,
  maximumMinor: 1_000_00n,
  profitPpm: 10_000,
  referralBonusPpm: 0,
}

export const DEMO_PLANS: readonly PlanTerms[] = [STARTER, GROWTH, PRO, ELITE, HOURLY]
