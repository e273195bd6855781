import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { Seq } from './explorer.ts'
import { failure, LEDGER_ASKED } from './failures.ts'
import { Id, Instant } from './fields.ts'
import { Person } from './users.ts'

export const Verification = z.object({
  id: Id,
  _id: Id,
  requestedBy: z.string(),
  person: Person.optional(),
  startedAt: Instant,
  finishedAt: Instant.nullable(),
  /** `cut-off`: its process ended before it did. */
  state: z.enum(['running', 'agrees', 'differs', 'cut-off']),
  /** Trusted under its checkpoint, not read again. */
  since: Seq,
  /** Events read so far, of how many. */
  done: Seq,
  of: Seq,
  postings: Seq,
  checkpoints: z.int(),
  firstBadSeq: Seq.nullable(),
  problems: z.array(z.string()),
})
export type Verification = z.infer<typeof Verification>

/** Newest first, at most a hundred. */
export const listVerifications = endpoint({
  method: 'GET',
  path: '/admin/ledger/verifications',
  access: 'admin',
  response: z.object({ verifications: z.array(Verification) }),
  failures: [...LEDGER_ASKED],
})

export const exportVerifications = csvEndpoint({
  path: '/admin/ledger/verifications.csv',
  access: 'admin',
  failures: [...LEDGER_ASKED],
})

/** Reads the whole log anew, or from a checkpoint on; one run at a time. */
export const startVerification = endpoint({
  method: 'POST',
  path: '/admin/ledger/verifications',
  access: 'admin',
  request: z.strictObject({ body: z.strictObject({ since: Seq.default('0') }) }),
  status: 201,
  response: z.object({ verification: Verification }),
  failures: [...LEDGER_ASKED],
})

/** The whole log as text, which `npm run ledger -- verify-export` verifies without the database. */
export const exportLog = endpoint({
  method: 'GET',
  path: '/admin/ledger/export',
  access: 'admin',
  response: z.null(),
  answers: 'file',
  failures: [failure(409, 'NOT_SIGNED', 'Nothing is signed yet'), ...LEDGER_ASKED],
})
