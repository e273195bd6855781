import { createHash } from 'node:crypto'
import type { Command, Lane } from '@cairn/ledger-contracts'
import type { Context } from '../../src/log/model.ts'
import { createCallers } from './callers.ts'
import { checkAnswers } from './check-answers.ts'
import { checkBooks } from './check-books.ts'
import { checkClaims } from './check-claims.ts'
import { checkDecisions } from './check-decisions.ts'
import { checkDryRuns } from './check-dry-runs.ts'
import { checkImports } from './check-imports.ts'
import { checkLinkedGroups } from './check-linked.ts'
import { checkRefusalChain } from './check-refusal-chain.ts'
import { createCommandSource } from './commands.ts'
import { createSimulatedDatabase, type SimulatedDatabase } from './database.ts'
import { type Instance, type Parts, startInstance } from './instance.ts'
import { createSeededRandom } from './random.ts'
import { createWorld, type World } from './world.ts'

export interface Outcome {
  readonly violations: readonly string[]
  /**
   * A hash of all events, including their salts, and of all refusals. The hash depends only on the
   * seed.
   */
  readonly hash: string
  readonly commands: number
  readonly events: number
  readonly instances: number
  /** The number of batches that were not written because of a wrong assumption. */
  readonly conflicts: number
}

export const COMMANDS_PER_SEED = 100
const FENCES = {
  isFenced: true,
  isClockChecked: true,
  isModelChecked: true,
  areRowsInserted: true,
  areKeysCompared: true,
}
const TURNS_MAX = 60_000
const HOUR_MS = 3_600_000

/**
 * Runs the real writer in simulated processes that crash, with a database that fails and a clock
 * that jumps. The seed determines everything.
 */
export async function simulate(
  seed: number,
  { commands = COMMANDS_PER_SEED, parts = {} }: { commands?: number; parts?: Parts } = {},
): Promise<Outcome> {
  const world = createWorld(createSeededRandom(seed))
  const database = createSimulatedDatabase({ ...FENCES, ...parts, world })
  const deciding = new Map<string, Context[]>()
  const cluster = createCluster({ world, database, parts, deciding })
  const source = createCommandSource(world)
  const getLogSize = () => database.events.length
  const callers = createCallers({ world, source, instances: cluster.instances, getLogSize })

  const state = { isDone: false }
  const running = callers.run(commands).then(() => {
    state.isDone = true
  })
  const isStuck = !(await runTurns(world, () => state.isDone, cluster.causeFaults))
  if (!isStuck) await running
  const stopping = cluster.stop()
  const isStopped = await runTurns(world, stopping.isDone, () => {})
  const wrongBooks = checkBooks(database)
  const { wishes, groups, dryRuns } = callers
  const violations = [
    ...callers.violations,
    ...cluster.unanswered,
    ...(isStuck ? ['a caller is never answered'] : []),
    ...(isStopped ? [] : ['an instance does not stop']),
    ...wrongBooks,
    ...checkAnswers(database, wishes),
    ...checkLinkedGroups(database, groups),
    ...checkDryRuns(database, dryRuns),
    ...checkImports(database),
    // Claims can be checked only if the log and the projections are correct.
    ...(wrongBooks.length === 0
      ? checkClaims(database, { wishes, groups, dryRuns, deciding })
      : []),
    ...(wrongBooks.length === 0 ? checkDecisions(database, wishes) : []),
    ...(wrongBooks.length === 0 ? await checkRefusalChain(database) : []),
  ]
  return {
    violations,
    hash: hashDatabase(database),
    commands: callers.wishes.length,
    events: database.events.length,
    instances: cluster.instances().length,
    conflicts: database.countConflicts(),
  }
}

async function runTurns(world: World, isDone: () => boolean, each: () => void): Promise<boolean> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    if (isDone()) return true
    await world.tick()
    each()
  }
  return isDone()
}

/** Starts simulated processes and causes their faults. */
function createCluster(options: {
  world: World
  database: SimulatedDatabase
  parts: Parts
  deciding: Map<string, Context[]>
}) {
  const { random, jumpClock, setClockError, setOutage } = options.world
  const instances: Instance[] = []
  const unanswered: string[] = []
  const ending = new Set<Instance>()

  // In half of the runs, one instance is elected as the writer. In the other runs, the instances
  // take over the log from each other.
  const hasElection = random.drawChance(0.5)
  let modelVersion = 1

  function startProcess(): void {
    const number = instances.length
    if (random.drawChance(0.2)) modelVersion += 1
    // Occasionally, an instance with the previous version of the rules is started again.
    const own = random.drawChance(0.1) ? Math.max(1, modelVersion - 1) : modelVersion
    const role = hasElection ? { role: createRole(number) } : {}
    instances.push(startInstance({ ...options, ...role, number, modelVersion: own }))
  }

  /** The newest instance is the elected instance, even if the other instances do not know this. */
  function createRole(number: number) {
    const findElectedInstance = () =>
      listRunningInstances().findLast((instance) => !instance.isReplaced())
    return {
      mayTakeHead: async () => findElectedInstance()?.number === number,
      forward: async (
        commands: readonly Command[],
        { lane, isLinked }: { lane: Lane; isLinked: boolean },
      ) => {
        const elected = findElectedInstance()
        const submit = isLinked ? elected?.submitLinked : elected?.submit
        const answers = await submit?.(commands, lane)
        if (answers === null || answers === undefined) throw new Error('the answer was lost')
        return answers
      },
    }
  }

  async function stopInstance(instance: Instance): Promise<void> {
    await instance.stop()
    // The answers that the instance has sent arrive within a few steps of the simulated clock.
    await options.world.waitTurns(5)
    if (instance.countWaiting() > 0) unanswered.push('an instance ended without answering a caller')
    instance.kill()
  }

  function listRunningInstances(): readonly Instance[] {
    return instances.filter((instance) => !instance.isDead())
  }

  startProcess()
  return {
    instances: () => instances,
    unanswered,
    causeFaults: () => {
      for (const instance of listRunningInstances()) {
        if (!instance.isReplaced() || ending.has(instance)) continue
        ending.add(instance)
        void stopInstance(instance)
      }
      const living = listRunningInstances()
      if (living.length === 0 && random.drawChance(0.1)) startProcess()
      // A second process starts while the first process is running, as after a wrong report that
      // the first process has failed.
      if (living.length === 1 && random.drawChance(0.004)) startProcess()
      if (living.length > 0 && random.drawChance(0.004)) {
        random.pick(living).kill()
      }
      // This process is stopped gracefully, as when another process replaces it.
      if (living.length > 0 && random.drawChance(0.001)) void stopInstance(random.pick(living))
      if (random.drawChance(0.002)) setOutage(random.pickInt(80))
      if (random.drawChance(0.01)) jumpClock(HOUR_MS)
      if (random.drawChance(0.004)) jumpClock(25 * HOUR_MS)
      if (random.drawChance(0.005)) jumpClock(-random.pickInt(4_000))
      if (random.drawChance(0.005)) jumpClock(random.pickInt(20_000))
      if (random.drawChance(0.004)) setClockError(random.pickInt(40_000) - 20_000)
      if (random.drawChance(0.02)) setClockError(0)
    },
    stop: () => {
      const state = { left: listRunningInstances().length }
      for (const instance of listRunningInstances()) {
        void instance.stop().then(() => {
          state.left -= 1
        })
      }
      return { isDone: () => state.left === 0 }
    },
  }
}

function hashDatabase({ events, refusals }: SimulatedDatabase): string {
  const hash = createHash('sha256')
  for (const row of [...events]) hash.update(row?.bytes ?? '')
  for (const name of [...refusals.keys()].toSorted()) hash.update(name)
  return hash.digest('hex')
}
