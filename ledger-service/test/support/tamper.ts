import type { TestLedger } from './test-ledger.ts'

/**
 * Makes a change as a superuser. All triggers are disabled before the change and enabled again
 * after it, so that only the changed data reveals the change.
 */
export async function tamper(
  ledger: Pick<TestLedger, 'runSql'>,
  change: () => Promise<unknown>,
): Promise<void> {
  const triggers = await ledger.runSql<{ table: string; trigger: string }>(
    `select relname as table, tgname as trigger from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'ledger'::regnamespace and not tgisinternal`,
  )
  const setAllTriggers = async (state: 'disable' | 'enable always') => {
    for (const { table, trigger } of triggers) {
      await ledger.runSql(`alter table ledger.${table} ${state} trigger ${trigger}`)
    }
  }
  await setAllTriggers('disable')
  await change()
  await setAllTriggers('enable always')
}
