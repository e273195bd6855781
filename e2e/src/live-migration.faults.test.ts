import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { COMMANDS_PER_REQUEST_MAX, type Command, createId } from '@cairn/ledger-contracts'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import { migrate } from '@cairn/migrations'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../api-gateway/testing/test-gateway.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { chooseFailedMax, runUnderLoad } from './load.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'
import { type Checkout, checkOut, findObstacle, readReleases } from './previous-version.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** The events of the log before the migration. The scorecard sets 100,000. */
const EVENTS = Number(process.env.TORTURE_MIGRATED_EVENTS ?? 1_000)
const STEADY_MS = 500
const CLIENTS = 4
const STALL_MS_MAX = 2_000
const LOCKED_MS = 2_500
const FAILED_MAX = chooseFailedMax(0)
/** A migration of a next version: an index over all events, and a column of the gateway's. */
const NEXT = { name: '9999_expand_note.sql', index: 'event_by_type_for_test' }
const NEXT_SQL = `
  create index ${NEXT.index} on ledger.event (ledger_id, type);
  alter table platform.keyed_request add column note text;
`

const release = readReleases().at(-1)
if (release === undefined) throw new Error('releases.json names no version')
const obstacle = findObstacle(release)
if (obstacle !== null) console.warn(`skipped: ${obstacle}`)

describe.skipIf(obstacle !== null)('T43 a platform in use', () => {
  let previous: Checkout
  let pair: PairedServices
  let folder: string

  beforeAll(async () => {
    previous = await checkOut(release.commit)
    pair = await startPairedServices(previous.root)
    await addEvents(EVENTS)
    folder = await mkdtemp(join(tmpdir(), 'cairn-migrations-'))
    await cp(join(ROOT, 'migrations', 'sql'), folder, { recursive: true })
    await writeFile(join(folder, NEXT.name), NEXT_SQL)
  })
  afterAll(async () => {
    await pair?.remove()
    await previous?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function addEvents(count: number): Promise<void> {
    for (let added = 0; added < count; added += COMMANDS_PER_REQUEST_MAX) {
      const commands = Array.from({ length: COMMANDS_PER_REQUEST_MAX }, createFunding)
      const answers = await pair.ledger.submitBriefly(commands)
      expect(answers.filter(({ outcome }) => outcome !== 'recorded')).toEqual([])
    }
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: pair.database.url })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Returns a hash of the first events and of the balances that follow from them. */
  async function readBooks(size: number): Promise<unknown> {
    const [books] = await query(
      `select
         (select encode(sha256(string_agg(leaf_hash, ''::bytea order by seq)), 'hex')
          from ledger.event where ledger_id = 1 and seq < $1) as events,
         (select jsonb_object_agg(account, sum) from (
            select account, sum(amount_minor)::text as sum from ledger.posting
            where ledger_id = 1 and seq < $1 group by account) as totals) as balances,
         (select sum(amount_minor)::text from ledger.posting
          where ledger_id = 1 and seq < $1) as total`,
      [size],
    )
    return books
  }

  /** Replaces each ledger and each gateway by the version in the folder. */
  async function replaceAll(root: string): Promise<void> {
    for (const one of [...pair.services.ledgers, ...pair.services.gateways]) {
      await one.end('SIGTERM')
      await one.start(root)
      await delay(STEADY_MS)
    }
  }

  test('is migrated, and goes to the next version and back: no payment fails, waits or is lost', async ({
    task,
  }) => {
    const [{ size } = { size: 0 }] = await query<{ size: number }>(
      'select size::int as size from ledger.head where ledger_id = 1',
    )
    expect(size).toBeGreaterThanOrEqual(EVENTS)
    const booksBefore = await readBooks(size)
    expect(booksBefore).toMatchObject({ total: '0' })
    const balanceBefore = await pair.readBalance()
    const site = { ...pair.people, gateways: pair.services.gateways, clients: CLIENTS }
    const load = await runUnderLoad(site, async () => {
      await delay(STEADY_MS)
      expect(await migrate({ databaseUrl: pair.database.url, folder })).toEqual([NEXT.name])
      // The previous version runs on the tables of the next one.
      await delay(STEADY_MS)
      await replaceAll(ROOT)
      // In `npm test`, the test of two versions beside each other also goes back.
      if (JUDGES_TIMES) await replaceAll(previous.root)
    })
    recordFigure(
      task,
      `${size} events: ${load.paid} payments, ${load.failed} of ${load.calls} calls failed, longest wait between two payments ${Math.round(load.longestStallMs)} ms`,
    )
    expect(await pair.readBalance()).toBe(balanceBefore + BigInt(load.paid) * 100n)
    expect(load.paid).toBeGreaterThan(0)
    expect(load.failed / load.calls).toBeLessThanOrEqual(FAILED_MAX)
    if (JUDGES_TIMES) expect(load.longestStallMs).toBeLessThanOrEqual(STALL_MS_MAX)
    expect(await readBooks(size)).toEqual(booksBefore)
    // Neither version knows the index, which `verify` therefore would report.
    await query(`drop index ledger.${NEXT.index}`)
    for (const root of [ROOT, previous.root]) {
      expect(await pair.verify(root)).toContain('no difference found')
    }
  })

  test('sabotaged twin: a migration that locks the events lets the payments wait', async ({
    task,
  }) => {
    const site = { ...pair.people, gateways: pair.services.gateways, clients: CLIENTS }
    const load = await runUnderLoad(site, async () => {
      await delay(STEADY_MS)
      await query(
        `do $$ begin
           lock table ledger.event in share row exclusive mode;
           perform pg_sleep(${LOCKED_MS / 1_000});
         end $$`,
      )
      await delay(STEADY_MS)
    })
    expect(load.longestStallMs).toBeGreaterThan(STALL_MS_MAX)
    recordFigure(task, `longest wait between two payments ${Math.round(load.longestStallMs)} ms`)
  })

  test('sabotaged twin: a migration that renames a column fails the payments of running processes', async () => {
    await query('alter table platform.keyed_request rename column body to content')
    const [gateway] = pair.services.gateways
    if (gateway === undefined) throw new Error('no gateway was started')
    const headers = { 'idempotency-key': 'after-the-migration' }
    const body = { wallet_type: 'balance', amount: '1.00', reason: 'load' }
    const path = `/users/${pair.people.investorId}/wallets`
    const answer = await send(gateway, pair.people.admin, { method: 'PATCH', path, body, headers })
    expect(answer.status).toBeGreaterThanOrEqual(500)
  })
})

function createFunding(): Command {
  return {
    type: 'FundReserve',
    data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  }
}
