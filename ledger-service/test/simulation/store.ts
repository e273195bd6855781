import type { Store, StoreSession } from '../../src/log/store.ts'
import type { SimulatedDatabase } from './database.ts'
import type { World } from './world.ts'

/** The probability that a step fails, before or after the database has executed it. */
const CUT_CHANCE = 0.01
/** The filter is filled while batches are written. */
const KEYS_A_PAGE = 50
const NEVER = new Promise<never>(() => {})

/**
 * Sessions on the simulated database with delays, failures at any step and lost answers. After a crash
 * of the process no call resolves, but a statement that was sent may still be executed.
 */
export function simulatedStore(options: {
  database: SimulatedDatabase
  world: World
  isDead(): boolean
}): Store {
  const { database, world, isDead } = options
  return {
    open: async () => {
      await world.turns(2)
      if (isDead()) return NEVER
      if (world.isOutage()) throw new Error('connection refused')
      return session(database, world, isDead)
    },
  }
}

function session(database: SimulatedDatabase, world: World, isDead: () => boolean): StoreSession {
  const { random } = world
  let isBroken = false

  function assertOpen(): void {
    if (world.isOutage()) isBroken = true
    if (isBroken) throw new Error('the connection is closed')
  }

  /** Calls `lost` if the work was not done, although it may have been sent. */
  async function step<T>(work: () => T, lost: () => void = () => {}): Promise<T> {
    await world.turns(1 + random.int(3))
    if (random.chance(CUT_CHANCE)) isBroken = true
    if (isDead() || isBroken || world.isOutage()) lost()
    if (isDead()) return NEVER
    assertOpen()
    const result = work()
    await world.turns(random.int(3))
    if (isDead()) return NEVER
    if (random.chance(CUT_CHANCE)) isBroken = true
    assertOpen()
    return result
  }

  /** The statement was sent, but its sender has crashed. */
  function arriveLate(work: () => unknown): void {
    if (random.chance(0.5)) return
    // Errors are ignored, because no process receives them.
    world.after(random.int(12), () => void attempt(work))
  }

  async function* pages(rows: ReadonlyMap<string, unknown>): AsyncGenerator<readonly string[]> {
    let after = ''
    for (;;) {
      const page = await step(() => firstAfter(rows.keys(), after))
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last
    }
  }

  return {
    takeHead: () => step(() => database.takeHead()),
    loadAll: (table) => step(() => [...database.rowsOf(table).values()]),
    loadRows: (table, keys) => {
      const find = () => keys.flatMap((key) => database.rowsOf(table).get(key) ?? [])
      return step(find)
    },
    loadSettled: (hashes) => step(() => database.settled(hashes)),
    usedKeys: async function* () {
      for (const used of database.usedKeys) {
        for await (const page of pages(used)) yield Buffer.from(page.join(''), 'hex')
      }
    },
    rowKeys: (table) => pages(database.rowsOf(table)),
    holdsHead: (head) => step(() => database.holdsHead(head)),
    findLeaf: (seq) => step(() => database.events[Number(seq)]?.leafHash ?? null),
    prepare: () => {},
    append: (move, rows) => {
      const work = () => database.append(move, rows)
      return step(work, () => arriveLate(work))
    },
    close: async () => {
      isBroken = true
    },
  }
}

function firstAfter(names: Iterable<string>, after: string): readonly string[] {
  return [...names]
    .filter((name) => name > after)
    .sort()
    .slice(0, KEYS_A_PAGE)
}

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return null
  }
}
