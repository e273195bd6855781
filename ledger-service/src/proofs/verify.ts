import type pg from 'pg'
import { balanceTable } from '../domain/accounts/account.ts'
import { model } from '../domain/model.ts'
import { computeRoot, EMPTY_FRONTIER } from '../log/merkle.ts'
import type { RowOf } from '../log/table.ts'
import { connectOutsidePool } from '../service/database/pool.ts'
import { readEvents } from './event-reader.ts'
import { createFindings, type Findings } from './findings.ts'
import { createPostingVerifier } from './followed-log.ts'
import { findExtraSubtrees, growTree, readSubtrees } from './growing-tree.ts'
import { findKeyProblems } from './log-keys.ts'
import { OutOfPlace, readPostings } from './log-rows.ts'
import { computeFrontierAt, hashRange } from './paths.ts'
import { startReplay } from './replay-thread.ts'
import { createRunningBalances } from './running-balances.ts'
import { findSchemaProblems } from './schema-definitions.ts'
import { type CheckpointReader, listSizesBeyond, openCheckpointReader } from './signed-head.ts'
import { readMonthEnds } from './signed-months.ts'
import { exportSnapshot, joinSnapshot } from './snapshot.ts'
import { openStoredTree } from './stored-tree.ts'
import {
  readStateRows,
  readVerifiedState,
  replaceState,
  type VerifiedState,
} from './verified-state.ts'

export interface Verification {
  /** The number of events that an earlier run has verified. This run begins after these events. */
  from: bigint
  events: bigint
  postings: bigint
  checkpoints: number
  /** The first event with a problem; null if no event has a problem. */
  firstBadSeq: bigint | null
  problems: readonly string[]
}

interface VerifyOptions {
  ledger: number
  /**
   * If false, events are not decided again and projections are not compared. The default is true.
   */
  isReplaying?: boolean
  /**
   * The folder of the state that the last verification without a difference has reached, outside of
   * the database. By default, no state is read or kept.
   */
  stateFolder?: string | null
  /**
   * If this number is above zero, the verification continues from the kept state, unless this state
   * has more events than this number. The default is 0: all events are read.
   */
  since?: bigint
  /** The maximum number of checkpoints that are held in memory. */
  pageRows?: number
  onProgress?: (done: bigint, of: bigint) => void
}

/**
 * Two connections with the same snapshot. `postingsClient` reads the postings. A worker opens the
 * snapshot by its `name` and reads the events.
 */
interface Snapshot {
  client: pg.PoolClient
  postingsClient: pg.Client
  name: string
}

/**
 * Verifies the log in one snapshot. Compares bytes, hashes, root, subtrees, checkpoints, month
 * ends, postings and balances. Decides each event and each stored refusal again. Compares all
 * projections and the definitions of the schema. The time is linear in the number of events.
 */
export async function verifyLog(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  try {
    return await verifyInNewSnapshot(pool, { ...options, isSorted: false })
  } catch (error) {
    if (!(error instanceof OutOfPlace)) throw error
    return await verifyInNewSnapshot(pool, { ...options, isSorted: true })
  }
}

let lastRun: Promise<unknown> = Promise.resolve()

/**
 * Runs only one verification at a time in this process, because each verification keeps a
 * connection of the pool until the verification ends.
 */
export function verifyInTurn(pool: pg.Pool, options: VerifyOptions): Promise<Verification> {
  const run = lastRun.then(() => verifyLog(pool, options))
  lastRun = run.catch(() => {})
  return run
}

type Attempt = VerifyOptions & { isSorted: boolean }
type OpenAttempt = Attempt & { url: string }

async function verifyInNewSnapshot(pool: pg.Pool, options: Attempt): Promise<Verification> {
  const client = await pool.connect()
  let postingsClient: pg.Client | null = null
  try {
    postingsClient = await connectOutsidePool(pool)
    const name = await openSnapshot(client, postingsClient)
    const url = pool.options.connectionString ?? ''
    const verification = await verifySnapshot({ client, postingsClient, name }, { ...options, url })
    await client.query('rollback')
    client.release()
    return verification
  } catch (error) {
    // Destroys the connection, because a COPY may still be in progress.
    client.release(true)
    throw error
  } finally {
    await postingsClient?.end().catch(() => {})
  }
}

async function openSnapshot(client: pg.PoolClient, postingsClient: pg.Client): Promise<string> {
  const name = await exportSnapshot(client)
  await joinSnapshot(postingsClient, name)
  // The postings are read by a sequential scan in physical order. A sort uses memory up to this
  // limit.
  await postingsClient.query(
    'set local max_parallel_workers_per_gather = 0; set local synchronize_seqscans = off; ' +
      "set local work_mem = '256MB'",
  )
  return name
}

async function verifySnapshot(snapshot: Snapshot, attempt: OpenAttempt): Promise<Verification> {
  const { client, name } = snapshot
  const { ledger, pageRows, isReplaying = true, url, stateFolder = null } = attempt
  const found = createFindings()
  const head = await readHead(client, ledger)
  const state = isReplaying ? await findState(attempt, head.size) : null
  const from = state?.size ?? 0n
  const checkpoints = await openCheckpointReader(client, { ledger, after: from, pageRows })
  const part = { url, snapshot: name, ledger, ...head, stateFolder, isContinued: state !== null }
  const replay = isReplaying ? startReplay(part) : null
  try {
    const compared = await compareLog(snapshot, attempt, { head, checkpoints, found, state })
    found.addProblems(await findSchemaProblems(client))
    const { getSubtreeHash } = openStoredTree(client, ledger)
    const computeRootAt = (size: bigint) => hashRange(getSubtreeHash, 0n, size)
    found.addProblems(await findKeyProblems(client, { ledger, computeRootAt }))
    for (const { seq, problem } of (await replay?.problems) ?? []) {
      if (seq === null) found.add(problem)
      else found.addProblemAt(seq, problem)
    }
    const { events, postings } = compared
    if (stateFolder !== null) {
      await replaceState({ folder: stateFolder, ledger }, found.listProblems().length === 0)
    }
    return {
      from,
      events,
      postings,
      checkpoints: checkpoints.count,
      firstBadSeq: found.getFirstBadSeq(),
      problems: found.listProblems(),
    }
  } finally {
    await replay?.stop()
  }
}

/** Returns the kept state, if the verification continues from it. */
async function findState(
  { ledger, since = 0n, stateFolder = null }: VerifyOptions,
  size: bigint,
): Promise<VerifiedState | null> {
  if (since === 0n || stateFolder === null) return null
  const state = await readVerifiedState({ folder: stateFolder, ledger }, model.tables)
  return state === null || state.size > since || state.size > size ? null : state
}

/** Yields the balance of each account in the state. */
async function* readBalancesOf({ file }: VerifiedState) {
  for await (const { table, row } of readStateRows(file, model.tables)) {
    if (table.name !== balanceTable.name) continue
    // The cast holds because the row has the columns of the table.
    const { account, balanceMinor } = row as RowOf<typeof balanceTable>
    yield [account, balanceMinor] as const
  }
}

/**
 * Checks the bytes, hashes, postings, balances, checkpoints and month ends of the log. Returns the
 * numbers of events and postings that it has read.
 */
async function compareLog(
  { client, postingsClient, name: snapshot }: Snapshot,
  { ledger, onProgress, url, isSorted }: OpenAttempt,
  parts: {
    head: Head
    checkpoints: CheckpointReader
    found: Findings
    state: VerifiedState | null
  },
): Promise<Pick<Verification, 'events' | 'postings'>> {
  const { head, checkpoints, found, state } = parts
  const months = await readMonthEnds(client, ledger)
  const from = state?.size ?? 0n
  const balances = await createRunningBalances(postingsClient, {
    ledger,
    found,
    ...(state !== null && { before: readBalancesOf(state) }),
  })
  const postings = readPostings(postingsClient, { ledger, from, isSorted })
  const frontier = await computeFrontierAt(openStoredTree(client, ledger).getSubtreeHash, from)
  if (state !== null && !computeRoot(frontier).equals(state.root)) {
    found.add(`the first ${from} events differ from the events that an earlier run verified`)
  }
  const tree = growTree({ frontier, found, subtrees: await readSubtrees(client, ledger) })

  const log = createPostingVerifier({ from, tree, postings, balances, checkpoints, months, found })
  for await (const page of readEvents({ url, snapshot, ledger, from, size: head.size })) {
    await log.follow(page)
    onProgress?.(tree.getSize(), head.size)
  }
  const { late, ownerless } = await postings.readRemainingPostings()
  log.addLatePostings(late)
  if (ownerless.length > 0) found.add(`${ownerless.length} postings belong to no event`)
  for (const posting of ownerless) balances.add(posting)
  if (log.next() < head.size) found.addProblemAt(log.next(), 'is missing')
  const signed = [...(await listSizesBeyond(client, { ledger, size: head.size })), ...months.keys()]
  found.addProblems(findHeadProblems({ head, root: tree.computeRoot(), signed }))
  const beyond = await countEventsBeyondHead(client, { ledger, size: head.size })
  if (beyond > 0n)
    found.addProblemAt(head.size, `is beyond the head (one of ${beyond} such events)`)
  found.addProblems(await findExtraSubtrees(client, { ledger, size: head.size }))
  await balances.compare()
  found.addProblems(await findWrongTotals(client, ledger))
  return {
    events: tree.getSize() - from,
    postings: log.getPostingCount() + BigInt(ownerless.length),
  }
}

interface Head {
  size: bigint
  root: Buffer
}

function findHeadProblems(parts: {
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
      (size) => `a checkpoint of ${size} events was signed, but the log has ${head.size}`,
    ),
  ]
}

/** Counts events beyond the head, which no writer has recorded. */
async function countEventsBeyondHead(
  client: pg.PoolClient,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<bigint> {
  const { rows } = await client.query<{ count: bigint }>(
    'select count(*) as count from ledger.event where ledger_id = $1 and seq >= $2',
    [ledger, size],
  )
  return rows[0]?.count ?? 0n
}

async function readHead(client: pg.PoolClient, ledger: number): Promise<Head> {
  const { rows } = await client.query<Head>(
    'select size, root from ledger.head where ledger_id = $1',
    [ledger],
  )
  return rows[0] ?? { size: 0n, root: computeRoot(EMPTY_FRONTIER) }
}

async function findWrongTotals(client: pg.PoolClient, ledger: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ problem: string }>(
    `select 'the total of ' || kind || ' is not the sum of its balances' as problem from (
       select case when account like 'investor:%' then split_part(account, ':', 3)
           || case when split_part(account, ':', 4) = '' then '' else ':' || split_part(account, ':', 4) end
         when account like 'cash:%' then 'cash' || coalesce(substring(account from '@.*$'), '')
         else account end as kind,
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
