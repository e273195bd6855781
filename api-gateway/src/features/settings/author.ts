import type { Command, CommandApproval } from '@cairn/ledger-contracts'

/** The author of a change: an administrator, or a change request that two people approved. */
export interface Author {
  actor: string
  key: string | null
  requestId: string
  userId: string
  nowMs: number
  /**
   * Returns the approvals to send with a command; missing if one administrator makes the change.
   */
  approve?(command: Pick<Command, 'type' | 'data' | 'effectiveAt'>): CommandApproval
}
