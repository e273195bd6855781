import type { Command, DataOf, MoneyRules, PlanTerms } from '@cairn/ledger-contracts'
import type { ReferenceBooks, Verdict } from './reference-books.ts'

// The rules of dual control: for each command, who must approve it.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/**
 * Says which approvals a command needs. With an object, the approvals depend on the amount that the
 * command moves. `always` needs two administrators, `control` needs one, and null needs none.
 */
type Act = { amountMinor: bigint; asset: string; isAlways: boolean } | 'always' | 'control' | null

/**
 * Returns the reason why dual control refuses a command, or null. The caller has already applied
 * all other rules.
 */
export function findApprovalProblem(
  books: ReferenceBooks,
  command: Command,
  { nowMs, isOfThisCommand }: { nowMs: number; isOfThisCommand: boolean },
): Verdict | null {
  const act = toAct(books, command)
  if (act === null) return null
  const { approvers } = books.controls
  const isAdmin = command.actor.startsWith('admin:')
  if (isAdmin && approvers.size > 0 && approvers.get(command.actor)?.isActive !== true) {
    return 'NOT_AN_APPROVER'
  }
  const others = (command.approval?.approvals ?? []).filter((one) => one.approver !== command.actor)
  if (others.length > 0 && !isOfThisCommand) return 'APPROVAL_INVALID'
  for (const { approver, approvedAt } of others) {
    const givenMs = Date.parse(approvedAt)
    const known = approvers.get(approver)
    const isInTime = givenMs <= nowMs && nowMs - givenMs <= WEEK_MS
    const isApprover = known?.isActive === true && known.addedMs <= givenMs
    if (!isInTime || !isApprover || nowMs - known.addedMs < DAY_MS) return 'APPROVAL_INVALID'
  }
  if (!books.controls.isRequired) return null
  const people = listPeople(command)
  if (people.length > 1) {
    const isNew = people.some((one) => nowMs - (approvers.get(one)?.addedMs ?? nowMs) < DAY_MS)
    return isNew ? 'APPROVAL_INVALID' : null
  }
  if (command.actor === 'system:server' && typeof act === 'string') return null
  const isAlone = people.length === 1 && mayActAlone(books, act, { one: people[0] ?? '', nowMs })
  return isAlone ? null : 'SECOND_APPROVER_NEEDED'
}

/**
 * If only one administrator approved a command, adds its amount to the sum of this administrator.
 */
export function recordAct(books: ReferenceBooks, command: Command, act: Act, nowMs: number): void {
  const [approver, second] = listPeople(command)
  if (act === null || typeof act === 'string' || approver === undefined) return
  if (second !== undefined) return
  const hour = Math.floor(nowMs / HOUR_MS)
  const { amountMinor, asset } = act
  books.controls.alone.push({ approver, hour, amountMinor, asset })
}

export function listPeople({ actor, approval }: Command): readonly string[] {
  const author = actor.startsWith('admin:') ? [actor] : []
  return [...new Set([...author, ...(approval?.approvals ?? []).map((one) => one.approver)])]
}

/**
 * True if one administrator is enough. Without a threshold, one administrator may move any amount.
 */
function mayActAlone(
  books: ReferenceBooks,
  act: Exclude<Act, null>,
  { one, nowMs }: { one: string; nowMs: number },
): boolean {
  if (act === 'always') return false
  if (act === 'control') return true
  if (act.isAlways) return false
  const threshold = books.rules.approvalThresholdMinor
  if (threshold === null) return true
  const hour = Math.floor(nowMs / HOUR_MS)
  const sum = books.controls.alone
    .filter(({ asset }) => asset === act.asset)
    .filter(({ approver, hour: then }) => approver === one && then >= hour - 24)
    .reduce((total, { amountMinor }) => total + amountMinor, 0n)
  return sum + act.amountMinor < threshold
}

export function toAct(books: ReferenceBooks, command: Command): Act {
  const threshold = books.rules.approvalThresholdMinor
  const createMoneyAct = (amountMinor: bigint, isAlways = false) => ({
    amountMinor,
    asset: 'USD/2',
    isAlways,
  })
  switch (command.type) {
    case 'ApproveDeposit':
      return createMoneyAct(command.data.approvedMinor)
    case 'ApproveWithdrawal':
    case 'ReverseDeposit':
    case 'ReverseWithdrawal': {
      const found = books.requests.get(command.data.transactionId)
      if (found === undefined) return null
      if (command.type === 'ApproveWithdrawal')
        return createMoneyAct(found.amountMinor, found.isOnHold)
      const isOwn = found.decidedBy === command.actor
      return createMoneyAct(found.amountMinor, isOwn && threshold !== null)
    }
    case 'FundWallet':
    case 'AdjustWallet':
    case 'FundReserve':
    case 'WithdrawReserve':
    case 'SweepToReserve':
      return createMoneyAct(command.data.amountMinor)
    case 'ChooseCurrency':
      return 'control'
    case 'MoveAsset': {
      const { asset, amountMinor } = command.data
      return { amountMinor, asset, isAlways: threshold !== null }
    }
    case 'DenyInvestment': {
      const found = books.investments.get(command.data.investmentId)
      return found === undefined ? null : createMoneyAct(found.principalMinor)
    }
    case 'DefinePlan':
      return findTermsAct(books.plans.get(command.data.planId)?.terms, command.data.terms)
    case 'SetMoneyRules':
      return isWeaker(books.rules, command.data.rules) ? 'always' : 'control'
    case 'AddApprover':
    case 'RemoveApprover':
    case 'PermitKeyRotation':
    case 'PermitImport':
      return 'always'
    case 'SetDualControl':
      return command.data.mode === 'single' ? 'always' : 'control'
    default:
      return null
  }
}

function findTermsAct(known: PlanTerms | undefined, next: PlanTerms): Act {
  if (known === undefined) return 'always'
  const isMore =
    next.profitPpm > known.profitPpm ||
    next.referralBonusPpm > known.referralBonusPpm ||
    next.duration !== known.duration ||
    next.unit !== known.unit ||
    (next.returnPrincipal && !known.returnPrincipal) ||
    isHigher(known.maximumMinor, next.maximumMinor) ||
    (known.isArchived && !next.isArchived)
  return isMore ? 'always' : 'control'
}

function isWeaker(known: MoneyRules, next: MoneyRules): boolean {
  return (
    isHigher(known.approvalThresholdMinor, next.approvalThresholdMinor) ||
    isHigher(known.dailyWithdrawalLimitMinor, next.dailyWithdrawalLimitMinor) ||
    isHigher(known.monthlyWithdrawalLimitMinor, next.monthlyWithdrawalLimitMinor) ||
    next.coolingOffHours < known.coolingOffHours ||
    (next.isReferralEnabled && !known.isReferralEnabled) ||
    (known.coverageMode === 'strict' && next.coverageMode !== 'strict')
  )
}

/** True if a limit was raised or removed. Null means no limit. */
function isHigher(known: bigint | null, next: bigint | null): boolean {
  return known !== null && (next === null || next > known)
}

export function addApprover(
  books: ReferenceBooks,
  { approverId }: DataOf<'AddApprover'>,
  nowMs: number,
): Verdict {
  const { approvers } = books.controls
  const name = `admin:${approverId}`
  if (approvers.get(name)?.isActive) return 'APPROVER_CONFLICT'
  approvers.set(name, { addedMs: nowMs, isActive: true })
  if (countActive(books) === 2) books.controls.isRequired = true
  return 'recorded'
}

export function removeApprover(
  books: ReferenceBooks,
  { approverId }: DataOf<'RemoveApprover'>,
  actor: string,
): Verdict {
  const found = books.controls.approvers.get(`admin:${approverId}`)
  if (found === undefined || !found.isActive) return 'APPROVER_CONFLICT'
  const isTooFew = books.controls.isRequired && countActive(books) <= 2
  if (isTooFew && actor !== 'system:server') return 'LAST_APPROVERS'
  found.isActive = false
  return 'recorded'
}

export function setDualControl(books: ReferenceBooks, { mode }: DataOf<'SetDualControl'>): Verdict {
  const isRequired = mode === 'required'
  if (books.controls.isRequired === isRequired) return 'APPROVER_CONFLICT'
  if (isRequired && countActive(books) < 2) return 'LAST_APPROVERS'
  books.controls.isRequired = isRequired
  return 'recorded'
}

function countActive(books: ReferenceBooks): number {
  return [...books.controls.approvers.values()].filter(({ isActive }) => isActive).length
}
