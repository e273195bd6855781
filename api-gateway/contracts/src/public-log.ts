import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { Seq } from './explorer.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'

/**
 * Returns the newest checkpoint. The endpoint is public, so that any client can compare later
 * checkpoints with this checkpoint.
 */
export const getPublicCheckpoint = declareEndpoint({
  method: 'GET',
  path: '/public/checkpoint',
  access: 'anyone',
  response: z.object({
    checkpoint: z.object({ size: Seq, note: z.string() }).nullable(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the receipt of the newest plan on offer, as an example that any visitor can verify. The
 * event in this receipt contains only public data: the terms, and the ids of the administrators who
 * decided.
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
  response: z.object({
    /**
     * The first key of the log, and the statements that name the later keys, in the format of
     * `openKeys`.
     */
    verifierKeys: z.array(z.string()),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
