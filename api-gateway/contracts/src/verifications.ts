import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, JSON_LINES } from './endpoint.ts'
import { LedgerNumber, Seq } from './explorer.ts'
import { declareFailure, LEDGER_QUERY_FAILURES } from './failures.ts'
import { Id, Instant } from './fields.ts'
import { Person } from './users.ts'

export const Verification = z.object({
  id: Id,
  _id: Id,
  requestedBy: z.string(),
  person: Person.optional(),
  startedAt: Instant,
  finishedAt: Instant.nullable(),
  /** `cut-off` means that the process ended before the verification was complete. */
  state: z.enum(['running', 'agrees', 'differs', 'cut-off']),
  /**
   * The size of the checkpoint that the verification trusts. The verification does not read the
   * events before this size.
   */
  since: Seq,
  /** The number of events that the verification has read so far, and the total number of events. */
  done: Seq,
  of: Seq,
  postings: Seq,
  checkpoints: z.int(),
  firstBadSeq: Seq.nullable(),
  problems: z.array(z.string()),
})
export type Verification = z.infer<typeof Verification>

type Finished<Run> = Run & { state: 'agrees' | 'differs' }
type AnyRun = Pick<Verification, 'state'> & { since: string | bigint; done: string | bigint }

/**
 * Returns the run that decides whether the ledger agrees: the newest run that has a result, or an
 * earlier run with a difference in events that no later run has read; null if no run has a result.
 * An earlier run that has read no events, because it could not be run, is settled by any later one.
 * A run that is in progress or was interrupted says nothing about the ledger. `runs` has the newest
 * run first.
 */
export function findDecidingRun<Run extends AnyRun>(runs: readonly Run[]): Finished<Run> | null {
  const results = runs.filter(hasResult)
  const differing = results.find(({ state, since, done }, place) => {
    if (state !== 'differs') return false
    const hasRead = BigInt(done) > 0n
    return results.slice(0, place).every((run) => hasRead && BigInt(run.since) > BigInt(since))
  })
  return differing ?? results[0] ?? null
}

function hasResult<Run extends AnyRun>(run: Run): run is Finished<Run> {
  return run.state === 'agrees' || run.state === 'differs'
}

/** The value of `requestedBy` for the run that the platform starts every night. */
export const NIGHTLY_VERIFICATION = 'system:nightly-verification'

/** Lists at most 100 verifications, newest first. */
export const listVerifications = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/verifications',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  response: z.object({
    verifications: z.array(Verification),
    /**
     * The time at which the ledger passed its last start check; null if the ledger started without
     * this check.
     */
    startCheckedAt: Instant.nullable(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportVerifications = declareCsvEndpoint({
  path: '/admin/ledger/verifications.csv',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Verifies the whole log, or the part after a checkpoint. Only one verification can run at a time.
 */
export const startVerification = declareEndpoint({
  method: 'POST',
  path: '/admin/ledger/verifications',
  permission: 'ledger.verify',
  request: z.strictObject({
    body: z.strictObject({ since: Seq.default('0'), ledger: LedgerNumber }),
  }),
  status: 201,
  response: z.object({ verification: Verification }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the whole log as text. `npm run ledger -- verify-export` verifies the text without the
 * database.
 */
export const exportLog = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/export',
  permission: 'ledger.export',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  response: z.null(),
  answers: 'file',
  fileTypes: JSON_LINES,
  failures: [
    declareFailure(409, 'NOT_SIGNED', 'No checkpoint has been signed yet'),
    ...LEDGER_QUERY_FAILURES,
  ],
})
