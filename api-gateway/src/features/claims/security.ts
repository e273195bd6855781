import { formatCounted } from '@cairn/gateway-contracts/counted'
import { formatMoney } from '../../platform/site-format.ts'
import type { ClaimFacts } from './facts.ts'
import { toEvidence, type Verdict } from './verdict.ts'

/**
 * A claim that is made names its limits. If it is not made, the text and the evidence name only
 * protections that are in force: the missing ones are in the reasons, which only administrators can
 * read, so that the public page does not tell a thief which protection is off.
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
  const isProved = reasons.length === 0
  return {
    state: isProved ? 'proved' : 'withheld',
    text: isProved
      ? 'Secured investments'
      : 'Not every protection that this claim needs is in force',
    evidence: [
      toEvidence('Second factor', `${secondFactorShare}% of accounts use one`),
      toEvidence(
        'Withdrawals',
        'The amount is held when it is requested; an administrator checks and pays each withdrawal before approving it',
      ),
      ...(isProved || dualControl === 'required'
        ? [toEvidence('Administrators', describeDualControl({ dualControl, rules }))]
        : []),
      ...(isProved || bankCoolingHours > 0
        ? [toEvidence('New bank accounts', describeHours(bankCoolingHours))]
        : []),
      ...(isProved || credentialHoldHours > 0
        ? [toEvidence('Withdrawals after a new password', describeHours(credentialHoldHours))]
        : []),
    ],
    reasons,
  }
}

function describeHours(hours: number): string {
  if (hours === 0) return 'No waiting period'
  return `Waiting period of ${formatCounted(hours, 'hour')}`
}

function describeDualControl({
  dualControl,
  rules,
}: Pick<ClaimFacts, 'dualControl' | 'rules'>): string {
  if (dualControl === 'single') return 'One administrator decides'
  const { approvalThresholdMinor } = rules
  const controls = 'Two administrators must agree before a control is weakened'
  if (approvalThresholdMinor === null) return controls
  return `${controls}, and before one of them moves ${formatMoney(approvalThresholdMinor)} or more in a day`
}
