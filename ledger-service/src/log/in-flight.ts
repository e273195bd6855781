import type { Answer } from '@cairn/ledger-contracts'
import {
  type Entry,
  formatName,
  type HashedCommand,
  type LinkedEntry,
  type SingleEntry,
} from './entry.ts'
import { getItem } from './linked.ts'
import { getStoredAnswer } from './stored-answer.ts'

interface Waiting {
  requestHash: Buffer
  answer: Promise<Answer>
}

/**
 * Keeps the entries that are not answered yet, and finds an entry by its idempotency key. An entry
 * whose key is in flight must not enter the queue, because a batch finds only the keys that are
 * stored.
 */
interface InFlight {
  /**
   * Pushes the entry to `added` and waits until the entry is answered or lost. If an earlier
   * command with the same key is in flight, does not push the entry. In this case, returns the
   * answer that follows from the answer to the earlier command.
   */
  add(entry: SingleEntry, added: Entry[]): Promise<Answer>
  /**
   * If the same linked commands are in flight, returns their answers. If one of the keys is in
   * flight with a command outside this group, returns the answer to that command as `earlier`.
   * Returns null if no key is in flight.
   */
  findLinkedAnswers(
    entry: LinkedEntry,
  ): { answers: Promise<readonly Answer[]> } | { earlier: Promise<Answer> } | null
  /** Registers the entry until it is answered or lost, and returns the answers to the entry. */
  addLinked(entry: LinkedEntry): Promise<readonly Answer[]>
}

export function createInFlight(): InFlight {
  const byKey = new Map<string, Waiting>()
  const groups = new Map<string, Promise<readonly Answer[]>>()

  return {
    findLinkedAnswers: (entry) => {
      const hashes = listKeys(entry.members)
      if (hashes.length === 0) return null
      const answers = groups.get(formatName(entry))
      if (answers !== undefined) return { answers: answers.then(markAllReplayed) }
      for (const hash of hashes) {
        const found = byKey.get(hash)
        if (found !== undefined) return { earlier: found.answer }
      }
      return null
    },
    add: (entry, added) => {
      const hash = entry.idempotencyHash?.toString('hex')
      const earlier = hash === undefined ? undefined : byKey.get(hash)
      if (earlier !== undefined) return repeatEarlierAnswer(earlier, entry)
      const answer = waitForEntry<Answer>(entry, () => hash !== undefined && byKey.delete(hash))
      if (hash !== undefined) byKey.set(hash, { requestHash: entry.requestHash, answer })
      added.push(entry)
      return answer
    },
    addLinked: (entry) => {
      const hashes = listKeys(entry.members)
      const name = formatName(entry)
      const promise = waitForEntry<readonly Answer[]>(entry, () => {
        for (const hash of hashes) byKey.delete(hash)
        groups.delete(name)
      })
      if (hashes.length === 0) return promise
      groups.set(name, promise)
      for (const [index, hash] of hashes.entries()) {
        const answer = promise.then((answers) => getItem(answers, index))
        // Usually no code awaits this promise, so its rejection must not count as unhandled.
        answer.catch(() => {})
        byKey.set(hash, { requestHash: getItem(entry.members, index).requestHash, answer })
      }
      return promise
    },
  }
}

/**
 * Returns the answer that the entry will get. Calls `forget` when the entry is answered or lost.
 */
function waitForEntry<Given>(
  entry: { answer(given: Given): void; lose(error: unknown): void },
  forget: () => void,
): Promise<Given> {
  return new Promise((resolve, reject) => {
    entry.answer = (given) => {
      forget()
      resolve(given)
    }
    entry.lose = (error) => {
      forget()
      reject(error)
    }
  })
}

/**
 * Waits for the answer to the earlier command with the key. Returns this answer, or the refusal
 * `KEY_REUSED` if the content of the two commands differs.
 */
async function repeatEarlierAnswer(earlier: Waiting, entry: HashedCommand): Promise<Answer> {
  return getStoredAnswer({ requestHash: earlier.requestHash, answer: await earlier.answer }, entry)
}

/**
 * Returns the keys in hex. Either all linked commands have a key or no linked command has a key.
 */
function listKeys(members: readonly HashedCommand[]): readonly string[] {
  return members.flatMap(({ idempotencyHash }) => idempotencyHash?.toString('hex') ?? [])
}

function markAllReplayed(answers: readonly Answer[]): readonly Answer[] {
  return answers.map((answer) =>
    answer.outcome === 'recorded' ? { ...answer, isReplay: true } : answer,
  )
}
