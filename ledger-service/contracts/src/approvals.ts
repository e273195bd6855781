import { z } from 'zod'
import { canonicalJson } from './canonical.ts'

const Approver = z.string().regex(/^admin:[0-9a-z._-]{1,64}$/)
const Instant = z.iso.datetime({ precision: 3 })

/** The approval of one administrator; `CommandApproval` has the hash of the approved command. */
export const Approval = z.strictObject({ approver: Approver, approvedAt: Instant })
export type Approval = z.infer<typeof Approval>

/** An administrator approves nothing in the first hours after receiving the right. */
export const APPROVER_WAIT_HOURS = 24
/** An older approval is not accepted. */
export const APPROVAL_DAYS_MAX = 7
const APPROVALS_MAX = 5

/** The approvals that come with a command, and the hash of exactly what was approved. */
export const CommandApproval = z.strictObject({
  /** SHA-256 of `canonicalRequest`, in hex. The ledger computes its own and compares. */
  commandSha256: z.string().regex(/^[0-9a-f]{64}$/),
  approvals: z.array(Approval).min(1).max(APPROVALS_MAX),
})
export type CommandApproval = z.infer<typeof CommandApproval>

/**
 * How an event passed the controls: with these approvals, under this version of the money rules. The
 * actor, if it is an administrator, is an approver too and is not repeated.
 */
export const Control = z.object({
  approvals: z.array(z.object({ approver: z.string(), approvedAt: z.string() })),
  rulesVersion: z.int(),
})
export type Control = z.infer<typeof Control>

export const DualControlMode = z.enum(['single', 'required'])
export type DualControlMode = z.infer<typeof DualControlMode>

/** The text whose SHA-256 identifies the content of a command: for idempotency and for approvals. */
export function canonicalRequest(command: {
  type: string
  data: unknown
  effectiveAt: string | null
}): string {
  const { type, data, effectiveAt } = command
  return canonicalJson({ type, data, effectiveAt })
}
