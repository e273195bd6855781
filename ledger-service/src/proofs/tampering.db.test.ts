import { createId } from '@cairn/ledger-contracts'
import { afterEach, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { hashLeaf } from '../log/merkle.ts'
import { listStoredTotals, storeNextTotals } from '../queries/accounts/past-totals.ts'
import { createPool } from '../service/database/pool.ts'
import { findExtraSubtrees } from './growing-tree.ts'
import { verifyLog } from './verify.ts'

let ledger: TestLedger
afterEach(() => ledger.close())

/** Creates events and a signed checkpoint. */
async function openBooks(): Promise<void> {
  ledger = await startTestLedger()
  const investorId = await createFundedInvestor(ledger, { amountMinor: 5_000n })
  for (let count = 0; count < 6; count += 1) {
    const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
    const transactionId = createId(Date.now())
    const funding = { ...gift, transactionId, investorId }
    await ledger.submit('FundWallet', funding, { key: transactionId })
  }
  await ledger.ask('receipt', { seq: 7n })
}

const SWAP = `update ledger.event as e set bytes = o.bytes, leaf_hash = o.leaf_hash
  from ledger.event as o where e.seq in (3, 4) and o.seq = 7 - e.seq`

/** Changes that a superuser could make, and the problems that a verification must report. */
const CHANGES: readonly (readonly [
  what: string,
  change: string | (() => Promise<void>),
  said: RegExp,
])[] = [
  [
    'edits an amount',
    buildRewrite('\'"amountMinor":"100"\'', '\'"amountMinor":"900"\''),
    /event 2/,
  ],
  ['edits an amount and its hash', rewriteAndRehash, /event 2|root/],
  ['deletes an event', 'delete from ledger.event where seq = 3', /event 3/],
  [
    'inserts an event',
    `insert into ledger.event select ledger_id, 8, type, schema_version, actor,
    recorded_at, effective_at, request_hash, null, null, bytes, leaf_hash from ledger.event where seq = 7`,
    /./,
  ],
  ['swaps two events', SWAP, /event 3/],
  ['cuts the tail off', 'delete from ledger.event where seq > 5', /./],
  [
    'edits a posting',
    `update ledger.posting set amount_minor = amount_minor * 2 where seq = 2`,
    /event 2/,
  ],
  [
    'adds postings to an event',
    `insert into ledger.posting select ledger_id, account, seq, leg + 2, amount_minor,
    balance_after_minor from ledger.posting where seq = 2`,
    /event 2/,
  ],
  ['deletes the postings of an event', 'delete from ledger.posting where seq = 2', /event 2/],
  [
    'edits a balance after that others follow',
    'update ledger.posting set balance_after_minor = balance_after_minor + 1 where seq = 3',
    /event 3/,
  ],
  ['edits a balance after', 'update ledger.posting set balance_after_minor = 1 where seq = 7', /./],
  [
    'edits a balance',
    `update ledger.balance set balance_minor = balance_minor + 1
    where account like 'investor:%'`,
    /balance/,
  ],
  ['edits a total', 'update ledger.control_total set amount_minor = amount_minor + 1', /total/],
  [
    'edits stored sums',
    `insert into ledger.past_total values (1, 4, '{"cash": "1"}')`,
    /sums after 4 events are not/,
  ],
  [
    'stores sums beyond the log',
    `insert into ledger.past_total values (1, 9, '{}')`,
    /sums after 9 events are stored, but the log has 8/,
  ],
  ['edits the head', `update ledger.head set root = sha256('x')`, /root/],
  [
    'stores a time in the head that is before the newest event',
    `update ledger.head set last_recorded_at = last_recorded_at - interval '1 hour'`,
    /event 7: has a later time than the head/,
  ],
  [
    'records an event before an earlier one',
    `update ledger.event set recorded_at = recorded_at - interval '1 day',
    effective_at = effective_at - interval '1 day' where seq = 5`,
    /event 5: has an earlier time/,
  ],
  [
    'edits the frontier in the head',
    `update ledger.head set frontier = substr(frontier, 1, length(frontier) - 32) || sha256('x')`,
    /frontier in the head/,
  ],
  [
    'shortens the frontier in the head',
    `update ledger.head set frontier = ''`,
    /frontier in the head/,
  ],
  [
    'adds postings before the first event',
    `insert into ledger.posting values (1, 'cash:bank-9', -1, 0, -500, -500),
    (1, 'reserve', -1, 1, 500, 500)`,
    /2 postings have a number before the first event/,
  ],
  ['moves the head back', 'update ledger.head set size = size - 1', /./],
  [
    'edits a signed note',
    `update ledger.checkpoint set note = replace(note, E'\\n8\\n', E'\\n9\\n')`,
    /checkpoint/,
  ],
  ['lets a key be used again', removeKey, /event 2/],
  ['edits a checkpoint', `update ledger.checkpoint set root = sha256('x')`, /checkpoint/],
]

/** A changed value for each column that copies data from the bytes, and for both hash columns. */
const COLUMNS = {
  type: `'WalletDefunded'`,
  schema_version: '1',
  actor: `'admin:nobody'`,
  recorded_at: `recorded_at + interval '1 second'`,
  effective_at: `effective_at - interval '1 second'`,
  request_hash: `sha256('x')`,
  idempotency_hash: `sha256('x')`,
  bytes: `bytes || ' '::bytea`,
  leaf_hash: `sha256('x')`,
}

test('an untouched log has no problems', async () => {
  await openBooks()
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('the stored sums of an untouched log have no problems', async () => {
  await openBooks()
  const pool = createPool({ url: ledger.database.urlFor('cairn_ledger'), max: 2, name: 'sums' })
  try {
    const part = { ledger: 1, size: 8n, partEvents: 3n }
    for (const isStored of [true, true, false]) {
      expect(await storeNextTotals(pool, part)).toBe(isStored)
    }
    expect(await listStoredTotals(pool, { ledger: 1 })).toHaveLength(2)
    expect((await verifyLog(pool, { ledger: 1 })).problems).toEqual([])
  } finally {
    await pool.end()
  }
})

test('more concurrent checks than connections all end', async () => {
  await openBooks()
  const checks = await Promise.all(Array.from({ length: 10 }, () => ledger.ask('check', {})))
  for (const { events, problems } of checks) expect([events, problems]).toEqual([8n, []])
})

test.each(CHANGES)('a superuser who %s is detected', async (_what, change, said) => {
  await openBooks()
  await tamper(ledger, typeof change === 'string' ? () => ledger.runSql(change) : change)
  expect((await ledger.ask('check', {})).problems.join('\n')).toMatch(said)
})

test.each(Object.entries(COLUMNS))(
  'an edit of the column %s of an event is detected',
  async (column, value) => {
    await openBooks()
    const change = `update ledger.event set ${column} = ${value} where seq = 2`
    await tamper(ledger, () => ledger.runSql(change))
    expect((await ledger.ask('check', {})).problems.join('\n')).toMatch(/event 2/)
  },
)

/** Stores a signed checkpoint after each of the eight events. */
async function signEachSize(): Promise<void> {
  for (let size = 1n; size < 8n; size += 1n) {
    const root = Buffer.from((await ledger.ask('head', { size })).root, 'hex')
    await ledger.runSql(
      `insert into ledger.checkpoint (ledger_id, size, root, note, signed_at)
       values (1, $1, $2, $3, now())`,
      [size, root, ledger.signing.key.signCheckpoint({ size, root })],
    )
  }
}

test('every checkpoint is compared, also with few in memory', async () => {
  await openBooks()
  await signEachSize()
  const pool = createPool({ url: ledger.database.urlFor('cairn_ledger'), max: 2, name: 'pages' })
  try {
    for (const pageRows of [1, 3, 1_000]) {
      const untouched = await verifyLog(pool, { ledger: 1, pageRows })
      expect(untouched).toMatchObject({ checkpoints: 8, problems: [] })
    }
    await tamper(ledger, () =>
      ledger.runSql(`update ledger.checkpoint set root = sha256('x') where size in (2, 5, 7)`),
    )
    for (const pageRows of [1, 3, 1_000]) {
      const { problems } = await verifyLog(pool, { ledger: 1, pageRows })
      expect(problems).toHaveLength(3)
    }
  } finally {
    await pool.end()
  }
})

/** Changes after which a table has a second row for a key. */
const REPETITIONS: readonly (readonly [how: string, repeat: (table: string) => string])[] = [
  [
    'a table that inherits',
    (table) => `create table public.double () inherits (ledger.${table});
      insert into public.double select * from ledger.${table} order by size limit 1`,
  ],
  [
    'an index that was not unique for a moment',
    (table) => `set local allow_system_table_mods = on;
      update pg_index set indisunique = false where indexrelid = 'ledger.${table}_pkey'::regclass;
      insert into ledger.${table} select * from ledger.${table} order by size limit 1;
      update pg_index set indisunique = true where indexrelid = 'ledger.${table}_pkey'::regclass`,
  ],
]

test.each(REPETITIONS)(
  'a repeated checkpoint by %s hides no change of a later one',
  async (_how, repeat) => {
    await openBooks()
    await signEachSize()
    const changed = `update ledger.checkpoint set root = sha256('x') where size > 1`
    await tamper(ledger, () => ledger.runSql(`${repeat('checkpoint')}; ${changed}`))
    const { problems } = await ledger.ask('check', {})
    expect(problems).toContain('the checkpoint of 1 events is stored more than once')
    for (let size = 2; size <= 8; size += 1) {
      const differs = `the first ${size} events differ from the signed checkpoint of ${size} events`
      expect(problems).toContain(differs)
    }
  },
)

test.each(REPETITIONS)('repeated sums by %s are detected', async (_how, repeat) => {
  await openBooks()
  const pool = createPool({ url: ledger.database.urlFor('cairn_ledger'), max: 2, name: 'sums' })
  try {
    await storeNextTotals(pool, { ledger: 1, size: 8n, partEvents: 3n })
    await tamper(ledger, () => ledger.runSql(repeat('past_total')))
    const { problems } = await verifyLog(pool, { ledger: 1 })
    expect(problems).toContain('the sums after 3 events are stored more than once')
  } finally {
    await pool.end()
  }
})

test('a repeated subtree is detected', async () => {
  await openBooks()
  const double = `create table public.double () inherits (ledger.subtree);
    insert into ledger.subtree values (1, 8, 0, sha256('x'));
    insert into public.double select * from ledger.subtree`
  await tamper(ledger, () => ledger.runSql(double))
  const client = await ledger.pool.connect()
  try {
    expect(await findExtraSubtrees(client, { ledger: 1, size: 256n })).toEqual([
      'the stored subtree 8/0 is stored more than once',
    ])
  } finally {
    client.release()
  }
})

test('a posting moved to the end of the table causes no problem', async () => {
  await openBooks()
  const move = 'update ledger.posting set amount_minor = amount_minor where seq = 2'
  await tamper(ledger, () => ledger.runSql(move))
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('an edit by one microsecond is detected', async () => {
  await openBooks()
  const change = `update ledger.event set recorded_at = recorded_at + interval '1 microsecond'
    where seq = 2`
  await tamper(ledger, () => ledger.runSql(change))
  expect((await ledger.ask('check', {})).problems.join('\n')).toMatch(/event 2/)
})

function buildRewrite(from: string, to: string): string {
  return `update ledger.event set bytes = convert_to(replace(convert_from(bytes, 'UTF8'),
    ${from}, ${to}), 'UTF8') where seq = 2`
}

async function removeKey(): Promise<void> {
  await ledger.runSql('update ledger.event set idempotency_hash = null where seq = 2')
}

async function rewriteAndRehash(): Promise<void> {
  await ledger.runSql(buildRewrite('\'"amountMinor":"100"\'', '\'"amountMinor":"900"\''))
  const [row] = await ledger.runSql<{ bytes: Buffer }>(
    'select bytes from ledger.event where seq = 2',
  )
  const hash = hashLeaf(row?.bytes ?? Buffer.alloc(0))
  await ledger.runSql('update ledger.event set leaf_hash = $1 where seq = 2', [hash])
}
