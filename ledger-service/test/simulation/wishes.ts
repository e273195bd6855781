import type { Answer, Command, DryRunAnswer, Lane } from '@cairn/ledger-contracts'

/** An answer, with the facts about its attempt that the checks need. */
export interface Given<T> {
  answer: T
  instance: number
  lane: Lane
  place: number
  /** The size of the log when this answer arrived. */
  logSize: number
}

/**
 * A command with the answers to all its attempts. Clients repeat the command until it is answered.
 */
export interface Wish {
  readonly command: Command
  /** The size of the log at the first attempt. */
  readonly askedAt: number
  readonly answers: Given<Answer>[]
  /** The number of attempts without an answer. The outcome of these attempts is unknown. */
  lost: number
  /** True if the command was first submitted in a group of linked commands. */
  readonly isLinked: boolean
}

/**
 * A group of linked commands, with all answers to the group. A client repeats the group until it is
 * answered.
 */
export interface GroupWish {
  readonly wishes: readonly Wish[]
  readonly answers: Given<readonly Answer[]>[]
}

/** Commands that a client submits as a dry run, with all answers to the dry run. */
export interface DryRun {
  readonly commands: readonly Command[]
  readonly askedAt: number
  readonly answers: Given<readonly DryRunAnswer[]>[]
}

export function createTrackedCommand(
  command: Command,
  { askedAt, isLinked = false }: { askedAt: number; isLinked?: boolean },
): Wish {
  return { command, askedAt, answers: [], lost: 0, isLinked }
}

export function formatName(command: Command): string {
  return `${command.type} of ${command.actor}`
}
