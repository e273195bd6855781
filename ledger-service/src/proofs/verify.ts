import type pg from 'pg'
import { connectLike } from '../database/pool.ts'
import { EMPTY_FRONTIER, rootOf } from '../log/merkle.ts'
import { type EventChecker, startEventChecker } from './event-checker.ts'
import { createFindings } from './findings.ts'
import { followLog } from './followed-log.ts'
import { growTree, readSubtrees } from './growing-tree.ts'
import { readEvents, readPostings } from './log-rows.ts'
import { nodeReader } from './nodes.ts'
import { frontierAt } from './paths.ts'
import { startBalances } from './running-balances.ts'
import { checkpointProblems, readCheckpoints } from './signed-head.ts'
import { readSignedMonths } from './signed-months.ts'

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

/** Two connections that see the same moment: events are read over one, postings over the other. */
interface Snapshot {
  client: pg.PoolClient
  beside: pg.Client
}

/**
 * Whether bytes, hashes, root, subtrees, checkpoints, postings and balances all say the same, as of
 * one moment. The log and its postings are read once each, side by side, so the time is linear and
 * no index is kept for it.
 */
export async function verifyLog(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  const client = await pool.connect()
  const checker = startEventChecker(options.ledger)
  let beside: pg.Client | null = null
  try {
    beside = await connectLike(pool)
    await openSnapshot({ client, beside })
    const verification = await verifySnapshot({ client, beside }, { ...options, checker })
    await client.query('rollback')
    client.release()
    return verification
  } catch (error) {
    // It may be in the middle of its rows.
    client.release(true)
    throw error
  } finally {
    await Promise.allSettled([checker.close(), beside?.end()])
  }
}

async function openSnapshot({ client, beside }: Snapshot): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
  await beside.query('begin isolation level repeatable read read only')
  await beside.query(`set transaction snapshot '${rows[0]?.id}'`)
  // All postings are sorted: in memory, as long as they fit.
  await beside.query("set local statement_timeout = 0; set local work_mem = '256MB'")
  // Events come by their key, at once: sorted, the whole log would wait in memory.
  await client.query('set local statement_timeout = 0; set local enable_sort = off')
}

async function verifySnapshot(
  { client, beside }: Snapshot,
  { ledger, since = 0n, onProgress, checker }: VerifyOptions & { checker: EventChecker },
): Promise<Verification> {
  const found = createFindings()
  const head = await headOf(client, ledger)
  const checkpoints = await readCheckpoints(client, ledger)
  const months = await readSignedMonths(client, ledger)
  const start = [...checkpoints.values()].findLast(({ size }) => size <= since) ?? null
  const from = start?.size ?? 0n
  const balances = await startBalances(beside, { ledger, from, found })
  const postings = readPostings(beside, { ledger, from })
  const frontier = await frontierAt(nodeReader(client, ledger), from)
  if (start !== null) found.addAll(await checkpointProblems(start, rootOf(frontier)))
  const tree = growTree({ frontier, found, subtrees: await readSubtrees(client, ledger) })

  const log = followLog({ from, tree, postings, balances, checkpoints, months, found })
  for await (const page of readEvents(client, { ledger, from, size: head.size, checker })) {
    await log.follow(page)
    onProgress?.(tree.size(), head.size)
  }
  const stray = await postings.rest()
  if (stray.length > 0) found.add(`${stray.length} postings belong to no event`)
  for (const posting of stray) balances.add(posting)
  if (log.next() < head.size) found.at(log.next(), 'is missing')
  found.addAll(
    headProblems({ head, root: tree.root(), signed: [...checkpoints.keys(), ...months.keys()] }),
  )
  const beyond = await countBeyond(client, { ledger, size: head.size })
  if (beyond > 0n) found.at(head.size, `stands beyond the head, one of ${beyond}`)
  await balances.compare()
  found.addAll(await totalsThatDiffer(client, ledger))
  return {
    events: tree.size() - from,
    postings: log.postings() + BigInt(stray.length),
    checkpoints: checkpoints.size,
    firstBadSeq: found.firstBadSeq(),
    problems: found.problems(),
  }
}

interface Head {
  size: bigint
  root: Buffer
}

function headProblems(parts: {
  head: Head
  root: Buffer
  signed: readonly bigint[]
}): readonly string[] {
  const { head, root, signed } = parts
  const signedBeyond = signed.filter((size) => size > head.size)
  return [
    ...(root.equals(head.root)
      ? []
      : [`the root of ${head.size} events is not the root in the head`]),
    ...signedBeyond.map(
      (size) => `a checkpoint of ${size} events was signed, ${head.size} are there`,
    ),
  ]
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

async function headOf(client: pg.PoolClient, ledger: number): Promise<Head> {
  const { rows } = await client.query<Head>(
    'select size, root from ledger.head where ledger_id = $1',
    [ledger],
  )
  return rows[0] ?? { size: 0n, root: rootOf(EMPTY_FRONTIER) }
}

async function totalsThatDiffer(client: pg.PoolClient, ledger: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ problem: string }>(
    `select 'the total of ' || kind || ' is not the sum of its balances' as problem from (
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
