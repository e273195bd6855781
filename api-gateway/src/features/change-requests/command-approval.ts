import { type Command, type CommandApproval, formatCanonicalRequest } from '@cairn/ledger-contracts'
import { hashToHex } from '@cairn/service-kit/hash-text'
import type { Execution } from './definition.ts'

/**
 * The actor of commands that two people approved. The idempotency keys of these commands are stored
 * under this actor.
 */
export const CHANGE_ACTOR = 'system:change-requests'

type Agreement = Pick<
  Execution<unknown>,
  'createdBy' | 'createdAtMs' | 'approvedBy' | 'approvedAtMs'
>

/**
 * Returns the approvals of the maker and the checker, with the hash of the command. The ledger
 * accepts these approvals only for a command with this hash.
 */
export function toCommandApproval(
  { createdBy, createdAtMs, approvedBy, approvedAtMs }: Agreement,
  { type, data, effectiveAt }: Pick<Command, 'type' | 'data' | 'effectiveAt'>,
): CommandApproval {
  return {
    commandSha256: hashToHex(formatCanonicalRequest({ type, data, effectiveAt })),
    approvals: [
      { approver: `admin:${createdBy}`, approvedAt: new Date(createdAtMs).toISOString() },
      { approver: `admin:${approvedBy}`, approvedAt: new Date(approvedAtMs).toISOString() },
    ],
  }
}
