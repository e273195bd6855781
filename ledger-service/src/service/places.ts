import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseState, Durability } from '@cairn/ledger-contracts'
import { RefusedToStart } from './check-ledgers.ts'
import type { Directory } from './directory/directory.ts'
import type { Place } from './directory/place.ts'
import { type OpenPlace, openPlace, type SharedParts } from './open-place.ts'

const RETRY_MS = 5_000
/** The time that a place has to answer. A probe of the health must receive its answer sooner. */
const HEALTH_MS = 1_000

/** The databases of a service. */
export interface Places {
  /** Resolves when each place is open. Of several places, one that does not answer is not awaited. */
  readonly opened: Promise<void>
  /** Returns the names of the places that do not answer. */
  listUnavailable(): Promise<readonly string[]>
  count(): number
  /** Returns the lowest durability of all places. Throws if a place does not answer. */
  readDurability(): Promise<Durability>
  /** Returns the state of the database of each open place that answers, by the name of the place. */
  readDatabaseStates(): Promise<ReadonlyMap<string, DatabaseState>>
  /** Writes and answers the accepted commands. Queries can still read. */
  stop(): Promise<void>
  /** Closes the connections for reads. */
  close(): Promise<void>
}

interface PlaceState {
  place: Place
  open: OpenPlace | null
  readonly stopping: AbortController
  /** Resolves when the place is open or will not be opened any more. */
  opening: Promise<void>
}

/**
 * Opens all places and follows the changes of the directory. A place that does not answer or that
 * refuses to start does not stop the ledgers of the others. With a single database that cannot
 * change, a failure rejects `opened` instead.
 */
export function createPlaces(
  directory: Directory,
  shared: SharedParts,
  { isFixed, waitMs }: { isFixed: boolean; waitMs: number },
): Places {
  const { log } = shared
  const states = new Map<string, PlaceState>()
  let changing: Promise<unknown> = Promise.resolve()
  let isStopping = false

  function start(place: Place): PlaceState {
    const state: PlaceState = {
      place,
      open: null,
      stopping: new AbortController(),
      opening: Promise.resolve(),
    }
    const own = isFixed ? shared : { ...shared, log: log.child({ place: place.name }) }
    state.opening = isFixed ? openOnce(state, own) : openUntilStopped(state, own)
    states.set(place.name, state)
    return state
  }

  async function openOnce(state: PlaceState, own: SharedParts): Promise<void> {
    state.open = await openPlace(state.place, own, state.stopping.signal)
  }

  async function openUntilStopped(state: PlaceState, own: SharedParts): Promise<void> {
    const { signal } = state.stopping
    while (!signal.aborted) {
      try {
        await openOnce(state, own)
        own.log.info({ ledgers: state.place.ledgers.length }, 'the place is open')
        return
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof RefusedToStart) return error.logProblems(own.log)
        own.log.error({ err: error }, 'the place cannot be opened; will try again')
        await delay(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  async function stop({ stopping, opening }: PlaceState): Promise<void> {
    stopping.abort()
    await opening.catch(() => {})
  }

  async function remove(state: PlaceState): Promise<void> {
    states.delete(state.place.name)
    for (const ledger of state.place.ledgers) shared.ledgers.delete(ledger)
    await stop(state)
    await state.open?.stop()
    await state.open?.close()
  }

  /** Ledgers leave their former places before they are opened in the new ones. */
  async function follow(places: readonly Place[]): Promise<void> {
    const next = new Map(places.map((place) => [place.name, place]))
    const former = [...states.values()]
    await Promise.all(
      former.map(async (state) => {
        const place = next.get(state.place.name)
        if (place === undefined || !canKeep(state, place)) return remove(state)
        const removed = subtract(state.place, place)
        state.place = { ...place, ledgers: subtract(state.place, { ledgers: removed }) }
        await state.open?.removeLedgers(removed)
      }),
    )
    for (const place of places) {
      const state = states.get(place.name)
      if (state === undefined) start(place)
      else await addLedgers(state, place)
    }
  }

  async function addLedgers(state: PlaceState, place: Place): Promise<void> {
    const added = subtract(place, state.place)
    if (added.length === 0) return
    try {
      await state.open?.addLedgers(added)
      state.place = place
    } catch (error) {
      log.fatal({ err: error, place: place.name, ledgers: added }, 'the ledgers cannot be opened')
      if (error instanceof RefusedToStart) state.place = place
      else setTimeout(followSoon, RETRY_MS).unref()
    }
  }

  /** Follows the present state of the directory after earlier changes. */
  function followSoon(): void {
    changing = changing.then(async () => {
      if (isStopping) return
      await follow(directory.places()).catch((error) => {
        log.error({ err: error }, 'the change of the directory was not followed')
      })
    })
  }
  directory.onChange(followSoon)
  const all = Promise.all(directory.places().map((place) => start(place).opening))
  const opened = isFixed ? all : Promise.race([all, delay(waitMs, undefined, { ref: false })])

  return {
    opened: opened.then(() => {}),
    count: () => states.size,
    listUnavailable: async () => {
      const answers = [...states.values()].map(async ({ place, open }) =>
        (await isAnswering(open, isFixed ? null : HEALTH_MS)) ? [] : [place.name],
      )
      return (await Promise.all(answers)).flat()
    },
    readDurability: async () => {
      const open = [...states.values()].map((state) => {
        if (state.open === null) throw new Error(`the place ${state.place.name} is not open`)
        return state.open.readDurability()
      })
      const found = await Promise.all(open)
      return found.every((durability) => durability === 'standby') ? 'standby' : 'local'
    },
    readDatabaseStates: async () => {
      const read = [...states.values()].map(async ({ place: { name }, open }) => {
        const state = await open?.readDatabaseState().catch(() => undefined)
        return state === undefined ? [] : [[name, state] as const]
      })
      return new Map((await Promise.all(read)).flat())
    },
    stop: async () => {
      isStopping = true
      await changing
      await Promise.all([...states.values()].map(stop))
      await Promise.all([...states.values()].map(({ open }) => open?.stop()))
    },
    close: async () => {
      await Promise.all([...states.values()].map(({ open }) => open?.close()))
    },
  }
}

/** A place that is not open yet is opened again with the new ledgers. */
function canKeep({ open, place }: PlaceState, next: Place): boolean {
  if (next.databaseUrl !== place.databaseUrl || next.readUrl !== place.readUrl) return false
  return open !== null || subtract(next, place).length + subtract(place, next).length === 0
}

/** Lists the ledgers of `place` that `other` does not have. */
function subtract(place: Pick<Place, 'ledgers'>, other: Pick<Place, 'ledgers'>): readonly number[] {
  const others = new Set(other.ledgers)
  return place.ledgers.filter((ledger) => !others.has(ledger))
}

async function isAnswering(open: OpenPlace | null, limitMs: number | null): Promise<boolean> {
  if (open === null) return false
  if (limitMs === null) return open.isHealthy()
  return Promise.race([open.isHealthy(), delay(limitMs, false, { ref: false })])
}
