import type { RuleCopy } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { runForEachLedger } from '../../platform/ledger-client/run-for-each-ledger.ts'
import { listFurtherLedgers } from '../../platform/ledger-client/site-ledger.ts'
import type { SiteLedgers } from '../../platform/ledger-client/site-ledgers.ts'

/** The table is written at most this often while nothing is copied. */
const WRITE_PAUSE_SECONDS = 10

/**
 * Returns a function that lets each further ledger of the site copy what it lacks of the plans, rules
 * and approvers of the first ledger. The ledger service copies from its own log; this process only
 * asks for it and records how far the copy is. A ledger that does not answer delays no other one.
 */
export function createRuleCopying(deps: {
  db: Database
  clock: Clock
  log: Logger
  signal: AbortSignal
  ledgers: Pick<SiteLedgers, 'first' | 'getOwnClient'>
}): () => Promise<void> {
  const { db, clock, log, signal, ledgers } = deps
  const { first } = ledgers

  async function copyTo(number: number): Promise<void> {
    for (;;) {
      const copy = await ledgers.getOwnClient(number).copyRules({ from: first })
      await recordCopy(db, { number, copy, nowMs: clock.now() })
      const isEnded = copy.through === copy.size || copy.problem !== null
      if (copy.problem !== null)
        log.warn({ ledger: number, problem: copy.problem }, 'rules not copied')
      if (isEnded || signal.aborted) return
    }
  }

  return async () => {
    // The list of `ledgers` can be some seconds old.
    const numbers = [first, ...(await listFurtherLedgers(db))]
    await runForEachLedger(numbers, (number) =>
      number === first ? recordFirstAnswer() : copyTo(number),
    )
  }

  async function recordFirstAnswer(): Promise<void> {
    await ledgers.getOwnClient(first).ask('head', { size: null })
    await recordAnswer(db, first, clock.now())
  }
}

async function recordCopy(
  db: Database,
  { number, copy, nowMs }: { number: number; copy: RuleCopy; nowMs: number },
): Promise<void> {
  const { through, size, problem } = copy
  const now = new Date(nowMs)
  const isComplete = problem === null && through === size
  await db
    .updateTable('platform.ledger')
    .set({
      rules_through: through,
      rules_problem: problem,
      answered_at: now,
      ...(isComplete && { rules_copied_at: now }),
    })
    .where('ledger_id', '=', number)
    .where(({ or, eb }) =>
      or([
        eb('rules_through', '!=', String(through)),
        sql<boolean>`rules_problem is distinct from ${problem}`,
        isRecordOld(now),
        // The copy has just become complete again.
        isComplete
          ? sql<boolean>`rules_copied_at is distinct from answered_at`
          : sql<boolean>`false`,
      ]),
    )
    .execute()
}

async function recordAnswer(db: Database, number: number, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await db
    .updateTable('platform.ledger')
    .set({ answered_at: now })
    .where('ledger_id', '=', number)
    .where(isRecordOld(now))
    .execute()
}

const isRecordOld = (now: Date) =>
  sql<boolean>`coalesce(answered_at, '-infinity') <= ${now}::timestamptz - make_interval(secs => ${WRITE_PAUSE_SECONDS})`
