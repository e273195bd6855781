import { type Command, type CommandApproval, canonicalRequest } from '@cairn/ledger-contracts'
import { hashText } from './canonical-json.ts'
import type { Execution } from './definition.ts'

/** The author of commands that two people agreed on. Idempotency keys belong to it. */
export const CHANGE_ACTOR = 'system:change-requests'

type Agreement = Pick<
  Execution<unknown>,
  'createdBy' | 'createdAtMs' | 'approvedBy' | 'approvedAtMs'
>

/**
 * The approvals of maker and checker with the hash of the command. The ledger compares this hash.
 */
export function toCommandApproval(
  { createdBy, createdAtMs, approvedBy, approvedAtMs }: Agreement,
  { type, data, effectiveAt }: Pick<Command, 'type' | 'data' | 'effectiveAt'>,
): CommandApproval {
  return {
    commandSha256: hashText(canonicalRequest({ type, data, effectiveAt })),
    approvals: [
      { approver: `admin:${createdBy}`, approvedAt: new Date(createdAtMs).toISOString() },
      { approver: `admin:${approvedBy}`, approvedAt: new Date(approvedAtMs).toISOString() },
    ],
  }
}
