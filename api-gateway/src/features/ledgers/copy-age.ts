import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { LabelledGaugeOptions } from '../../platform/metrics/metrics.ts'

/**
 * Creates the gauge of the age of the last complete copy of plans, rules and approvers to each
 * further ledger. A site with one ledger has no value.
 */
export function createCopyAgeGauge({
  db,
  clock,
}: Pick<Dependencies, 'db' | 'clock'>): LabelledGaugeOptions {
  let known: readonly string[] = []
  return {
    name: 'cairn_rule_copy_age_seconds',
    help: 'Seconds since plans, rules and approvers were last copied completely to the ledger, or since it was added; -1 if unknown',
    label: 'ledger',
    read: async () => {
      try {
        const ages = await readCopyAges(db, clock.now())
        known = [...ages.keys()]
        return ages
      } catch {
        return new Map(known.map((ledger) => [ledger, -1]))
      }
    },
  }
}

async function readCopyAges(db: Database, nowMs: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('platform.ledger')
    .select(['ledger_id', 'added_at', 'rules_copied_at'])
    .where('ledger_id', 'not in', db.selectFrom('platform.site').select('ledger_id'))
    .orderBy('ledger_id')
    .execute()
  return new Map(
    rows.map(({ ledger_id, added_at, rules_copied_at }) => {
      const sinceMs = (rules_copied_at ?? added_at).getTime()
      return [String(ledger_id), Math.max(0, Math.round((nowMs - sinceMs) / 1_000))]
    }),
  )
}
