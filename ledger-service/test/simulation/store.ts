import type { Store, StoreSession } from '../../src/log/store.ts'
import type { SimulatedDatabase } from './database.ts'
import type { World } from './world.ts'

/** How often a step of a session is cut, before or after the database has done its work. */
const CUT_CHANCE = 0.01
/** A filter reads the keys while others are written. */
const KEYS_A_PAGE = 50
const NEVER = new Promise<never>(() => {})

/**
 * Sessions on the simulated database that take their time, break off at any step and lose answers.
 * Once their process is dead nothing comes back any more, though a statement on its way may arrive.
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

  /** `lost` is told when the work was not done, though it may have been on its way. */
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

  /** The statement was sent, and nobody is there to hear what became of it. */
  function arriveLate(work: () => unknown): void {
    if (random.chance(0.5)) return
    // What the database refuses then, it refuses silently.
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
