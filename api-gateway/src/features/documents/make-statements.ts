import type { LedgerClient, SignedTrialBalance } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { getCursorName } from '../../platform/jobs/follower.ts'
import { createJobId } from '../../platform/jobs/job-id.ts'
import { runForEachLedger } from '../../platform/ledger-client/run-for-each-ledger.ts'
import type { SiteLedgers } from '../../platform/ledger-client/site-ledgers.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from '../../platform/mail/mail-job.ts'
import { statementFailures } from '../../platform/metrics/metrics.ts'
import type { Settings } from '../../platform/settings-store/site-settings.ts'
import { storeDocument } from './document-store.ts'
import { hasActivity, type MonthSpan, readMonthActivity } from './month-activity.ts'
import { writeStatement } from './statement.ts'

const MONTHS_BACK = 3
const PEOPLE_PER_RUN = 100
const MAILS_PER_PAGE = 1_000
/** A run ends after this number of failures in a row, so that an outage does not fill the log. */
const FAILURES_IN_ROW_MAX = 5
/** The time in milliseconds after which the statements of a month that failed are tried again. */
const RETRY_AFTER_MS = 3_600_000

interface StatementDependencies {
  db: Database
  ledgers: SiteLedgers
  clock: Clock
  settings: Settings
  boss: Pick<PgBoss, 'insert'>
  log: Logger
}

/** A ledger whose months are signed, with the numbers that its events have in it. */
interface SigningLedger {
  ledger: LedgerClient
  /** The number of the ledger. Null for the first ledger of the site. */
  further: number | null
}

interface DueMonth {
  trialBalance: SignedTrialBalance
  span: MonthSpan
}

/** One pass over the people of a month. */
interface Pass {
  /** The id of the last person whose statement was tried. */
  after: string
  hasFailures: boolean
  /** The month is skipped until this time. */
  waitUntilMs: number
}

const NEW_PASS: Pass = { after: '', hasFailures: false, waitUntilMs: 0 }

/**
 * Creates a job that makes the statements of signed months. Each ledger signs the months of its own
 * people. Each run handles a limited number of users of each ledger. The position is only in memory,
 * so a restarted job begins again, but no statement is made twice. A ledger that does not answer
 * delays only the statements of its people. A statement that fails is logged and counted, and delays
 * no other one: it is tried again until the month is older than `MONTHS_BACK`.
 */
export function createStatementMaker(deps: StatementDependencies): () => Promise<void> {
  const passes = new Map<string, Pass>()
  return async () => {
    const numbers = await deps.ledgers.list()
    await runForEachLedger(numbers, (number) => {
      const ledger = deps.ledgers.getOwnClient(number)
      const further = number === deps.ledgers.first ? null : number
      return makeStatements(deps, { signing: { ledger, further }, passes })
    })
  }
}

async function makeStatements(
  deps: StatementDependencies,
  { signing, passes }: { signing: SigningLedger; passes: Map<string, Pass> },
): Promise<void> {
  const getPass = (month: string) => passes.get(toCursor(month, signing)) ?? NEW_PASS
  const nowMs = deps.clock.now()
  const due = (await listDueMonths(deps.db, signing)).find(
    ({ trialBalance }) => getPass(trialBalance.month).waitUntilMs <= nowMs,
  )
  if (due === undefined) return
  const { month } = due.trialBalance
  const cursor = toCursor(month, signing)
  const pass = { ...getPass(month) }
  passes.set(cursor, pass)
  const { further } = signing
  const people = await listPeople(deps.db, { month, further, after: pass.after })
  if (people.length > 0) {
    await createStatements(deps, { people, due, ledger: signing.ledger, pass })
    return
  }
  await mailStatements(deps, { month, further })
  if (pass.hasFailures) {
    passes.set(cursor, { ...NEW_PASS, waitUntilMs: nowMs + RETRY_AFTER_MS })
    return
  }
  await markMonthAsDone(deps, { due, cursor })
  passes.delete(cursor)
}

/**
 * Creates the statements of the people, and moves the pass past each of them. Throws after several
 * failures in a row; the next run continues after these people.
 */
async function createStatements(
  deps: StatementDependencies,
  work: { people: readonly Person[]; due: DueMonth; ledger: LedgerClient; pass: Pass },
): Promise<void> {
  const { people, due, ledger, pass } = work
  let failures: unknown[] = []
  for (const person of people) {
    pass.after = person.id
    try {
      await createStatement(deps, { person, due, ledger })
      failures = []
    } catch (error) {
      pass.hasFailures = true
      statementFailures.inc()
      const { month } = due.trialBalance
      deps.log.error({ err: error, userId: person.id, month }, 'a statement was not made')
      failures.push(error)
      if (failures.length >= FAILURES_IN_ROW_MAX) {
        throw new AggregateError(failures, 'several statements in a row were not made')
      }
    }
  }
}

async function listDueMonths(db: Database, signing: SigningLedger): Promise<readonly DueMonth[]> {
  const page = { before: null, limit: MONTHS_BACK + 1 }
  const { trialBalances } = await signing.ledger.ask('trialBalances', page)
  const oldestFirst = trialBalances.toReversed()
  // A month begins at the size of the log at the end of the previous month. If the page is full, it
  // lacks the month before its oldest month. Its oldest month is therefore skipped.
  const first = oldestFirst.length > MONTHS_BACK ? 1 : 0
  const rows = await db
    .selectFrom('platform.cursor')
    .select('name')
    .where('name', 'like', 'statements.%')
    .execute()
  const done = new Set(rows.map(({ name }) => name))
  return oldestFirst
    .map((trialBalance, place) => {
      return {
        trialBalance,
        span: { from: oldestFirst[place - 1]?.size ?? 0n, to: trialBalance.size },
      }
    })
    .slice(first)
    .filter(({ trialBalance }) => !done.has(toCursor(trialBalance.month, signing)))
}

interface Person {
  id: string
  name: string
  email: string
  account_id: string
}

function listPeople(
  db: Database,
  { month, further, after }: { month: string; further: number | null; after: string },
): Promise<Person[]> {
  return db
    .selectFrom('identity.user as user')
    .select(['user.id', 'user.name', 'user.email', 'user.account_id'])
    .where('user.role', '=', 'user')
    .where('user.deleted_at', 'is', null)
    .where(belongsTo(further))
    .where('user.id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('platform.paper')
            .select('id')
            .where('kind', '=', 'statement')
            .where('subject', '=', month)
            .whereRef('investor_id', '=', 'user.id'),
        ),
      ),
    )
    .orderBy('user.id')
    .limit(PEOPLE_PER_RUN)
    .execute()
}

/** Returns the condition that the user belongs to the ledger. */
function belongsTo(further: number | null) {
  return further === null
    ? sql<boolean>`"user".ledger_id not in (
        select ledger_id from platform.ledger
        where ledger_id not in (select ledger_id from platform.site))`
    : sql<boolean>`"user".ledger_id = ${further}`
}

async function createStatement(
  deps: StatementDependencies,
  { person, due, ledger }: { person: Person; due: DueMonth; ledger: LedgerClient },
): Promise<void> {
  const { trialBalance, span } = due
  const activity = await readMonthActivity(ledger, { investorId: person.id, span })
  if (!hasActivity(activity)) return
  const { general } = await deps.settings.read()
  const { verifierKeys } = await ledger.ask('checkpoint', {})
  const nowMs = deps.clock.now()
  const bytes = await writeStatement({
    siteName: general.siteName,
    currency: general.defaultCurrency,
    timezone: general.timezone,
    siteUrl: general.siteUrl,
    reader: { name: person.name, email: person.email, accountId: person.account_id },
    month: trialBalance.month,
    book: activity,
    signature: trialBalance,
    verifierKeys,
    riskWarning: general.riskBanner.text,
    madeAtMs: nowMs,
  })
  const key = { kind: 'statement', investorId: person.id, subject: trialBalance.month } as const
  await storeDocument(deps.db, { ...key, bytes, nowMs })
}

/**
 * Queues the mail about the statement for users who want it, page by page. Repeated calls queue each
 * mail only once.
 */
async function mailStatements(
  { db, boss }: StatementDependencies,
  { month, further }: { month: string; further: number | null },
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('platform.paper as paper')
      .innerJoin('identity.user as user', 'user.id', 'paper.investor_id')
      .innerJoin('platform.preference as preference', 'preference.user_id', 'paper.investor_id')
      .select('paper.id')
      .where('paper.kind', '=', 'statement')
      .where('paper.subject', '=', month)
      .where('paper.id', '>', after)
      .where(belongsTo(further))
      .where(sql<boolean>`(preference.content ->> 'monthlyStatement')::boolean`)
      .orderBy('paper.id')
      .limit(MAILS_PER_PAGE)
      .execute()
    const last = page.at(-1)
    if (last === undefined) return
    const payloads = page.map(({ id }): MailPayload => ({ source: 'paper', paperId: id }))
    await boss.insert(
      MAIL_QUEUE,
      payloads.map((data) => ({ id: createJobId(getMailKey(data), 0n), data })),
    )
    after = last.id
  }
}

async function markMonthAsDone(
  { db, clock }: StatementDependencies,
  { due: { trialBalance }, cursor }: { due: DueMonth; cursor: string },
): Promise<void> {
  const updated_at = new Date(clock.now())
  await db
    .insertInto('platform.cursor')
    .values({ name: cursor, seq: trialBalance.size - 1n, updated_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function toCursor(month: string, { further }: Pick<SigningLedger, 'further'>): string {
  return getCursorName(`statements.${month}`, further)
}
