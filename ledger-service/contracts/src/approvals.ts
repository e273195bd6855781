import { z } from 'zod'
import { formatCanonicalJson } from './canonical.ts'

const Approver = z.string().regex(/^admin:[0-9a-z._-]{1,64}$/)
const Instant = z.iso.datetime({ precision: 3 })

/** The approval of one administrator. `CommandApproval` contains the content that was approved. */
export const Approval = z.strictObject({ approver: Approver, approvedAt: Instant })
export type Approval = z.infer<typeof Approval>

/** The number of hours after which a new approver may approve. */
export const APPROVER_WAIT_HOURS = 24
/** The maximum age of an approval, in days. */
export const APPROVAL_DAYS_MAX = 7
/**
 * After two administrators permit the replacement of the signing key, the replacement must be made
 * within this number of days.
 */
export const KEY_ROTATION_DAYS = 7
const APPROVALS_MAX = 5

/** The approvals of a command, and the hash of the content that was approved. */
export const CommandApproval = z.strictObject({
  /**
   * SHA-256 of `formatCanonicalRequest`, in hex. The ledger hashes the command that it receives. If
   * the result differs from `commandSha256`, the ledger refuses the command.
   */
  commandSha256: z.string().regex(/^[0-9a-f]{64}$/),
  approvals: z.array(Approval).min(1).max(APPROVALS_MAX),
})
export type CommandApproval = z.infer<typeof CommandApproval>

/**
 * The approvals of an event, and the version of the money rules that applied. If the actor is an
 * administrator, the actor counts as an approver but is not in the list.
 */
export const Control = z.object({
  approvals: z.array(z.object({ approver: z.string(), approvedAt: z.string() })),
  rulesVersion: z.int(),
})
export type Control = z.infer<typeof Control>

export const DualControlMode = z.enum(['single', 'required'])
export type DualControlMode = z.infer<typeof DualControlMode>

/**
 * Returns the text whose SHA-256 identifies the content of a command. Idempotency and approvals use
 * this hash.
 */
export function formatCanonicalRequest(command: {
  type: string
  data: unknown
  effectiveAt: string | null
  externalId?: string | null | undefined
  metadata?: Readonly<Record<string, string>> | null | undefined
}): string {
  const { type, data, effectiveAt, externalId = null, metadata = null } = command
  const content = { type, data, effectiveAt }
  if (externalId === null && metadata === null) return formatCanonicalJson(content)
  return formatCanonicalJson({
    ...content,
    ...(externalId !== null && { externalId }),
    ...(metadata !== null && { metadata }),
  })
}
