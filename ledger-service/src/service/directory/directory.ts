import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { readDirectoryFile } from './directory-file.ts'
import { findPlace, listLedgers, type Place } from './place.ts'

const READ_MS = 2_000

/** Says which database holds each ledger. */
export interface Directory {
  ledgers(): readonly number[]
  places(): readonly Place[]
  /** Throws if no place holds the ledger. */
  place(ledger: number): Place
  /** Calls the listener after each change. */
  onChange(listener: () => void): void
  stop(): void
}

/**
 * Returns the directory of a service. If `file` is not null, reads it again every two seconds,
 * because a file on a network or in a container can change without a notice. If the file is then
 * invalid, keeps the places as they were.
 */
export function openDirectory({
  places: first,
  file,
  log,
}: {
  places: readonly Place[]
  file: string | null
  log: Logger
}): Directory {
  let places = first
  let problem: string | null = null
  const listeners: (() => void)[] = []

  function read(name: string): void {
    try {
      const found = readDirectoryFile(name, 'cairn_ledger')
      problem = null
      if (isDeepStrictEqual(found, places)) return
      places = found
      log.info({ file: name, ledgers: listLedgers(found).length }, 'the directory has changed')
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== problem) log.error({ err: error }, 'the directory was not read again')
      problem = message
      return
    }
    for (const listener of listeners) listener()
  }
  const timer = file === null ? null : setInterval(() => read(file), READ_MS)

  return {
    ledgers: () => listLedgers(places),
    places: () => places,
    place: (ledger) => findPlace(places, ledger),
    onChange: (listener) => void listeners.push(listener),
    stop: () => {
      if (timer !== null) clearInterval(timer)
    },
  }
}
