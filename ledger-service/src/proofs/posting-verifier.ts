import { countPostings, formatPostings } from '@cairn/ledger-contracts'
import { areSameTotals, type Totals } from '../queries/accounts/past-totals.ts'
import type { CheckedEvent } from './checked-event.ts'
import type { Findings } from './findings.ts'
import type { GrowingTree } from './growing-tree.ts'
import type { OrderedPostings, PostingRow } from './ordered-postings.ts'
import type { RecordedTimes } from './recorded-times.ts'
import type { RunningBalances } from './running-balances.ts'
import { type CheckpointReader, findCheckpointProblems } from './signed-head.ts'
import { findClosedMonthProblem, findMonthProblems, type MonthEnds } from './signed-months.ts'

/**
 * Creates a verifier that takes the checked events in order and compares each event with its stored
 * postings.
 */
export function createPostingVerifier(parts: {
  from: bigint
  tree: GrowingTree
  times: RecordedTimes
  postings: OrderedPostings
  balances: RunningBalances
  checkpoints: CheckpointReader
  months: ReadonlyMap<bigint, MonthEnds>
  /** The stored sums, by the size of the log after which they were computed. */
  pastTotals: ReadonlyMap<bigint, Totals>
  found: Findings
}) {
  const { tree, times, postings, balances, checkpoints, months, pastTotals, found } = parts
  let next = parts.from
  let count = 0n

  function compareEvent(seq: bigint, stored: readonly PostingRow[], posted: string): void {
    if (formatPostings(stored) !== posted) {
      found.addProblemAt(seq, 'the stored postings differ from the bytes')
    }
    for (const posting of stored) balances.add(posting)
    count += BigInt(stored.length)
  }

  /** Adds postings that were read only after their event was compared. */
  function addLatePostings(late: readonly PostingRow[]): void {
    const before = late.filter(({ seq }) => seq < 0n).length
    if (before > 0) found.add(`${before} postings have a number before the first event`)
    for (const posting of late) {
      if (posting.seq >= 0n) {
        found.addProblemAt(posting.seq, 'the stored postings differ from the bytes')
      }
      balances.add(posting)
    }
    count += BigInt(late.length)
  }

  async function compareMonthEnds({ signed, closed }: MonthEnds): Promise<void> {
    const here = { root: tree.computeRoot(), totals: balances.sumByKind() }
    for (const month of signed) found.addProblems(await findMonthProblems(month, here))
    for (const month of closed) {
      const problem = findClosedMonthProblem(month, here)
      if (problem !== null) found.addProblemAt(month.seq, problem)
    }
  }

  /**
   * Compares all checkpoints of this size. A smaller one would be left only by a changed table; it
   * is passed, because otherwise no later checkpoint would be compared.
   */
  async function compareCheckpoints(): Promise<void> {
    const size = tree.getSize()
    let signed = checkpoints.takeNext()
    while (signed !== null && signed.size <= size) {
      found.addProblems(
        signed.size === size
          ? await findCheckpointProblems(signed, tree.computeRoot())
          : [`the checkpoint of ${signed.size} events is not in the order of the checkpoints`],
      )
      await checkpoints.advance()
      signed = checkpoints.takeNext()
    }
  }

  return {
    getNextSeq: () => next,
    getPostingCount: () => count,
    addLatePostings,
    verifyEvents: async (events: readonly CheckedEvent[]) => {
      for (const event of events) {
        const { seq, posted, leaf, problems } = event
        for (const problem of problems) found.addProblemAt(seq, problem)
        if (seq !== next) found.addProblemAt(next, 'is missing')
        next = seq + 1n
        times.add(event)
        const wanted = countPostings(posted)
        let stored = postings.findPostings(seq, wanted)
        while (stored === null) {
          await postings.readMore()
          stored = postings.findPostings(seq, wanted)
        }
        compareEvent(seq, stored, posted)
        tree.add(leaf)
        await compareCheckpoints()
        const ends = months.get(tree.getSize())
        if (ends !== undefined) await compareMonthEnds(ends)
        const totals = pastTotals.get(tree.getSize())
        if (totals !== undefined && !areSameTotals(totals, balances.sumByKind())) {
          found.add(
            `the stored sums after ${tree.getSize()} events are not the sums of the postings`,
          )
        }
      }
    },
  }
}
