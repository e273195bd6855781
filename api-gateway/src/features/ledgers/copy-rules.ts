import type { LedgerClient, RuleCopy } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { listFurtherLedgers } from '../../platform/ledger-client/site-ledger.ts'

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
  /** The number of the first ledger. */
  first: number
  connect: (ledger: number) => LedgerClient
}): () => Promise<void> {
  const { db, clock, log, signal, first } = deps
  const clients = new Map<number, LedgerClient>()

  function getClient(number: number): LedgerClient {
    const client = clients.get(number) ?? deps.connect(number)
    clients.set(number, client)
    return client
  }

  async function copyTo(number: number): Promise<void> {
    for (;;) {
      const copy = await getClient(number).copyRules({ from: first })
      await recordCopy(db, { number, copy, nowMs: clock.now() })
      const isEnded = copy.through === copy.size || copy.problem !== null
      if (copy.problem !== null)
        log.warn({ ledger: number, problem: copy.problem }, 'rules not copied')
      if (isEnded || signal.aborted) return
    }
  }

  return async () => {
    const further = await listFurtherLedgers(db)
    const copying = [recordFirstAnswer(), ...further.map(copyTo)]
    for (const [place, result] of (await Promise.allSettled(copying)).entries()) {
      if (result.status === 'fulfilled' || signal.aborted) continue
      const ledger = further[place - 1] ?? first
      log.warn({ err: result.reason, ledger }, 'the ledger copied no rules')
    }
  }

  async function recordFirstAnswer(): Promise<void> {
    await getClient(first).ask('head', { size: null })
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
