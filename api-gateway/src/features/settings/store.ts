import type { MoneyRules } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { addDefaults } from '../../platform/settings-store/site-settings.ts'
import type { Author } from './author.ts'
import { chooseCurrency } from './choose-currency.ts'
import { readRules, type Snapshot, toSnapshot } from './rules-and-content.ts'

/**
 * Locks the settings, so that only one change runs at a time. Otherwise the ledger could keep the
 * values of one change, and the row the values of a concurrent change.
 */
export async function lockSettingsRow(
  trx: Database,
  nowMs: number,
): Promise<{ version: number; content: unknown }> {
  await trx
    .insertInto('platform.setting')
    .values({
      id: 'site',
      version: 0,
      content: '{}',
      updated_at: new Date(nowMs),
      updated_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await trx
    .selectFrom('platform.setting')
    .select(['version', 'content'])
    .where('id', '=', 'site')
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function lockSettings(
  trx: Database,
  deps: Pick<Dependencies, 'isDemo' | 'ledger' | 'publicUrl'>,
  nowMs: number,
): Promise<Snapshot> {
  const row = await lockSettingsRow(trx, nowMs)
  const stored = addDefaults(row.content, deps)
  return toSnapshot(row.version, { stored, rules: await readRules(deps.ledger) })
}

/**
 * Stores the settings. The ledger is changed first, so that a fee that the ledger refuses is not
 * shown as saved.
 */
export async function writeSettings(
  trx: Database,
  { ledger }: Pick<Dependencies, 'ledger'>,
  { before, after, author }: { before: Snapshot; after: Snapshot; author: Author },
): Promise<void> {
  const { defaultCurrency } = after.shown.general
  const isChanged = before.shown.general.defaultCurrency !== defaultCurrency
  // The first save chooses even the default currency, so that the log contains an event for it.
  if (isChanged || before.version === 0) {
    await chooseCurrency(ledger, defaultCurrency, { author, isChanged })
  }
  if (areRulesChanged(before.rules, after.rules)) {
    const command = {
      type: 'SetMoneyRules',
      data: { rules: after.rules },
      effectiveAt: null,
    } as const
    const { actor, key, requestId } = author
    const approval = author.approve?.(command) ?? null
    await submit(ledger, { ...command, actor, key, requestId, approval })
  }
  await trx
    .updateTable('platform.setting')
    .set({
      version: before.version + 1,
      content: JSON.stringify(after.stored),
      updated_at: new Date(author.nowMs),
      updated_by: author.userId,
    })
    .where('id', '=', 'site')
    .execute()
}

function areRulesChanged(before: MoneyRules, after: MoneyRules): boolean {
  // The cast is safe because the rules are a flat object with exactly these keys.
  const names = Object.keys(after) as (keyof MoneyRules)[]
  return names.some((name) => before[name] !== after[name])
}
