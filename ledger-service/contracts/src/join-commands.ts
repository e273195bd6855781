import type { Answer } from './answers.ts'
import type { Command } from './commands.ts'

/** More commands of one turn are sent in several requests, so that no body becomes large. */
const JOINED_MAX = 100

interface Waiting {
  readonly command: Command
  resolve(answer: Answer | undefined): void
  reject(error: unknown): void
}

/**
 * Returns a function that submits one command. The commands of one turn of the event loop are sent
 * in one request, because under load the work of a request costs more than the work of a command.
 * The ledger still decides and answers each command alone.
 *
 * Commands without an idempotency key are sent alone, because a request is repeated only if each of
 * its commands has a key. If the ledger refuses a joined request as a whole, each command is sent
 * alone, so that one command cannot make another one fail.
 */
export function joinCommands({
  send,
  isWholeRefused,
}: {
  /** Returns one answer for each command, in the same order. */
  send(commands: readonly Command[]): Promise<readonly Answer[]>
  /** True if the error says that the ledger has refused the request and has done nothing. */
  isWholeRefused(error: unknown): boolean
}): (command: Command) => Promise<Answer | undefined> {
  let waiting: Waiting[] = []

  async function sendAlone(command: Command): Promise<Answer | undefined> {
    const [answer] = await send([command])
    return answer
  }

  async function sendJoined(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await send(group.map(({ command }) => command))
      for (const [place, { resolve }] of group.entries()) resolve(answers[place])
    } catch (error) {
      for (const { command, resolve, reject } of group) {
        if (group.length > 1 && isWholeRefused(error)) sendAlone(command).then(resolve, reject)
        else reject(error)
      }
    }
  }

  function sendWaiting(): void {
    const group = waiting
    waiting = []
    void sendJoined(group)
  }

  return (command) => {
    if (command.key === null) return sendAlone(command)
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => waiting.length > 0 && sendWaiting())
      waiting.push({ command, resolve, reject })
      if (waiting.length >= JOINED_MAX) sendWaiting()
    })
  }
}
