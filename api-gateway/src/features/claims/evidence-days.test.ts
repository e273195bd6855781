import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

const NOW_MS = Date.parse('2026-11-28T06:00:00Z')

function judgeStatement(at: string, timezone = 'UTC') {
  const statement = {
    regulator: 'Example Authority',
    registerUrl: 'https://register.example/7',
    scope: 'Custody',
    expiresAt: '2027-01-31',
  }
  const stated = new Map([['regulated-compliance', { statement }]])
  const settings = { general: { timezone } }
  // The cast is safe because this rule reads only these facts.
  const facts = { stated, settings, nowMs: Date.parse(at) } as unknown as ClaimFacts
  return CLAIM_RULES['regulated-compliance'].judge(facts)
}

test('the evidence of a claim has dates as the pages write them', () => {
  expect(judgeStatement('2026-11-28T06:00:00Z').evidence).toContainEqual(
    expect.objectContaining({ label: 'Valid until', value: 'Jan 31, 2027' }),
  )
})

test.each([
  ['2027-01-31T23:59:59.999Z', 'UTC', 'stated'],
  ['2027-02-01T00:00:00Z', 'UTC', 'withheld'],
  ['2027-01-31T22:59:59Z', 'Europe/Berlin', 'stated'],
  ['2027-01-31T23:00:00Z', 'Europe/Berlin', 'withheld'],
  ['2027-02-01T04:59:59Z', 'America/New_York', 'stated'],
  ['2027-02-01T05:00:00Z', 'America/New_York', 'withheld'],
])('a statement is valid through its last day: at %s in %s it is %s', (at, timezone, state) => {
  expect(judgeStatement(at, timezone).state).toBe(state)
})

test('the day of an attestation is written in the same way', () => {
  const facts = {
    book: {
      committedMinor: 0n,
      shortfallMinor: 0n,
      openingMinor: 0n,
      percentage: 100,
      liabilitiesMinor: 0n,
      cashMinor: 500n,
    },
    paymentAccountsMinor: 500n,
    attestation: { asOf: '2026-11-27', assetsMinor: 500n },
    settings: { general: { legalName: 'Example Ltd' } },
    isDemo: false,
    nowMs: NOW_MS,
  }
  // The cast is safe because this rule reads only these facts.
  const { state, evidence } = CLAIM_RULES['profit-guarantee'].judge(facts as unknown as ClaimFacts)
  expect(state).toBe('proved')
  expect(evidence.find(({ label }) => label === 'Attested assets')?.value).toBe(
    '$5 on Nov 27, 2026',
  )
})
