import { isSameCanonicalJson } from '@cairn/ledger-contracts'
import { getRequestHash } from '../log/envelope.ts'
import { decideLinkedCommands } from '../log/linked.ts'
import type { Model } from '../log/model.ts'
import type { StoredRefusal } from '../log/refusal-chain.ts'
import { forkView, type View } from '../log/view.ts'

interface LinkedRefusals {
  /**
   * Must be called with each refusal, in order, and with the state on which the refusal was
   * decided.
   */
  check(stored: StoredRefusal, view: View): void
  /** Must be called before each event and after the last refusal. */
  checkEnd(): void
}

/**
 * Creates a check that the refusals of each group of linked commands follow each other and are
 * complete. The check decides each group again as a whole.
 */
export function createLinkedRefusalCheck(options: {
  model: Model
  add(place: bigint, problem: string): void
}): LinkedRefusals {
  const { model, add } = options
  /** The refusals of a group of linked commands whose last refusal has not been read yet. */
  let group: StoredRefusal[] = []

  function checkEnd(): void {
    const [first] = group
    if (first === undefined) return
    add(
      first.place,
      `begins a group of ${first.linked?.length} linked refusals that is not complete`,
    )
    group = []
  }

  return {
    checkEnd,
    check: (stored, view) => {
      const { linked, place } = stored
      if (linked === null) return checkEnd()
      if (linked.index === 0) checkEnd()
      const [first = stored] = group
      const isNext = linked.index === group.length && linked.length === first.linked?.length
      if (!isNext) {
        checkEnd()
        add(place, 'is linked to earlier refusals that do not exist')
        return
      }
      group.push(stored)
      if (group.length < linked.length) return
      const problem = findGroupProblem(model, { group, view })
      if (problem !== null) add(first.place, problem)
      group = []
    },
  }
}

/**
 * Decides the commands of the group together. Returns null if the result is exactly the stored
 * refusals; otherwise a sentence about the problem.
 */
function findGroupProblem(
  model: Model,
  { group, view }: { group: readonly StoredRefusal[]; view: View },
): string | null {
  const [first] = group
  if (first === undefined) return null
  const { size, recordedAtMs } = first
  const members = group.map(({ command }) => ({ command, requestHash: getRequestHash(command) }))
  try {
    const decided = decideLinkedCommands(model, members, {
      view: forkView(view),
      size,
      recordedAtMs,
    })
    const isSame =
      decided !== null &&
      'refusals' in decided &&
      group.every(
        ({ refusal, recordedAtMs: at }, index) =>
          at === recordedAtMs && isSameCanonicalJson(decided.refusals[index] ?? null, refusal),
      )
    return isSame ? null : 'and those linked to it are other answers when they are decided again'
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `and those linked to it cannot be decided again: ${why}`
  }
}
