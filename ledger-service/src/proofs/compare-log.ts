import type pg from 'pg'
import { balanceTable } from '../domain/accounts/account.ts'
import { model } from '../domain/model.ts'
import { computeRoot } from '../log/merkle.ts'
import type { RowOf } from '../log/table.ts'
import { listStoredTotals } from '../queries/accounts/past-totals.ts'
import { copyRows } from '../service/database/copy-rows.ts'
import { type CheckedEvent, checkRow, EVENT_COLUMNS } from './checked-event.ts'
import { findIndexProblems } from './compare-indexes.ts'
import { createFindings } from './findings.ts'
import { findExtraSubtrees, growTree, readSubtrees } from './growing-tree.ts'
import { findMonthSpanProblems } from './month-spans.ts'
import { readPostings } from './ordered-postings.ts'
import { computeFrontierAt } from './paths.ts'
import { createPostingVerifier } from './posting-verifier.ts'
import { createRecordedTimes } from './recorded-times.ts'
import { createRunningBalances } from './running-balances.ts'
import { listRepeatedSizes, listSizesBeyond, openCheckpointReader } from './signed-head.ts'
import { readMonthEnds } from './signed-months.ts'
import { openStoredTree } from './stored-tree.ts'
import { readStateRows, type VerifiedState } from './verified-state.ts'

/**
 * The comparison uses three connections with one snapshot, because a connection reads only one
 * table at a time.
 */
export interface CompareClients {
  client: pg.ClientBase
  eventsClient: pg.ClientBase
  postingsClient: pg.ClientBase
}

export interface ComparedLog {
  /** The numbers of events and postings that were read. */
  events: bigint
  postings: bigint
  checkpoints: number
  /** The first event with a problem; null if no event has a problem. */
  firstBadSeq: bigint | null
  problems: readonly string[]
}

/**
 * Checks the bytes, hashes, postings, balances, checkpoints and month ends of the log. Throws
 * `OutOfPlace` if the postings must be sorted first.
 */
export async function compareLog(
  { client, eventsClient, postingsClient }: CompareClients,
  options: {
    ledger: number
    head: Head
    /** The state from which the verification continues; null if all events are read. */
    state: VerifiedState | null
    /** True if the server sorts the postings. */
    isSorted: boolean
    /** The maximum number of checkpoints that are held in memory. */
    pageRows?: number | undefined
    apartMax?: number | undefined
    onProgress: (done: bigint) => void
  },
): Promise<ComparedLog> {
  const { ledger, head, state, isSorted, pageRows, apartMax, onProgress } = options
  const found = createFindings()
  const from = state?.size ?? 0n
  const checkpoints = await openCheckpointReader(client, { ledger, after: from, pageRows })
  const months = await readMonthEnds(client, ledger)
  found.addProblems(await findMonthSpanProblems(client, { ledger, months }))
  const stored = await listStoredTotals(client, { ledger })
  const pastTotals = new Map(stored.map(({ size, totals }) => [size, totals]))
  const balances = await createRunningBalances(postingsClient, {
    ledger,
    found,
    ...(state !== null && { before: readBalancesOf(state) }),
  })
  const postings = readPostings(postingsClient, { ledger, from, isSorted, apartMax })
  const frontier = await computeFrontierAt(openStoredTree(client, ledger).getSubtreeHash, from)
  if (state !== null && !computeRoot(frontier).equals(state.root)) {
    found.add(`the first ${from} events differ from the events that an earlier run verified`)
  }
  const tree = growTree({ frontier, found, subtrees: await readSubtrees(client, ledger) })

  const times = await createRecordedTimes(client, { ledger, from, found })
  const checked = { checkpoints, months, pastTotals, times }
  const verifier = createPostingVerifier({ from, tree, postings, balances, ...checked, found })
  for await (const events of readEvents(eventsClient, { ledger, from, size: head.size })) {
    await verifier.verifyEvents(events)
    onProgress(tree.getSize())
  }
  times.compareHead(head.lastRecordedAtMs)
  const { late, ownerless } = await postings.readRemainingPostings()
  verifier.addLatePostings(late)
  if (ownerless.length > 0) found.add(`${ownerless.length} postings belong to no event`)
  for (const posting of ownerless) balances.add(posting)
  const nextSeq = verifier.getNextSeq()
  if (nextSeq < head.size) found.addProblemAt(nextSeq, 'is missing')
  const signed = [...(await listSizesBeyond(client, { ledger, size: head.size })), ...months.keys()]
  found.addProblems(findHeadProblems({ head, root: tree.computeRoot(), signed }))
  const beyond = await countEventsBeyondHead(client, { ledger, size: head.size })
  if (beyond > 0n)
    found.addProblemAt(head.size, `is beyond the head (one of ${beyond} such events)`)
  found.addProblems(await findExtraSubtrees(client, { ledger, size: head.size }))
  await balances.compare()
  found.addProblems(await findWrongTotals(client, ledger))
  found.addProblems(
    (await listRepeatedSizes(client, ledger)).map(
      (size) => `the checkpoint of ${size} events is stored more than once`,
    ),
  )
  found.addProblems(
    stored
      // The sums are sorted by size.
      .filter(({ size }, at) => size === stored[at - 1]?.size)
      .map(({ size }) => `the sums after ${size} events are stored more than once`),
  )
  found.addProblems(
    stored
      .filter(({ size }) => size > head.size)
      .map(({ size }) => `sums after ${size} events are stored, but the log has ${head.size}`),
  )
  // With ten million rows, each of the indexes takes seconds, so this is not done in each night.
  if (state === null) found.addProblems(await findIndexProblems(client, ledger))
  return {
    events: tree.getSize() - from,
    postings: verifier.getPostingCount() + BigInt(ownerless.length),
    checkpoints: checkpoints.count,
    firstBadSeq: found.getFirstBadSeq(),
    problems: found.listProblems(),
  }
}

/** Yields the events in pages, each compared with its hash and its columns. */
async function* readEvents(
  client: pg.ClientBase,
  { ledger, from, size }: { ledger: number; from: bigint; size: bigint },
): AsyncGenerator<readonly CheckedEvent[]> {
  // Makes the planner use the index, because a sort would write the whole log to temporary files
  // before the first row.
  await client.query('set local enable_sort = off')
  yield* copyRows(
    client,
    `select ${EVENT_COLUMNS} from ledger.event
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} and seq < ${BigInt(size)}
     order by seq`,
    checkRow,
  )
}

/** Yields the balance of each account in the state. */
async function* readBalancesOf({ file }: VerifiedState) {
  for await (const { table, row } of readStateRows(file, model.tables)) {
    if (table.name !== balanceTable.name) continue
    // The cast is safe, because the row has the columns of the table.
    const { account, balanceMinor } = row as RowOf<typeof balanceTable>
    yield [account, balanceMinor] as const
  }
}

/** The stored head of the log. */
export interface Head {
  size: bigint
  root: Buffer
  /** The time of the newest event, in milliseconds since 1970. */
  lastRecordedAtMs: number
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

/** Counts the events beyond the head. No writer records such events. */
async function countEventsBeyondHead(
  client: pg.ClientBase,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<bigint> {
  const { rows } = await client.query<{ count: bigint }>(
    'select count(*) as count from ledger.event where ledger_id = $1 and seq >= $2',
    [ledger, size],
  )
  return rows[0]?.count ?? 0n
}

async function findWrongTotals(client: pg.ClientBase, ledger: number): Promise<readonly string[]> {
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
