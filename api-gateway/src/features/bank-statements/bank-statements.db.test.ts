import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BankLine, BankStatement, CashAccount, CashMovement } from '@cairn/gateway-contracts'
import { formatReference, TREASURY } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { type Reply, send } from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { rewindCursorsToForks } from '../../platform/jobs/rewind-cursors.ts'
import { createCashFollower } from './cash-movements.ts'

let scene: Scene
let worker: Database
let option: string
let folder: string
let today: string
const HEAD = 'Date,Amount,Reference,Balance'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-clock-'))
  const clockFile = join(folder, 'clock')
  const nowMs = Date.now()
  today = new Date(nowMs).toISOString().slice(0, 10)
  // The clock of the ledger starts at noon, so that all movements are of the same day.
  await writeFile(clockFile, String(Date.parse(`${today}T12:00Z`) - nowMs))
  scene = await startScene({ CAIRN_CLOCK_FILE: clockFile })
  worker = openDatabase({
    url: scene.gateway.workerUrl,
    applicationName: 'test',
    onError: () => {},
  })
  const row = await scene.gateway.db
    .selectFrom('platform.payment_option')
    .select('id')
    .executeTakeFirstOrThrow()
  option = row.id
})
afterAll(async () => {
  await worker?.destroy()
  await scene?.gateway.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the follower until it has processed all events. */
async function runFollower(): Promise<void> {
  const { ledger, deps } = scene.gateway
  const { size } = await ledger.ask('head', { size: null })
  const follower = createCashFollower()
  for (;;) {
    const cursor = await worker
      .selectFrom('platform.cursor')
      .select('seq')
      .where('name', '=', follower.name)
      .executeTakeFirst()
    if (BigInt(cursor?.seq ?? -1) >= size - 1n) return
    await followOnce(
      { db: worker, ledger, clock: deps.clock },
      follower,
      new AbortController().signal,
    )
  }
}

function upload(path: string, text: string | Buffer, fields = {}, visitor = scene.admin) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  const bytes = new Uint8Array(Buffer.from(text))
  form.set('file', new Blob([bytes], { type: 'text/csv' }), 'statement.csv')
  return send(scene.gateway, visitor, { method: 'POST', path, form })
}

function importLines(lines: readonly string[], to = option): Promise<Reply> {
  return upload(`/admin/cash/${to}/statements`, [HEAD, ...lines].join('\n'))
}

async function listLines(state: string, of = option): Promise<BankLine[]> {
  const path = `/admin/cash/${of}/lines?limit=200&state=${state}`
  return (await expectOk<{ lines: BankLine[] }>(scene.call(scene.admin, 'GET', path))).lines
}

async function readAccount(of = option): Promise<CashAccount> {
  const reply = scene.call(scene.admin, 'GET', `/admin/cash/${of}`)
  return (await expectOk<{ account: CashAccount }>(reply)).account
}

async function runAsSuperuser(work: (superuser: Database) => Promise<unknown>): Promise<void> {
  const { databaseUrl: url } = scene.gateway
  const superuser = openDatabase({ url, applicationName: 'intruder', onError: () => {} })
  await work(superuser).finally(() => superuser.destroy())
}

/** Approves a deposit of the test investor, and returns the reference of the deposit. */
async function approveDeposit(amount: string): Promise<string> {
  const id = await scene.deposit(scene.investor, amount)
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`))
  await runFollower()
  return formatReference(id)
}

test('a statement is compared with the ledger, its lines are stored once, and no money moves', async () => {
  await runFollower()
  const reference = await approveDeposit('250.50')
  const { events } = await scene.gateway.ledger.events({ after: -1n, waitSeconds: 0, limit: 500 })
  const commands = scene.gateway.ledger.commands.length
  const lines = [
    `${today},500.00,opening deposit,500.00`,
    `${today},250.50,ref ${reference.toLowerCase()},750.50`,
    `${today},-20.00,card fee,730.50`,
  ]
  const first = await expectOk<{ statement: BankStatement; matched: number }>(importLines(lines))
  expect(first.matched).toBe(2)
  expect(first.statement).toMatchObject({ lines: 3, linesAdded: 3, opening: 0, closing: 730.5 })
  expect(first.statement).toMatchObject({ booksOpening: 0, booksClosing: 750.5 })
  const overlapping = [...lines.slice(1), `${today},-5.00,card fee,725.50`]
  const second = await expectOk<{ statement: BankStatement }>(importLines(overlapping))
  expect(second.statement).toMatchObject({ lines: 3, linesAdded: 1 })
  expect(await listLines('all')).toHaveLength(4)
  expect((await listLines('open')).map(({ amount }) => amount).toSorted()).toEqual([-20, -5])
  expect(await readAccount()).toMatchObject({ balance: 750.5, openLines: 2, openLinesAmount: -25 })
  const headers = { cookie: scene.admin.cookie }
  const path = `/api/v1/admin/cash/${option}/lines.csv?state=open`
  const file = await (await fetch(`${scene.gateway.url}${path}`, { headers })).text()
  expect(file.split('\n').slice(1, 3).toSorted()).toEqual([
    `${today},-20.00,card fee,no,,,,,,,`,
    `${today},-5.00,card fee,no,,,,,,,`,
  ])
  expect(scene.gateway.ledger.commands.length).toBe(commands)
  const { size } = await scene.gateway.ledger.ask('head', { size: null })
  expect(size).toBe(BigInt(events.length))
})

test('a statement that is not sorted by its date covers the days from the smallest to the largest', async () => {
  const rows = ['2026-10-20,3.00,b', '2026-10-02,2.00,a', '2026-10-29,4.00,d', '2026-10-25,1.00,c']
  const text = ['Date,Amount,Reference', ...rows].join('\n')
  const path = `/admin/cash/${TREASURY}/statements`
  const { statement } = await expectOk<{ statement: BankStatement }>(upload(path, text))
  expect(statement).toMatchObject({ firstDay: '2026-10-02', lastDay: '2026-10-29', opening: null })
})

test('two imports at once store each line once', async () => {
  const lines = Array.from({ length: 40 }, (_, nth) => `${today},${nth + 1}.01,at once,`)
  const before = (await listLines('all')).length
  const replies = await Promise.all(Array.from({ length: 4 }, () => importLines(lines)))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(await listLines('all')).toHaveLength(before + 40)
  const added = replies.map(({ body }) => body.data?.statement)
  const sum = added.reduce((all, one) => all + (one as unknown as BankStatement).linesAdded, 0)
  expect(sum).toBe(40)
})

describe('pairs', () => {
  test('an ambiguous line is left to a person, who needs a reason for a match and can undo the match', async () => {
    const references = [await approveDeposit('77.00'), await approveDeposit('77.00')]
    await expectOk(importLines([`${today},77.00,somebody,`]))
    const [line] = (await listLines('open')).filter(({ amount }) => amount === 77)
    const path = `/admin/bank_lines/${line?.id}`
    const { candidates } = await expectOk<{ candidates: CashMovement[] }>(
      scene.call(scene.admin, 'GET', `${path}/candidates`),
    )
    const near = candidates.filter(({ amount }) => amount === 77)
    expect(near.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted())
    const [seq, otherSeq] = near.map((one) => one.seq)
    const matchLine = (body: object) => scene.call(scene.admin, 'PATCH', `${path}/match`, body)
    expect((await matchLine({ seq })).status).toBe(400)
    expect((await matchLine({ seq: '999999', reason: 'x' })).status).toBe(404)
    await expectOk(matchLine({ seq, reason: 'The payer confirmed it' }))
    expect((await matchLine({ seq, reason: 'again' })).status).toBe(200)
    expect((await matchLine({ seq: otherSeq, reason: 'the other' })).status).toBe(409)
    const [matched] = (await listLines('matched')).filter(({ id }) => id === line?.id)
    expect(matched?.match).toMatchObject({ reason: 'The payer confirmed it', difference: 0 })
    expect(matched?.match?.person?.id).toBe(scene.admin.userId)
    await expectOk(
      scene.call(scene.second, 'PATCH', `${path}/unmatch`, { reason: 'It was the other' }),
    )
    expect((await listLines('open')).map(({ id }) => id)).toContain(line?.id)
    const { entries } = await expectOk<{
      entries: { action: string; result: string; details: object }[]
    }>(scene.call(scene.admin, 'GET', `/admin/audit?subject=${line?.id}`))
    expect(entries.map(({ action, result }) => `${action} ${result}`)).toEqual([
      'bank-line.unmatch success',
      'bank-line.match MATCHED',
      'bank-line.match success',
      'bank-line.match success',
      'bank-line.match NOT_FOUND',
    ])
    expect(entries[0]?.details).toMatchObject({ movement: seq, reason: 'It was the other' })
  })

  test('a payment that arrived twice is not matched, although both lines name the deposit', async () => {
    const reference = await approveDeposit('91.00')
    await expectOk(
      importLines([`${today},91.00,${reference},`, `${today},91.00,again ${reference},`]),
    )
    expect((await listLines('open')).filter(({ amount }) => amount === 91)).toHaveLength(2)
  })

  test('a movement is matched with only one line, even if two people match it at once', async () => {
    await approveDeposit('88.00')
    await expectOk(importLines([`${today},88.01,one,`, `${today},88.02,two,`]))
    const lines = (await listLines('open')).filter(({ amount }) => amount > 88 && amount < 89)
    const [line] = lines
    const path = `/admin/bank_lines/${line?.id}/candidates`
    const { candidates } = await expectOk<{ candidates: CashMovement[] }>(
      scene.call(scene.admin, 'GET', path),
    )
    const seq = candidates.find(({ amount }) => amount === 88)?.seq
    const replies = await Promise.all(
      lines.map(({ id }, nth) =>
        scene.call(
          nth === 0 ? scene.admin : scene.second,
          'PATCH',
          `/admin/bank_lines/${id}/match`,
          {
            seq,
            reason: 'The bank kept some cents',
          },
        ),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [matched] = (await listLines('matched')).filter(
      ({ amount }) => amount > 88 && amount < 89,
    )
    expect([0.01, 0.02]).toContain(matched?.match?.difference)
  })

  test('a deposit that is approved later is found by the next run', async () => {
    const reference = await approveDeposit('64.00')
    await expectOk(importLines([`${today},64.00,later,`]))
    expect((await listLines('matched')).map(({ amount }) => amount)).toContain(64)
    const movements = await expectOk<{ movements: CashMovement[] }>(
      scene.call(scene.admin, 'GET', `/admin/cash/${option}/movements`),
    )
    expect(movements.movements.map((one) => one.reference)).not.toContain(reference)
    await approveDeposit('65.00')
    const open = await readAccount()
    await expectOk(importLines([`${today},65.00,,`]))
    expect((await readAccount()).openMovements).toBe(open.openMovements - 1)
    const again = await expectOk(scene.call(scene.admin, 'POST', `/admin/cash/${option}/match`))
    expect(again).toEqual({ matched: 0 })
  })
})

describe('a refused import', () => {
  test('has an unknown account, an invalid file or invalid columns', async () => {
    const line = `${HEAD}\n${today},1.00,x,1.00\n`
    expect((await upload('/admin/cash/00000000000000000000/statements', line)).status).toBe(404)
    expect((await upload('/admin/cash/elsewhere/statements', line)).status).toBe(404)
    const path = `/admin/cash/${option}/statements`
    expect(
      (await send(scene.gateway, scene.admin, { method: 'POST', path, body: {} })).status,
    ).toBe(400)
    expect((await upload(path, line, { date: '77' })).status).toBe(400)
    const picture = await upload(path, scene.picture)
    expect(picture).toMatchObject({ status: 422, body: { code: 'STATEMENT_UNREADABLE' } })
    expect((await upload(path, Buffer.alloc(2 * 1024 * 1024 + 1, 'x'))).status).toBe(413)
    expect((await upload(path, line, {}, scene.investor)).status).toBe(403)
    const before = (await listLines('all')).length
    expect((await importLines([`${today},9.00,good,`, `${today},many,bad,`])).status).toBe(422)
    expect(await listLines('all')).toHaveLength(before)
  })

  test('is explained by a preview that stores nothing', async () => {
    const before = (await listLines('all')).length
    const path = `/admin/cash/${option}/statements/preview`
    const { preview } = await expectOk<{ preview: Record<string, unknown> }>(
      upload(path, 'Date,Amount,Text\n03/04/2026,12.00,=1+1\n'),
    )
    expect(preview).toMatchObject({
      isDayOrderOpen: true,
      lines: 1,
      columns: { date: 0, amount: 1 },
    })
    expect(preview.problem).toContain('03/04')
    expect(await listLines('all')).toHaveLength(before)
  })
})

test.each([
  'lines?after=2026-02-30~0123456789abcdefghjk',
  'lines?after=2026-02-20~x',
  'lines?after=0123456789abcdefghjk',
  'movements?after=2026-02-30~1',
  'movements?after=2026-02-20~one',
  'movements?after=',
])('the cursor of %s is refused, and not ignored', async (page) => {
  const reply = await scene.call(scene.admin, 'GET', `/admin/cash/${option}/${page}`)
  expect(reply).toMatchObject({
    status: 400,
    body: { message: 'after must be the value of meta.next' },
  })
})

test('pages of lines that each begin after the last one are the whole list', async () => {
  type Page = { lines: BankLine[]; meta: { next: string | null } }
  const pages: BankLine[] = []
  for (let after = ''; ; ) {
    const path = `/admin/cash/${option}/lines?limit=2${after}`
    const { lines, meta } = await expectOk<Page>(scene.call(scene.admin, 'GET', path))
    pages.push(...lines)
    if (meta.next === null) break
    after = `&after=${meta.next}`
  }
  expect(pages.map(({ id }) => id)).toEqual((await listLines('all')).map(({ id }) => id))
})

test('an old statement can be imported although the list has 200 newer ones', async () => {
  await runAsSuperuser((superuser) =>
    sql`insert into platform.bank_statement
      select 'newer' || n, option, file_sha256, first_on + 30, last_on + 30, opening_minor,
        closing_minor, lines, lines_added, imported_by, imported_at
      from (select * from platform.bank_statement where option = ${option} limit 1) known,
        generate_series(1, 200) n`.execute(superuser),
  )
  const old = await expectOk<{ statement: BankStatement }>(importLines(['2026-01-05,1.00,old,']))
  expect(old.statement).toMatchObject({ firstDay: '2026-01-05', linesAdded: 1 })
})

test('a line whose movement was lost is open again, and a new movement has its number', async () => {
  const reference = await approveDeposit('66.00')
  await expectOk(importLines([`${today},66.00,ref ${reference.toLowerCase()},`]))
  const isOpen = async () => (await listLines('open')).some(({ amount }) => amount === 66)
  expect(await isOpen()).toBe(false)
  const { ledger, deps } = scene.gateway
  const { size } = await ledger.ask('head', { size: null })
  const nowMs = deps.clock.now() + 2_000
  const fork = { size: size - 1n, at: new Date(nowMs - 1_000).toISOString() }
  const followers = [createCashFollower()]
  await rewindCursorsToForks({ db: worker, followers }, { forks: [fork], further: null, nowMs })
  expect(await isOpen()).toBe(true)
  const listMovements = () =>
    worker
      .selectFrom('platform.cash_movement')
      .select('reference')
      .where('seq', '>=', String(fork.size))
      .execute()
  expect(await listMovements()).toEqual([])
  await runFollower()
  expect(await listMovements()).toEqual([{ reference }])
})

describe('a stored bank line', () => {
  test('cannot be changed by the gateway; a gateway with the revoked right can change it', async () => {
    const { db } = scene.gateway
    const editLine = () =>
      db
        .updateTable('platform.bank_line')
        .set({ amount_minor: 1n })
        .where('reference', '=', 'card fee')
        .execute()
    const insertMovement = () =>
      db
        .insertInto('platform.cash_movement')
        .values({
          option,
          seq: 1_000_000n,
          type: 'X',
          amount_minor: 1n,
          effective_on: today,
          reference: null,
          payout_word: null,
        })
        .execute()
    await expect(editLine()).rejects.toThrow('permission denied')
    await expect(insertMovement()).rejects.toThrow('permission denied')
    await runAsSuperuser((superuser) =>
      sql`grant update on platform.bank_line to cairn_gateway`.execute(superuser),
    )
    await editLine()
    expect((await listLines('all')).some(({ amount }) => amount === 0.01)).toBe(true)
  })

  test('sabotaged twin: without the unique hash of a line, a repeated line is stored twice', async () => {
    await runAsSuperuser(async (superuser) => {
      const insertCopy = () =>
        sql`insert into platform.bank_line
          select 'x' || id, statement_id, option, booked_on, amount_minor, reference, words, line_hash
          from platform.bank_line limit 1`.execute(superuser)
      await expect(insertCopy()).rejects.toThrow('bank_line_hash_key')
      await sql`alter table platform.bank_line drop constraint bank_line_hash_key`.execute(
        superuser,
      )
      const before = (await listLines('all')).length
      await insertCopy()
      expect(await listLines('all')).toHaveLength(before + 1)
    })
  })
})
