import {
  APPROVAL_DAYS_MAX,
  APPROVER_WAIT_HOURS,
  type Approval,
  type Command,
} from '@cairn/ledger-contracts'
import {
  type Context,
  type Decision,
  type PlacedEvent,
  type Refusal,
  refuse,
} from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import {
  findActiveApprover,
  isDualControlRequired,
  SERVER,
  wasApproverEverAdded,
} from './approver.ts'
import { listApprovers } from './approver-list.ts'
import { findApprovalNeed, type Need } from './controlled.ts'
import { countSoleAct, sumSoleActs } from './sole-acts.ts'

const HOUR_MS = 3_600_000
const APPROVER_AGE_MIN_MS = APPROVER_WAIT_HOURS * HOUR_MS
const APPROVAL_AGE_MAX_MS = APPROVAL_DAYS_MAX * 24 * HOUR_MS

type Recorded = Exclude<Decision, { refusal: Refusal }>
type Refused = { refusal: Refusal }

/**
 * Refuses a decided event that has too few approvers. Otherwise adds the approvals and the version
 * of the money rules to the event.
 */
export function guardDecision(
  decided: Recorded,
  { command, view, context }: { command: Command; view: View; context: Context },
): Decision {
  const need = findApprovalNeed(decided.fact, view, context.actor)
  if (need === null) return decided
  const approvals = (command.approval?.approvals ?? []).filter(
    ({ approver }, place, all) =>
      approver !== context.actor && all.findIndex((other) => other.approver === approver) === place,
  )
  const refused =
    refuseActor(view, context.actor) ??
    refuseApprovals(view, context, { approvals, approved: command.approval?.commandSha256 }) ??
    refuseTooFew(view, context, { need, approvers: listApprovers(context.actor, approvals) })
  if (refused !== null) return refused
  const rulesVersion = findRulesInForce(view).version
  return { ...decided, control: { approvals, rulesVersion } }
}

/**
 * If only one administrator approved the event, adds its amount to the sum that the threshold
 * limits. Must be called before the evolver.
 */
export function countControlledAct(event: PlacedEvent, view: View): void {
  const { fact, control, actor, recordedAtMs, seq } = event
  if (control === null) return
  const need = findApprovalNeed(fact, view, actor)
  const amountMinor = need?.amountMinor ?? null
  const [approver, other] = listApprovers(actor, control.approvals)
  if (need === null || amountMinor === null || approver === undefined || other !== undefined) return
  countSoleAct(view, { approver, asset: need.asset, amountMinor, recordedAtMs, seq })
}

/** If an approver was ever added, refuses administrators who are not approvers. */
function refuseActor(view: View, actor: string): Refused | null {
  if (!actor.startsWith('admin:') || !wasApproverEverAdded(view)) return null
  return findActiveApprover(view, actor) === null ? refuse('notAnApprover') : null
}

function refuseApprovals(
  view: View,
  context: Context,
  { approvals, approved }: { approvals: readonly Approval[]; approved: string | undefined },
): Refused | null {
  if (approvals.length === 0) return null
  if (approved !== context.requestHash.toString('hex')) return refuse('approvalOfOther')
  for (const { approver, approvedAt } of approvals) {
    const approvedAtMs = Date.parse(approvedAt)
    if (approvedAtMs > context.recordedAtMs) return refuse('approvalFromFuture', { approver })
    if (context.recordedAtMs - approvedAtMs > APPROVAL_AGE_MAX_MS) {
      return refuse('approvalExpired', { approver })
    }
    const found = findActiveApprover(view, approver)
    // An approval is valid only if it was given after the approver was last added. Removing and
    // adding an approver again does not make old approvals valid.
    if (found === null || approvedAtMs < found.addedAt)
      return refuse('approverUnknown', { approver })
    const tooNew = refuseNewApprover(view, context, approver)
    if (tooNew !== null) return tooNew
  }
  return null
}

function refuseTooFew(
  view: View,
  context: Context,
  { need, approvers }: { need: Need; approvers: readonly string[] },
): Refused | null {
  if (!isDualControlRequired(view)) return null
  const [first, second] = approvers
  if (first !== undefined && second !== undefined) return refuseNewApprover(view, context, first)
  // The command line on the server is trusted to change the controls, but not to move money.
  if (context.actor === SERVER && need.amountMinor === null) return null
  const isOneEnough =
    first !== undefined &&
    !need.isAlways &&
    isBelowThreshold(view, context, { need, approver: first })
  return isOneEnough ? null : refuse('secondNeeded')
}

/**
 * Returns true if this amount, added to the money that this approver moved alone, is below the
 * threshold. The current hour and the 24 hours before it count. Splitting an amount therefore does
 * not evade the limit.
 */
function isBelowThreshold(
  view: View,
  { recordedAtMs }: Context,
  { need, approver }: { need: Need; approver: string },
): boolean {
  const { approvalThresholdMinor } = findRulesInForce(view)
  if (approvalThresholdMinor === null || need.amountMinor === null) return true
  const { asset } = need
  const sumMinor = sumSoleActs(view, { approver, asset }, recordedAtMs)
  return sumMinor + need.amountMinor < approvalThresholdMinor
}

function refuseNewApprover(view: View, context: Context, approver: string): Refused | null {
  const found = findActiveApprover(view, approver)
  if (found === null) return refuse('approverUnknown', { approver })
  const fromMs = found.addedAt + APPROVER_AGE_MIN_MS
  if (fromMs <= context.recordedAtMs) return null
  return refuse('approverTooNew', { approver, from: new Date(fromMs).toISOString() })
}
