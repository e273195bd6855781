import { z } from 'zod'

/** The schema of `AuditLine`, a line of an exported audit log. */
export const AuditLineForm = z.strictObject({
  position: z.int().min(1).nullable(),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  id: z.string(),
  recordedAt: z.string(),
  actorId: z.string().nullable(),
  action: z.string(),
  subject: z.string().nullable(),
  ip: z.string(),
  requestId: z.string(),
  result: z.string(),
  attemptId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
