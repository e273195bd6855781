import type { Claim } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { formatMoney } from '../../platform/site-format.ts'
import type { ClaimFacts } from './facts.ts'
import { toEvidence, type Verdict } from './verdict.ts'

/**
 * The text and the evidence name only protections that are in force. The missing ones are in the
 * reasons, which only administrators can read, so that the public page does not tell a thief which
 * protection is off.
 */
export function evaluateSecurity({
  settings,
  secondFactorShare,
  dualControl,
  rules,
}: ClaimFacts): Verdict {
  const { twoFactorAuth, bankCoolingHours, credentialHoldHours } = settings.security
  const reasons = [
    ...(twoFactorAuth ? [] : ['Administrators may log in without a second factor']),
    ...(bankCoolingHours > 0 ? [] : ['Withdrawals to a new bank account have no waiting period']),
  ]
  return {
    state: reasons.length === 0 ? 'proved' : 'withheld',
    text:
      reasons.length === 0
        ? 'Secured investments'
        : 'Not every protection that this claim needs is in force',
    evidence: [
      toEvidence('Second factor', `${secondFactorShare}% of accounts use one`),
      toEvidence(
        'Withdrawals',
        'The amount is held when it is requested; an administrator must approve each withdrawal',
      ),
      ...(dualControl === 'single'
        ? []
        : [toEvidence('Administrators', describeDualControl(rules))]),
      ...listWait('New bank accounts', bankCoolingHours),
      ...listWait('Withdrawals after a new password', credentialHoldHours),
    ],
    reasons,
  }
}

function listWait(label: string, hours: number): Claim['evidence'] {
  if (hours === 0) return []
  return [toEvidence(label, `Waiting period of ${formatCounted(hours, 'hour')}`)]
}

function describeDualControl({ approvalThresholdMinor }: ClaimFacts['rules']): string {
  const controls = 'Two administrators must agree before a control is weakened'
  if (approvalThresholdMinor === null) return controls
  return `${controls}, and before one of them moves ${formatMoney(approvalThresholdMinor)} or more in a day`
}
