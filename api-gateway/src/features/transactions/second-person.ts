import { changeRefusals, OTHER_MUST_APPROVE } from '@cairn/gateway-contracts'
import type { Command, LedgerTransaction } from '@cairn/ledger-contracts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import {
  decideChange,
  type ExecuteDependencies,
  findOpenRequest,
  type RequestDependencies,
  requestChange,
  requireReason,
  storeRequest,
  toRefusalFailure,
} from '../change-requests/index.ts'
import { type ApprovalCommand, requireFirstApproval, type StatedPayment } from './first-approval.ts'

export type DecisionDependencies = RequestDependencies & ExecuteDependencies

/** The kinds of change requests about transactions, by the command that they send. */
const KINDS = {
  ApproveDeposit: 'deposit-approval',
  ApproveWithdrawal: 'withdrawal-approval',
  ReverseDeposit: 'deposit-reversal',
  ReverseWithdrawal: 'withdrawal-reversal',
} as const
type Deciding = Extract<Command, { type: keyof typeof KINDS }>

const isDecisionCommand = (command: Command): command is Deciding => command.type in KINDS
const isApproval = (command: Command): command is ApprovalCommand =>
  command.type === 'ApproveDeposit' || command.type === 'ApproveWithdrawal'

/**
 * Approves the change request that waits for this command. The first and the second approval use
 * one API call, so the caller does not know which of them it makes. The content of the request is
 * carried out, so `stated` may leave out what the request names. Returns false if no request
 * waits for this command. Throws 409 `CHANGE_DECIDED` if another administrator has approved the
 * request, or decided on it after this function read it.
 */
export async function approveWaitingRequest(
  deps: DecisionDependencies,
  exchange: Exchange,
  { command, found, stated }: { command: Command; found: LedgerTransaction; stated: StatedPayment },
): Promise<boolean> {
  if (!isApproval(command)) return false
  const target = command.data.transactionId
  const open = await findOpenRequest(deps.db, { kind: KINDS[command.type], target })
  if (open === null) return false
  const { userId } = getCaller(exchange)
  // The second approver may repeat the approval, for example after the ledger was unavailable.
  if (open.state === 'approved' && open.decided_by !== userId) {
    throw toRefusalFailure('notPending', { state: open.state, sinceMs: null })
  }
  if (open.created_by === userId) {
    const { code, message } = OTHER_MUST_APPROVE
    throw new HttpFailure(409, code, message)
  }
  await requireFirstApproval(deps, open.payload, { command, found, stated })
  const deciding = { type: 'approve', payloadSha256: open.payload_sha256 } as const
  await decideChange(deps, exchange, { id: open.id, deciding })
  return true
}

/** Returns true for the refusal of an approval whose request another administrator has decided. */
export function isChangeDecided(error: unknown): boolean {
  return error instanceof HttpFailure && error.code === changeRefusals.notPending.code
}

/**
 * Stores a change request for a command that needs a second administrator. For a reversal, the
 * function then throws 409 `CHANGE_REQUESTED`. For an approval, it returns, and the caller answers
 * with the pending transaction.
 */
export async function requestSecondApproval(
  deps: DecisionDependencies,
  exchange: Exchange,
  { command, reason }: { command: Command; reason: string | null },
): Promise<void> {
  if (!isDecisionCommand(command)) throw new Error(`${command.type} needs no second administrator`)
  const definition = deps.registry[KINDS[command.type]]
  const isOfApproval = isApproval(command)
  if (!isOfApproval) requireReason(reason)
  const payload = toPayload(command)
  const proposal = { payload, reason, fields: ['reason'], errors: 'list' } as const
  const change = { definition, proposal }
  if (!isOfApproval) throw await requestChange(deps, exchange, change)
  const { id } = await storeRequest(deps, exchange, change)
  exchange.note({ subject: command.data.transactionId, change: id })
}

const toPayload = ({ type, data }: Deciding) => ({ type, data, effectiveAt: null })
