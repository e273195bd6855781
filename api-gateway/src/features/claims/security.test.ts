import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

function readEvidence(dualControl: 'required' | 'single', approvalThresholdMinor: bigint | null) {
  const security = { twoFactorAuth: true, bankCoolingHours: 24, credentialHoldHours: 24 }
  const facts = {
    dualControl,
    rules: { approvalThresholdMinor },
    settings: { security },
    secondFactorShare: 50,
  }
  // The cast is safe because this rule reads only these facts.
  const { evidence } = CLAIM_RULES['secured-investments'].judge(facts as unknown as ClaimFacts)
  return evidence.find(({ label }) => label === 'Administrators')?.value
}

test('the site states how many administrators must agree, and on what', () => {
  expect(readEvidence('single', 1_000_000n)).toBe('one decides')
  expect(readEvidence('required', null)).toBe('two must agree before a control is weakened')
  expect(readEvidence('required', 1_000_000n)).toBe(
    'two must agree before a control is weakened, and from $10,000 in a day on',
  )
})
