import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { LedgerAmount, LedgerNumber, Seq } from './explorer.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { createWholeNumberField, Instant } from './fields.ts'
import { Moment } from './lists.ts'

const atQuery = z.strictObject({ ledger: LedgerNumber, at: Moment.optional() })

export const getTrialBalance = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/trial-balance',
  permission: 'ledger.read',
  request: z.strictObject({ query: atQuery }),
  response: z.object({
    at: Instant,
    /** The number of the last event that the balances include; `-1` before the first event. */
    seq: z.string(),
    rows: z.array(
      z.object({
        kind: z.string(),
        /** The asset, such as `EUR/2`, if it is not the currency of the site. */
        asset: z.string().optional(),
        balance: LedgerAmount,
      }),
    ),
    /**
     * The sum of the absolute totals of all assets. The total of an asset is the sum of its
     * balances. In a consistent ledger, each total is zero and therefore `sum` is zero.
     */
    sum: LedgerAmount,
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportTrialBalance = declareCsvEndpoint({
  path: '/admin/ledger/trial-balance.csv',
  permission: 'ledger.read',
  request: z.strictObject({ query: atQuery }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const LogCheckpoint = z.object({
  size: Seq,
  root: z.string(),
  /** The checkpoint as a signed note (C2SP tlog-checkpoint). */
  note: z.string(),
  signedAt: Instant,
})

export const listCheckpoints = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/checkpoints',
  permission: 'ledger.read',
  request: z.strictObject({
    query: z.strictObject({
      ledger: LedgerNumber,
      before: Seq.optional(),
      limit: createWholeNumberField('limit', { min: 1, max: 500 }).default(50),
    }),
  }),
  response: z.object({
    checkpoints: z.array(LogCheckpoint),
    verifierKeys: z.array(z.string()),
    meta: z.object({ next: Seq.nullable() }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportCheckpoints = declareCsvEndpoint({
  path: '/admin/ledger/checkpoints.csv',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Returns a proof that the log of `to` events starts with the log of `from` events. */
export const getConsistency = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/consistency',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber, from: Seq, to: Seq }) }),
  response: z.object({
    from: z.object({ size: Seq, root: z.string() }),
    to: z.object({ size: Seq, root: z.string() }),
    /** The hashes of the proof, hexadecimal, in the order of RFC 6962 section 2.1.2. */
    path: z.array(z.string()),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
