import type pg from 'pg'
import { readEnvelope } from '../log/envelope.ts'
import { append, EMPTY_FRONTIER, leafHash, rootOf } from '../log/merkle.ts'
import { nodeReader } from './nodes.ts'
import { frontierAt } from './paths.ts'
import { checkpointProblems, readCheckpoints } from './signed-head.ts'

const PAGE = 2_000

export interface Verification {
  events: bigint
  postings: bigint
  checkpoints: number
  /** The first event that is not what was written; null when none is, or none is to blame. */
  firstBadSeq: bigint | null
  problems: readonly string[]
}

interface VerifyOptions {
  ledger: number
  /** Trust the newest checkpoint of at most so many events, and read on from there. */
  since?: bigint
  onProgress?: (done: bigint, of: bigint) => void
}

/**
 * Whether bytes, hashes, root, subtrees, checkpoints, postings and balances all say the same, as of
 * one moment. The log and its postings are read once each, side by side, so the time is linear and
 * no index is kept for it.
 */
export async function verifyLog(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // All postings are sorted once and added up: in memory, as long as they fit.
    await client.query("set local statement_timeout = 0; set local work_mem = '256MB'")
    return await verifySnapshot(client, options)
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

async function verifySnapshot(
  client: pg.PoolClient,
  { ledger, since = 0n, onProgress }: VerifyOptions,
): Promise<Verification> {
  const found = createFindings()
  const head = await headOf(client, ledger)
  const subtrees = await readSubtrees(client, ledger)
  const checkpoints = await readCheckpoints(client, ledger)
  const start = [...checkpoints.values()].findLast(({ size }) => size <= since) ?? null
  const from = start?.size ?? 0n
  let frontier = await frontierAt(nodeReader(client, ledger), from)
  if (start !== null) found.addAll(await checkpointProblems(start, rootOf(frontier)))
  const postings = await openPostings(client, { ledger, from })
  for await (const row of leaves(client, { ledger, from, size: head.size })) {
    if (row.seq !== frontier.size) found.at(frontier.size, 'is missing')
    for (const wrong of eventProblems(row, await postings.of(row.seq))) found.at(row.seq, wrong)
    const added = append(frontier, row.leaf_hash)
    frontier = added.frontier
    for (const { level, idx, hash } of added.completed) {
      if (!subtrees.get(`${level}/${idx}`)?.equals(hash)) {
        found.add(`the stored subtree ${level}/${idx} is not the hash of its events`)
      }
    }
    const signed = checkpoints.get(frontier.size)
    if (signed !== undefined) found.addAll(await checkpointProblems(signed, rootOf(frontier)))
    if (frontier.size % BigInt(PAGE) === 0n) onProgress?.(frontier.size, head.size)
  }
  if (!rootOf(frontier).equals(head.root)) {
    found.add(`the root of ${head.size} events is not the root in the head`)
  }
  for (const size of checkpoints.keys()) {
    if (size > head.size)
      found.add(`a checkpoint of ${size} events was signed, ${head.size} are there`)
  }
  const beyond = await countBeyond(client, { ledger, size: head.size })
  if (beyond > 0n) found.at(head.size, `stands beyond the head, one of ${beyond}`)
  const stray = await postings.of(null)
  if (stray.length > 0) found.add(`${stray.length} postings belong to no event`)
  found.addAll(await sumsThatDiffer(client, ledger))
  return {
    events: frontier.size - from,
    postings: postings.count(),
    checkpoints: checkpoints.size,
    firstBadSeq: found.firstBadSeq(),
    problems: found.problems(),
  }
}

/** Events that no root covers: the writer never made them. */
async function countBeyond(
  client: pg.PoolClient,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<bigint> {
  const { rows } = await client.query<{ count: bigint }>(
    'select count(*) as count from ledger.event where ledger_id = $1 and seq >= $2',
    [ledger, size],
  )
  return rows[0]?.count ?? 0n
}

const PROBLEMS_MAX = 100

/** Keeps the first hundred: a log that was replaced whole needs no million sentences. */
function createFindings() {
  const problems: string[] = []
  let firstBadSeq: bigint | null = null
  const add = (problem: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem)
  }
  return {
    add,
    addAll: (all: readonly string[]) => {
      for (const problem of all) add(problem)
    },
    at: (seq: bigint, wrong: string) => {
      firstBadSeq ??= seq
      add(`event ${seq}: ${wrong}`)
    },
    firstBadSeq: () => firstBadSeq,
    problems: () => problems,
  }
}

async function readSubtrees(
  client: pg.PoolClient,
  ledger: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await client.query<{ level: number; idx: bigint; hash: Buffer }>(
    'select level, idx, hash from ledger.subtree where ledger_id = $1',
    [ledger],
  )
  return new Map(rows.map(({ level, idx, hash }) => [`${level}/${idx}`, hash]))
}

interface PostingRow {
  seq: bigint
  posting: string
}

/** The postings in the order of the log, each `account=amount`; `of` may only go forward. */
async function openPostings(
  client: pg.PoolClient,
  { ledger, from }: { ledger: number; from: bigint },
) {
  await client.query(
    `declare check_postings no scroll cursor for
     select seq, account || '=' || amount_minor as posting
     from ledger.posting where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)}
     order by seq, leg`,
  )
  let page: PostingRow[] = []
  let at = 0
  let count = 0n

  async function next(): Promise<PostingRow | null> {
    if (at === page.length) {
      page = (await client.query<PostingRow>(`fetch ${PAGE} from check_postings`)).rows
      at = 0
    }
    return page[at] ?? null
  }

  return {
    count: () => count,
    /** Those of event `seq` and any stray ones before it; null: all that are left. */
    of: async (seq: bigint | null): Promise<readonly string[]> => {
      const found: string[] = []
      for (let row = await next(); row !== null; row = await next()) {
        if (seq !== null && row.seq > seq) break
        found.push(row.posting)
        at += 1
        count += 1n
      }
      return found
    },
  }
}

interface Leaf {
  seq: bigint
  type: string
  actor: string
  recorded_at: number
  effective_at: number
  schema_version: number
  request_hash: Buffer
  idempotency_hash: Buffer | null
  bytes: Buffer
  leaf_hash: Buffer
}

async function* leaves(
  client: pg.PoolClient,
  { ledger, from, size }: { ledger: number; from: bigint; size: bigint },
): AsyncGenerator<Leaf> {
  for (let after = from - 1n; ; ) {
    const { rows } = await client.query<Leaf>({
      name: 'check-page',
      text: `select seq, type, actor, recorded_at, effective_at, schema_version, request_hash,
               idempotency_hash, bytes, leaf_hash
             from ledger.event
             where ledger_id = $1 and seq > $2 and seq < $3 order by seq limit $4`,
      values: [ledger, after, size, PAGE],
    })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

function eventProblems(row: Leaf, stored: readonly string[]): readonly string[] {
  const problems: string[] = []
  if (!leafHash(row.bytes).equals(row.leaf_hash)) {
    problems.push('its bytes do not have its leaf hash')
  }
  const event = readable(row.bytes)
  if (event === null) return [...problems, 'its bytes are not an event']
  const postings = event.postings.map(({ account, amountMinor }) => `${account}=${amountMinor}`)
  const isSame =
    event.seq === row.seq &&
    event.type === row.type &&
    event.actor === row.actor &&
    event.schemaVersion === row.schema_version &&
    event.requestHash === row.request_hash.toString('hex') &&
    isSameKey(event.idempotencyHash, row.idempotency_hash) &&
    Date.parse(event.recordedAt) === row.recorded_at &&
    Date.parse(event.effectiveAt) === row.effective_at
  if (!isSame) problems.push('a column differs from its bytes')
  if (postings.join() !== stored.join()) problems.push('its postings differ from its bytes')
  return problems
}

/** Events of version 1 do not say under which key they were asked for. */
function isSameKey(said: string | null | undefined, stored: Buffer | null): boolean {
  return said === undefined || said === (stored?.toString('hex') ?? null)
}

function readable(bytes: Buffer): ReturnType<typeof readEnvelope> | null {
  try {
    return readEnvelope(bytes)
  } catch {
    return null
  }
}

async function headOf(
  client: pg.PoolClient,
  ledger: number,
): Promise<{ size: bigint; root: Buffer }> {
  const { rows } = await client.query<{ size: bigint; root: Buffer }>(
    'select size, root from ledger.head where ledger_id = $1',
    [ledger],
  )
  return rows[0] ?? { size: 0n, root: rootOf(EMPTY_FRONTIER) }
}

async function sumsThatDiffer(client: pg.PoolClient, ledger: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ problem: string }>(
    `with sums as (
       select account, sum(amount_minor)::bigint as total,
         (array_agg(balance_after_minor order by seq desc, leg desc))[1] as last_after
       from ledger.posting where ledger_id = $1 group by account
     )
     select 'account ' || coalesce(sums.account, balance.account) || ': its balance is not '
       || 'the sum of its postings' as problem
     from sums full join (select * from ledger.balance where ledger_id = $1) as balance
       using (account)
     where sums.total is distinct from balance.balance_minor
       or sums.last_after is distinct from balance.balance_minor
     union all
     select 'the postings of all events add up to ' || sum(amount_minor)
     from ledger.posting where ledger_id = $1 having sum(amount_minor) <> 0
     union all
     select 'event ' || seq || ': its postings do not add up to zero'
     from ledger.posting where ledger_id = $1 group by seq having sum(amount_minor) <> 0
     union all
     select 'the total of ' || kind || ' is not the sum of its balances' from (
       select case when account like 'investor:%' then split_part(account, ':', 3)
           || case when split_part(account, ':', 4) = '' then '' else ':' || split_part(account, ':', 4) end
         when account like 'cash:%' then 'cash' else account end as kind,
         sum(balance_minor)::bigint as total
       from ledger.balance where ledger_id = $1 group by 1
     ) as kinds
     full join (select * from ledger.control_total where ledger_id = $1 and name like 'account:%')
       as control on control.name = 'account:' || kind
     where total is distinct from control.amount_minor`,
    [ledger],
  )
  return rows.map(({ problem }) => problem)
}
