import type { Answer, Command, LedgerClient } from '@cairn/ledger-contracts'

/** The real ledger with somebody on the line: what is sent is noted, and an answer can be lost. */
export interface WatchedLedger extends LedgerClient {
  readonly commands: Command[]
  /** Asked before each command is sent; an answer takes the place of the ledger's, null sends it. */
  answerWith: (command: Command) => Answer | null
  /** Past the watcher: for what a test only needs to be there. */
  readonly unwatched: LedgerClient
}

export function watchLedger(client: LedgerClient): WatchedLedger {
  const commands: Command[] = []
  const watched: WatchedLedger = {
    ...client,
    commands,
    unwatched: client,
    answerWith: () => null,
    submit: async (command) => {
      commands.push(command)
      return watched.answerWith(command) ?? (await client.submit(command))
    },
    submitMany: async (many, lane) => {
      commands.push(...many)
      const answers = many.map((command) => watched.answerWith(command))
      const given = answers.filter((answer) => answer !== null)
      // Either all are answered here or none: the ledger takes them together.
      return given.length === many.length ? given : await client.submitMany(many, lane)
    },
  }
  return watched
}
