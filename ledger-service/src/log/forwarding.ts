import type { Answer, Command, Failed, Lane } from '@cairn/ledger-contracts'
import { type Entry, failEntry, type LinkedEntry, type SingleEntry } from './entry.ts'

/**
 * Submits commands to the active instance. If `isLinked`, either that instance records all commands
 * or it records none.
 */
export type Forward = (
  commands: readonly Command[],
  how: { lane: Lane; isLinked: boolean },
) => Promise<readonly Answer[]>

interface Destination {
  /**
   * Undefined if the entries cannot be forwarded. The entries then fail, and the caller may repeat
   * them.
   */
  forward: Forward | undefined
  /** The reason why this instance did not record the commands itself. */
  why: string
}

const FORWARDED_MAX = 100

/**
 * Sends the entries to another instance, in order, and gives each entry the answer of that
 * instance. Dry runs fail, because a caller can always repeat a dry run.
 */
export async function forwardEntries(entries: readonly Entry[], to: Destination): Promise<void> {
  let singles: SingleEntry[] = []
  for (const entry of entries) {
    if (entry.members === null) singles.push(entry)
    if (singles.length === FORWARDED_MAX || (entry.members !== null && singles.length > 0)) {
      await forwardSingles(singles, to)
      singles = []
    }
    if (entry.members === null) continue
    if (entry.isDryRun) failEntry(entry, createUnavailable(to))
    else await forwardLinkedCommands(entry, to)
  }
  if (singles.length > 0) await forwardSingles(singles, to)
}

async function forwardSingles(entries: readonly SingleEntry[], to: Destination): Promise<void> {
  try {
    const commands = entries.map(({ command }) => command)
    const answers = (await to.forward?.(commands, { lane: 'interactive', isLinked: false })) ?? []
    for (const [index, entry] of entries.entries()) {
      entry.answer(answers[index] ?? createUnavailable(to))
    }
  } catch (error) {
    for (const entry of entries) entry.lose(error)
  }
}

async function forwardLinkedCommands(entry: LinkedEntry, to: Destination): Promise<void> {
  try {
    const commands = entry.members.map(({ command }) => command)
    const answers = await to.forward?.(commands, { lane: 'interactive', isLinked: true })
    if (answers?.length === commands.length) entry.answer(answers)
    else failEntry(entry, createUnavailable(to))
  } catch (error) {
    entry.lose(error)
  }
}

function createUnavailable({ why }: Destination): Failed {
  return { outcome: 'failed', code: 'UNAVAILABLE', message: `Nothing was recorded: ${why}` }
}
