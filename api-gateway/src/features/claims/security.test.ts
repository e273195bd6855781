import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

const SECURITY = { twoFactorAuth: true, bankCoolingHours: 24, credentialHoldHours: 24 }

function judge(
  dualControl: 'required' | 'single',
  approvalThresholdMinor: bigint | null,
  security = SECURITY,
) {
  const facts = {
    dualControl,
    rules: { approvalThresholdMinor },
    settings: { security },
    secondFactorShare: 50,
  }
  // The cast is safe because this rule reads only these facts.
  return CLAIM_RULES['secured-investments'].judge(facts as unknown as ClaimFacts)
}

function readEvidence(
  dualControl: 'required' | 'single',
  approvalThresholdMinor: bigint | null,
  { label = 'Administrators', security = SECURITY } = {},
) {
  const { evidence } = judge(dualControl, approvalThresholdMinor, security)
  return evidence.find((line) => line.label === label)?.value
}

test('only administrators read which protection is missing', () => {
  expect(judge('single', null)).toMatchObject({ state: 'proved', text: 'Secured investments' })
  const open = { twoFactorAuth: false, bankCoolingHours: 0, credentialHoldHours: 0 }
  const { reasons, state, text, evidence } = judge('single', null, open)
  expect(state).toBe('withheld')
  expect(reasons).toEqual([
    'Administrators may log in without a second factor',
    'Withdrawals to a new bank account have no waiting period',
  ])
  expect(text).toBe('Not every protection that this claim needs is in force')
  expect(evidence.map(({ label }) => label)).toEqual(['Second factor', 'Withdrawals'])
})

test('the site states which acts need two administrators', () => {
  expect(readEvidence('single', 1_000_000n)).toBe('One administrator decides')
  expect(readEvidence('required', null)).toBe(
    'Two administrators must agree before a control is weakened',
  )
  expect(readEvidence('required', 1_000_000n)).toBe(
    'Two administrators must agree before a control is weakened, and before one of them moves $10,000 or more in a day',
  )
})

test('a claim that is made states a protection that it does not need', () => {
  const security = { ...SECURITY, credentialHoldHours: 0 }
  const label = 'Withdrawals after a new password'
  expect(readEvidence('single', null, { label, security })).toBe('No waiting period')
})

test('the site states the waiting period of a new bank account', () => {
  const readWait = (bankCoolingHours: number) =>
    readEvidence('single', null, {
      label: 'New bank accounts',
      security: { ...SECURITY, bankCoolingHours },
    })
  expect(readWait(1)).toBe('Waiting period of 1 hour')
  expect(readWait(24)).toBe('Waiting period of 24 hours')
})
