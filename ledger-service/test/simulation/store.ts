import type { Store, StoreSession } from '../../src/log/store.ts'
import type { SimulatedDatabase } from './database.ts'
import type { World } from './world.ts'

/**
 * The probability that the connection breaks at a step, before or after the database has executed
 * the step.
 */
const CUT_CHANCE = 0.01
const NEVER = new Promise<never>(() => {})

/**
 * Creates a store on the simulated database with delays, broken connections and lost answers. After
 * the process has crashed, no call resolves, but a statement that was already sent may still be
 * executed.
 */
export function createSimulatedStore(options: {
  database: SimulatedDatabase
  world: World
  isDead(): boolean
  modelVersion: number
}): Store {
  const { database, world, isDead, modelVersion } = options
  return {
    open: async () => {
      await world.waitTurns(2)
      if (isDead()) return NEVER
      if (world.isOutage()) throw new Error('connection refused')
      return createSession({ database, world, isDead, modelVersion })
    },
  }
}

function createSession(parts: {
  database: SimulatedDatabase
  world: World
  isDead(): boolean
  modelVersion: number
}): StoreSession {
  const { database, world, isDead, modelVersion } = parts
  const { random } = world
  let isBroken = false

  function assertOpen(): void {
    if (world.isOutage()) isBroken = true
    if (isBroken) throw new Error('the connection is closed')
  }

  /**
   * Executes `work` with delays and faults. Calls `lost` if `work` was not executed because of a
   * fault.
   */
  async function executeStep<T>(work: () => T, lost: () => void = () => {}): Promise<T> {
    await world.waitTurns(1 + random.pickInt(3))
    if (random.drawChance(CUT_CHANCE)) isBroken = true
    if (isDead() || isBroken || world.isOutage()) lost()
    if (isDead()) return NEVER
    assertOpen()
    const result = work()
    await world.waitTurns(random.pickInt(3))
    if (isDead()) return NEVER
    if (random.drawChance(CUT_CHANCE)) isBroken = true
    assertOpen()
    return result
  }

  /**
   * Handles a statement that a crashed process may have sent before its crash. With a probability
   * of one half, executes the statement after a delay; otherwise ignores the statement.
   */
  function executeLate(work: () => unknown): void {
    if (random.drawChance(0.5)) return
    // Errors are ignored, because the process that would receive them has crashed.
    world.runAfter(random.pickInt(12), () => void runIgnoringErrors(work))
  }

  return {
    takeHead: (nowMs) => executeStep(() => database.takeHead({ nowMs, modelVersion })),
    loadAll: (table) => executeStep(() => [...database.getRows(table).values()]),
    loadRows: (table, keys) => {
      const find = () => keys.flatMap((key) => database.getRows(table).get(key) ?? [])
      return executeStep(find)
    },
    loadSettled: (hashes) => executeStep(() => database.getSettled(hashes)),
    holdsHead: (head) => executeStep(() => database.holdsHead(head)),
    confirm: () => executeStep(() => {}),
    findLeaf: (seq) => executeStep(() => database.events[Number(seq)]?.leafHash ?? null),
    prepare: () => {},
    append: (move, rows) => {
      const appendRows = () => database.append(move, rows)
      return executeStep(appendRows, () => executeLate(appendRows))
    },
    close: async () => {
      isBroken = true
    },
  }
}

function runIgnoringErrors(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return null
  }
}
