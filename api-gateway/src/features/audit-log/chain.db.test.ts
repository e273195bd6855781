import { AuditLineForm, createId } from '@cairn/ledger-contracts'
import { createChainChecker } from '@cairn/ledger-contracts/proof'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../testing/test-browser.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { recordAudit } from '../../platform/http/audit.ts'
import { auditWaitingSeconds } from '../../platform/metrics/metrics.ts'
import { appendToAuditChain, createAuditSealer, findChainHead, sealHead } from './sealer.ts'

const openAs = (url: string) => openDatabase({ url, applicationName: 'test', onError: () => {} })
const ENTRY = { actorId: null, subject: null, ip: '127.0.0.1', requestId: 'test', details: {} }

let gateway: TestGateway
let superuser: Database
/** A connection with the rights of the worker. The worker seals the rows. */
let worker: Database
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  superuser = openAs(gateway.databaseUrl)
  worker = openAs(gateway.workerUrl)
  admin = await visit(gateway, 'admin')
})
afterAll(async () => {
  await Promise.all([superuser.destroy(), worker.destroy()])
  await gateway.stop()
})

const clock = { now: () => Date.now() }

async function countUnchainedRows(): Promise<number> {
  const rows = await superuser
    .selectFrom('platform.audit')
    .select('id')
    .where('position', 'is', null)
    .execute()
  return rows.length
}

/**
 * Runs the sealer until all rows are in the chain. One run is not always enough, because the sealer
 * waits for open transactions of other tests on this server.
 */
async function appendAllToAuditChain(): Promise<void> {
  await vi.waitFor(
    async () => {
      await appendToAuditChain(worker)
      expect(await countUnchainedRows()).toBe(0)
    },
    { timeout: chooseTimeLimit(20_000), interval: 50 },
  )
}

async function writeRows(count: number, db: Database = gateway.db): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const details = { index, share: 0.5, text: 'é "quoted"\n' }
    await recordAudit(db, { ...ENTRY, action: 'template.test', details }, Date.now())
  }
}

async function sealChain(): Promise<void> {
  const head = await findChainHead(worker)
  if (head === null) throw new Error('there is no row')
  await sealHead(gateway.ledger, head)
}

interface Chain {
  checkedTo: number
  seal: { event: string; count: number } | null
  problem: { position: number; message: string } | null
  waiting: { count: number }
  next: object | null
}

async function readChainCheck(): Promise<Chain> {
  const { body } = await send(gateway, admin, { method: 'GET', path: '/admin/audit/chain' })
  return body.data?.chain as unknown as Chain
}

describe('the chain', () => {
  test('has every row once, matches, and is sealed in the ledger', async () => {
    await writeRows(20)
    await appendAllToAuditChain()
    await sealChain()
    const head = await findChainHead(worker)
    expect(await readChainCheck()).toMatchObject({
      checkedTo: head?.position,
      seal: { count: head?.position },
      problem: null,
      next: null,
    })
  })

  test('is exported with its hashes, and the rows that wait are at the end', async () => {
    await appendAllToAuditChain()
    await writeRows(2)
    const response = await fetch(`${gateway.url}/api/v1/admin/audit.jsonl`, {
      headers: { cookie: admin.cookie },
    })
    const lines = (await response.text()).trimEnd().split('\n')
    const rows = lines.map((line) => AuditLineForm.parse(JSON.parse(line)))
    const chained = rows.filter(({ position }) => position !== null)
    const checker = createChainChecker()
    for (const row of chained) expect(checker.add(row)).toBe(true)
    // The export contains two test rows and the row that records the attempt of this export.
    expect(rows.slice(chained.length).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['template.test', 'template.test', 'audit.export']),
    )
  })

  test('cannot be changed by the process that seals it, nor by the gateway', async () => {
    const change = sql`update platform.audit set hash = decode(repeat('00', 32), 'hex')`
    await expect(change.execute(worker)).rejects.toThrow('append-only')
    await expect(change.execute(gateway.db)).rejects.toThrow('permission denied')
    const erase = sql`update platform.audit set position = null, hash = null`
    await expect(erase.execute(worker)).rejects.toThrow('append-only')
    const insert = sql`insert into platform.audit
      (id, recorded_at, action, ip, request_id, result, details, position, hash)
      values ('x', now(), 'a', 'b', 'c', 'd', '{}', 999, decode(repeat('00', 32), 'hex'))`
    await expect(insert.execute(gateway.db)).rejects.toThrow('permission denied')
  })

  test('the sealer seals its head in the ledger, and the same head only once', async () => {
    const sealing = { ledger: gateway.ledger, clock, onChained: () => {} }
    const run = createAuditSealer({ ...sealing, db: worker })
    await writeRows(2)
    await run()
    const { seals } = await gateway.ledger.ask('auditSeals', { after: null, limit: 1_000 })
    // A new sealer repeats the command of the previous sealer, with the idempotency key of the
    // previous command.
    await createAuditSealer({ ...sealing, db: worker })()
    const { seals: again } = await gateway.ledger.ask('auditSeals', { after: null, limit: 1_000 })
    expect(again.length - seals.length).toBeLessThanOrEqual(1)
    const counts = again.map(({ count }) => count)
    expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => one - other))
  })

  test('a sealer that fails at each run reports how long it has not measured', async () => {
    await writeRows(1)
    const run = createAuditSealer({
      ledger: gateway.ledger,
      clock,
      db: worker,
      beforeChained: () => Promise.reject(new Error('the mail cannot be queued')),
      onChained: () => {},
    })
    auditWaitingSeconds.set(0)
    await vi.waitFor(() => expect(run()).rejects.toThrow('the mail cannot be queued'), {
      timeout: chooseTimeLimit(20_000),
      interval: 50,
    })
    const first = (await auditWaitingSeconds.get()).values[0]?.value ?? 0
    expect(first).toBeGreaterThan(0)
    await expect(run()).rejects.toThrow('the mail cannot be queued')
    expect((await auditWaitingSeconds.get()).values[0]?.value).toBeGreaterThan(first)
  })

  test('a session that keeps the lock of the sealer does not hide that rows wait', async () => {
    await writeRows(1)
    await appendAllToAuditChain()
    const onChained = vi.fn()
    const later = { now: () => Date.now() + 600_000 }
    const run = createAuditSealer({ ledger: gateway.ledger, clock: later, db: worker, onChained })
    await superuser.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('the sealer of platform.audit'))`.execute(trx)
      await writeRows(1)
      auditWaitingSeconds.set(0)
      // The first run seals the chain. Before that, the sealer does not know which rows are sealed.
      await run()
      await run()
    })
    expect(onChained).not.toHaveBeenCalled()
    expect((await auditWaitingSeconds.get()).values[0]?.value).toBeGreaterThanOrEqual(600)
    const head = await findChainHead(worker)
    const { seals } = await gateway.ledger.ask('auditSeals', { after: null, limit: 1_000 })
    expect(seals.map(({ count }) => count)).toContain(head?.position)
  })
})

describe('rows that are written while others seal', () => {
  test('from two gateways at once are all in the chain, each once', async () => {
    const [one, other] = [openAs(gateway.workerUrl), openAs(gateway.workerUrl)]
    let isWriting = true
    const sealing = [one, other].map(async (db) => {
      while (isWriting) await appendToAuditChain(db)
    })
    await Promise.all([writeRows(150), writeRows(150, superuser), writeRows(150)])
    isWriting = false
    await Promise.all(sealing)
    await appendAllToAuditChain()
    await Promise.all([one.destroy(), other.destroy()])
    const rows = await superuser.selectFrom('platform.audit').select('position').execute()
    const positions = rows.map(({ position }) => Number(position)).toSorted((a, b) => a - b)
    expect(positions).toEqual(positions.map((_, index) => index + 1))
    expect(await readChainCheck()).toMatchObject({ problem: null, checkedTo: rows.length })
  })

  /**
   * Inserts a row, and commits the row only after rows with greater ids. `sealRows` runs before the
   * late row is committed. Returns the id of the late row.
   */
  async function commitLateRow(sealRows: () => Promise<unknown>): Promise<string> {
    const begun = Promise.withResolvers<string>()
    const end = Promise.withResolvers<void>()
    const late = gateway.db.transaction().execute(async (trx) => {
      begun.resolve(
        await recordAudit(trx, { ...ENTRY, action: 'ledger.verify' }, Date.now() - 5_000),
      )
      await end.promise
    })
    const id = await begun.promise
    await writeRows(5)
    await sealRows()
    end.resolve()
    await late
    return id
  }

  const findPosition = async (id: string) =>
    await superuser
      .selectFrom('platform.audit')
      .select('position')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('a transaction that commits late is neither lost nor moves another row', async () => {
    await appendAllToAuditChain()
    const before = await findChainHead(worker)
    const id = await commitLateRow(async () => {
      await appendToAuditChain(worker)
      // While the late transaction is open, the sealer appends no row.
      expect(await findChainHead(worker)).toEqual(before)
    })
    await appendAllToAuditChain()
    expect((await findPosition(id)).position).not.toBeNull()
    expect(await readChainCheck()).toMatchObject({ problem: null })
  })

  test('sabotaged twin: a sealer that continues after the greatest id loses the late row', async () => {
    await appendAllToAuditChain()
    const seen = new Set<string>()
    let greatest = createId(Date.now() - 60_000)
    const sealRowsById = async () => {
      const rows = await worker
        .selectFrom('platform.audit')
        .select('id')
        .where('id', '>', greatest)
        .orderBy('id')
        .execute()
      for (const { id } of rows) seen.add(id)
      greatest = rows.at(-1)?.id ?? greatest
    }
    const id = await commitLateRow(sealRowsById)
    await sealRowsById()
    expect(seen.has(id)).toBe(false)
  })
})

describe('the check of the chain', () => {
  beforeAll(async () => {
    await appendAllToAuditChain()
    await sealChain()
    await sql`create table kept as select * from platform.audit`.execute(superuser)
    await sql`alter table platform.audit disable trigger all`.execute(superuser)
  })
  afterEach(async () => {
    await sql`truncate platform.audit`.execute(superuser)
    await sql`insert into platform.audit select * from kept`.execute(superuser)
    expect(await readChainCheck()).toMatchObject({ problem: null })
  })

  test('names a row that a superuser changed', async () => {
    await sql`update platform.audit set details = '{"index": 1}' where position = 7`.execute(
      superuser,
    )
    const message = 'row 7 does not match its hash'
    expect((await readChainCheck()).problem).toEqual({ position: 7, message })
  })

  test('names a deleted row, even at the end', async () => {
    await sql`delete from platform.audit where position = 9`.execute(superuser)
    expect((await readChainCheck()).problem).toEqual({ position: 9, message: 'row 9 is missing' })
    await sql`delete from platform.audit where position > 30`.execute(superuser)
    await sql`insert into platform.audit select * from kept where position = 9`.execute(superuser)
    expect((await readChainCheck()).problem?.message).toMatch(
      /^row 31 is missing: event \d+ sealed \d+ rows/,
    )
  })

  test('names an inserted row', async () => {
    await sql`alter table platform.audit drop constraint audit_position_key`.execute(superuser)
    await sql`update platform.audit set position = position + 1 where position >= 12`.execute(
      superuser,
    )
    await sql`insert into platform.audit
      select 'forged', recorded_at, actor_id, action, subject, ip, request_id, result, attempt_id,
        details, 12, hash from kept where position = 12`.execute(superuser)
    const { problem } = await readChainCheck()
    await sql`truncate platform.audit`.execute(superuser)
    await sql`alter table platform.audit add constraint audit_position_key unique (position)`.execute(
      superuser,
    )
    expect(problem).toEqual({ position: 12, message: 'row 12 does not match its hash' })
  })

  test('names two reordered rows', async () => {
    await sql`update platform.audit set position = case position when 14 then 9014 else 9015 end
      where position in (14, 15)`.execute(superuser)
    await sql`update platform.audit set position = case position when 9014 then 15 else 14 end
      where position in (9014, 9015)`.execute(superuser)
    const message = 'row 14 does not match its hash'
    expect((await readChainCheck()).problem).toEqual({ position: 14, message })
  })

  test('names the seal if all hashes were computed again after a change', async () => {
    await sql`update platform.audit set action = 'test.forged' where position = 5`.execute(
      superuser,
    )
    await sql`update platform.audit set position = null, hash = null`.execute(superuser)
    await appendAllToAuditChain()
    const { problem } = await readChainCheck()
    expect(problem?.message).toMatch(/^rows 1 to \d+ differ from the rows that event \d+ sealed$/)
  })

  test('sabotaged twin: without seals, computing all hashes again goes unnoticed', async () => {
    const { ask } = gateway.ledger
    gateway.ledger.ask = ((name: string, request: never) =>
      name === 'auditSeals'
        ? Promise.resolve({ seals: [] })
        : ask(name as 'auditSeals', request)) as typeof ask
    await sql`update platform.audit set action = 'test.forged' where position = 5`.execute(
      superuser,
    )
    await sql`update platform.audit set position = null, hash = null`.execute(superuser)
    await appendAllToAuditChain()
    const { problem } = await readChainCheck()
    gateway.ledger.ask = ask
    expect(problem).toBeNull()
  })
})
