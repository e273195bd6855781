import type { Statement } from '@cairn/gateway-contracts'
import type { RulesInForce } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { listLedgerClients } from '../../platform/ledger-client/requested-ledger.ts'
import type { StoredSettings } from '../../platform/settings-store/site-settings.ts'
import {
  type BookCoverage,
  joinCoverages,
  listCash,
  readBooks,
  sumPaymentAccounts,
} from '../reserve/index.ts'
import { measureDecisionTimes } from './decisions.ts'

export interface StatedClaim {
  statement: z.output<typeof Statement>
  statedBy: string
  statedAt: Date
  approvedBy: string
  approvedAt: Date
}

/** The data that the rules of all claims need, from one point in time. */
export interface ClaimFacts {
  nowMs: number
  isDemo: boolean
  book: BookCoverage
  /** The cash in the accounts of the payment options, without the treasury. */
  paymentAccountsMinor: bigint
  rules: RulesInForce
  settings: StoredSettings
  /** The newest attestation, which two administrators approved. */
  attestation: { asOf: string; assetsMinor: bigint; confirmedAt: Date } | null
  /** The time from request to decision in milliseconds, over the last 30 days. */
  decisions: { count: number; medianMs: number; p90Ms: number }
  /** The time from the recording of an event to its delivery to open pages, in milliseconds. */
  deliveries: { count: number; p90Ms: number }
  /** The share of accounts with a second factor, in per cent. */
  secondFactorShare: number
  /**
   * States whether an action that weakens a control or moves much money needs one administrator or
   * two.
   */
  dualControl: 'required' | 'single'
  stated: ReadonlyMap<string, StatedClaim>
}

export async function readFacts(deps: Dependencies, nowMs: number): Promise<ClaimFacts> {
  const listed = await listLedgerClients(deps)
  const [books, { rules }, { mode: dualControl }, settings, attestation, ...measured] =
    await Promise.all([
      readBooks(listed),
      deps.ledger.ask('rules', {}),
      deps.ledger.ask('controls', { now: new Date(nowMs).toISOString() }),
      deps.settings.read(),
      findAttestation(deps),
      measureDecisionTimes(deps, nowMs),
      measureSecondFactors(deps),
      listCash(listed),
      listStatedClaims(deps),
    ])
  const [decisions, secondFactorShare, cash, stated] = measured
  const book = joinCoverages(books.map(({ coverage }) => coverage))
  const { isDemo } = deps
  return {
    nowMs,
    isDemo,
    book,
    paymentAccountsMinor: sumPaymentAccounts(cash),
    rules,
    settings,
    attestation,
    decisions,
    deliveries: deps.live.measureDeliveries(),
    secondFactorShare,
    dualControl,
    stated,
  }
}

async function findAttestation({ db }: Dependencies): Promise<ClaimFacts['attestation']> {
  const row = await db
    .selectFrom('platform.attestation')
    .select([sql<string>`as_of::text`.as('asOf'), 'assets_minor', 'confirmed_at'])
    .orderBy('as_of', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { asOf, assets_minor, confirmed_at: confirmedAt } = row
  return { asOf, assetsMinor: BigInt(assets_minor), confirmedAt }
}

async function measureSecondFactors({ db }: Dependencies): Promise<number> {
  const { share } = await db
    .selectFrom('identity.user')
    .select(
      sql<number>`coalesce(100 * count(*) filter (where mfa_enabled_at is not null)
        / nullif(count(*), 0), 0)::int`.as('share'),
    )
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return share
}

async function listStatedClaims({ db }: Dependencies): Promise<ClaimFacts['stated']> {
  const rows = await db.selectFrom('platform.claim').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.key,
      {
        // The cast is safe because `stateClaim` stored a parsed statement.
        statement: row.content as z.output<typeof Statement>,
        statedBy: row.stated_by,
        statedAt: row.stated_at,
        approvedBy: row.approved_by,
        approvedAt: row.approved_at,
      },
    ]),
  )
}
