import type { Answer, Command, LedgerClient } from '@cairn/ledger-contracts'

/** A ledger client that records its commands and can replace the answers. */
export interface RecordingLedger extends LedgerClient {
  readonly commands: Command[]
  /**
   * Called before each command is sent. Returns the answer to use instead of the ledger's answer;
   * null sends the command.
   */
  answerWith: (command: Command) => Answer | null
  /** The ledger client that records nothing. A test uses it to create its test data. */
  readonly unrecorded: LedgerClient
}

export function recordLedger(client: LedgerClient): RecordingLedger {
  const commands: Command[] = []
  const watched: RecordingLedger = {
    ...client,
    commands,
    unrecorded: client,
    answerWith: () => null,
    submit: async (command) => {
      commands.push(command)
      return watched.answerWith(command) ?? (await client.submit(command))
    },
    submitMany: async (many, lane) => {
      commands.push(...many)
      const answers = many.map((command) => watched.answerWith(command))
      const given = answers.filter((answer) => answer !== null)
      // The ledger handles all commands of a call together. Therefore either this client answers
      // all of these commands, or the ledger answers all of them.
      return given.length === many.length ? given : await client.submitMany(many, lane)
    },
    submitLinked: async (linked, lane) => {
      commands.push(...linked)
      return await client.submitLinked(linked, lane)
    },
  }
  return watched
}
