import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LedgerNumber, Seq } from './explorer.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'

/**
 * Returns the newest checkpoint. The endpoint is public, so that any client can keep this
 * checkpoint and compare it with the checkpoints that follow.
 */
export const getPublicCheckpoint = declareEndpoint({
  method: 'GET',
  path: '/public/checkpoint',
  access: 'anyone',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  response: z.object({
    checkpoint: z.object({ size: Seq, note: z.string() }).nullable(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the receipt of the newest plan on offer, as an example that any visitor can verify. The
 * plan's event contains only public data: the terms, and the ids of the administrators who decided
 * on the plan.
 */
export const getSampleReceipt = declareEndpoint({
  method: 'GET',
  path: '/public/sample-receipt',
  access: 'anyone',
  response: z.object({
    /** The receipt as a `tlog-proof` file; null while no plan is on offer. */
    receipt: z.string().nullable(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const getLogKey = declareEndpoint({
  method: 'GET',
  path: '/public/log-key',
  access: 'anyone',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  response: z.object({
    /**
     * The first key of the log, and the signed handovers that name all keys after it, in the format
     * of `openKeys`.
     */
    verifierKeys: z.array(z.string()),
    /**
     * The numbers of the ledgers of the site, the first one first. Missing if the site has only one.
     */
    ledgers: z.array(z.int()).optional(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the result of the newest verification that has one, so that an investor also sees when the
 * operator last compared the ledger with its log, and whether a difference was found.
 */
export const getLastVerification = declareEndpoint({
  method: 'GET',
  path: '/public/verification',
  access: 'anyone',
  response: z.object({
    /**
     * The oldest newest result of the ledgers of the site, or one that found a difference. Null
     * before each ledger has a result.
     */
    verification: z.object({ startedAt: Instant, state: z.enum(['agrees', 'differs']) }).nullable(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
