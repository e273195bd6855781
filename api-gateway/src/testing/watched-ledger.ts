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
      return await client.submitMany(many, lane)
    },
  }
  return watched
}
