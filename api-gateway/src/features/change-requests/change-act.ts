import type { ChangeState } from '@cairn/gateway-contracts'
import { APPROVER_WAIT_HOURS } from '@cairn/ledger-contracts'

const WAIT_MS = APPROVER_WAIT_HOURS * 3_600_000

/**
 * A candidate approver, with the facts about this person at the time of the approval or rejection.
 */
export interface Approver {
  id: string
  /** True for an active administrator with the permission that the change requires. */
  isActive: boolean
  /** The time since which the person has this permission; null if the person does not have it. */
  sinceMs: number | null
}

export interface ChangeFacts {
  state: ChangeState
  createdBy: string
  expiresAtMs: number
  payloadSha256: string
  /**
   * The persons whose role, second factor, wallet or account changes, and the persons who referred
   * them.
   */
  beneficiaries: ReadonlySet<string>
}

export type ChangeAct =
  | { type: 'approve'; by: Approver; maker: Approver; payloadSha256: string }
  | { type: 'reject'; by: Approver }
  | { type: 'withdraw'; by: string }
  | { type: 'execute'; maker: Approver; checkers: readonly Checker[]; isBeforeSame: boolean }

export interface Checker extends Approver {
  payloadSha256: string
}

export type Refusal =
  | 'notPending'
  | 'expired'
  | 'own'
  | 'beneficiary'
  | 'inactive'
  | 'tooNew'
  | 'makerTooNew'
  | 'otherBytes'
  | 'notOwn'

export type Verdict =
  | { to: Exclude<ChangeState, 'pending' | 'expired' | 'failed'> }
  /** The request has the final state `failed`, with this reason. */
  | { to: 'failed'; failure: string }
  | { refusal: Refusal }

/**
 * Decides whether an act (approval, rejection, withdrawal or execution) is allowed, and returns the
 * new state of the request. Does not read the database: the caller has read all facts under the
 * lock of the row.
 */
export function decideChangeAct(facts: ChangeFacts, act: ChangeAct, nowMs: number): Verdict {
  if (act.type === 'execute') return checkExecution(facts, act, nowMs)
  if (facts.state !== 'pending') return { refusal: 'notPending' }
  if (nowMs >= facts.expiresAtMs) return { refusal: 'expired' }
  switch (act.type) {
    case 'withdraw':
      return act.by === facts.createdBy ? { to: 'withdrawn' } : { refusal: 'notOwn' }
    case 'reject':
      return refuseDecider(facts, act.by) ?? { to: 'rejected' }
    case 'approve':
      return refuseApproval(facts, act, nowMs) ?? { to: 'approved' }
  }
}

/** Returns the reason why this person may not approve the request now; null if the person may. */
export function refuseApproval(
  facts: ChangeFacts,
  { by, maker, payloadSha256 }: { by: Approver; maker: Approver; payloadSha256: string },
  nowMs: number,
): { refusal: Refusal } | null {
  const refused = refuseDecider(facts, by)
  if (refused !== null) return refused
  if (!hasWaitedLongEnough(by, nowMs)) return { refusal: 'tooNew' }
  // A request can still be approved after its maker has stopped being an approver. The approved
  // request then fails.
  if (maker.isActive && !hasWaitedLongEnough(maker, nowMs)) return { refusal: 'makerTooNew' }
  return payloadSha256 === facts.payloadSha256 ? null : { refusal: 'otherBytes' }
}

function refuseDecider(facts: ChangeFacts, by: Approver): { refusal: Refusal } | null {
  if (by.id === facts.createdBy) return { refusal: 'own' }
  if (facts.beneficiaries.has(by.id)) return { refusal: 'beneficiary' }
  return by.isActive ? null : { refusal: 'inactive' }
}

function checkExecution(
  facts: ChangeFacts,
  act: Extract<ChangeAct, { type: 'execute' }>,
  nowMs: number,
): Verdict {
  if (facts.state !== 'approved') return { refusal: 'notPending' }
  const failure = findObstacle(facts, act, nowMs)
  return failure === null ? { to: 'executed' } : { to: 'failed', failure }
}

/**
 * Returns the reason why an approved request cannot be carried out; null if it can be carried out.
 * The approvals are checked again, because time has passed since they were given.
 */
function findObstacle(
  facts: ChangeFacts,
  { maker, checkers, isBeforeSame }: Extract<ChangeAct, { type: 'execute' }>,
  nowMs: number,
): string | null {
  if (nowMs >= facts.expiresAtMs) return 'The request expired before it was carried out'
  const others = checkers.filter(({ id }) => id !== maker.id)
  if (others.length === 0) return 'No other administrator has approved the request'
  const all = [maker, ...others]
  if (all.some(({ isActive }) => !isActive)) {
    return 'An administrator who proposed or approved the request may no longer approve changes'
  }
  if (all.some((approver) => !hasWaitedLongEnough(approver, nowMs))) {
    return 'An administrator who proposed or approved the request has been an approver for less than 24 hours'
  }
  if (all.some(({ id }) => facts.beneficiaries.has(id))) {
    return 'An administrator who proposed or approved the request benefits from the change'
  }
  if (others.some(({ payloadSha256 }) => payloadSha256 !== facts.payloadSha256)) {
    return 'The approved content differs from the content of the request'
  }
  return isBeforeSame ? null : 'The current state has changed since the request was made'
}

function hasWaitedLongEnough({ sinceMs }: Approver, nowMs: number): boolean {
  return sinceMs !== null && nowMs - sinceMs >= WAIT_MS
}
