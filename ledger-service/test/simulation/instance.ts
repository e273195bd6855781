import type { Answer, Command, DryRunAnswer, Lane } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { type Assumptions, createAssumptions } from '../../src/log/assumptions.ts'
import type { Context, Model } from '../../src/log/model.ts'
import type { Store } from '../../src/log/store.ts'
import { type Cache, type CachedTables, createCache } from '../../src/log/view.ts'
import { createWriter, type WriterOptions } from '../../src/log/writer.ts'
import type { SimulatedDatabase } from './database.ts'
import { model as ruleBook } from './model.ts'
import { createSimulatedStore } from './store.ts'
import type { World } from './world.ts'

/** The limit is small, so that rows are often evicted and loaded again. */
const ROWS_PER_TABLE_MAX = 8
/**
 * With these small limits, the writer has forgotten most repeated keys. After a conflict, the
 * writer looks up only a few commands.
 */
const ASSUMING = { keysMin: 1, cautionMin: 1 }

/**
 * Parts of the writer that a test replaces with defective parts. The simulation must detect the
 * defect.
 */
export interface Parts {
  wrapStore?: (store: Store, world: World) => Store
  model?: Model
  createCache?: (tables: CachedTables, rowsPerTableMax: number) => Cache
  isFenced?: boolean
  isClockChecked?: boolean
  isModelChecked?: boolean
  areRowsInserted?: boolean
  areKeysCompared?: boolean
  /** Changes the assumptions of the writer. */
  wrapAssumptions?: (assumptions: Assumptions) => Assumptions
  /** If false, linked commands are submitted one by one. */
  isLinking?: boolean
  /** If false, the commands of a dry run are recorded. */
  isDry?: boolean
}

/** A simulated process with the real writer. */
export interface Instance {
  readonly number: number
  /**
   * Returns the answers. Returns null if the queue was full or the process crashed before it
   * answered.
   */
  submit(commands: readonly Command[], lane: Lane): Promise<readonly Answer[] | null>
  submitLinked(commands: readonly Command[], lane: Lane): Promise<readonly Answer[] | null>
  submitDryRun(commands: readonly Command[], lane: Lane): Promise<readonly DryRunAnswer[] | null>
  /** The number of submissions without an answer. */
  countWaiting(): number
  isDead(): boolean
  /** True if another instance has replaced this instance, which then takes no more commands. */
  isReplaced(): boolean
  kill(): void
  stop(): Promise<void>
}

/** Wraps the model so that the context of each decision is recorded. */
function recordDecisions(model: Model, deciding: Map<string, Context[]>): Model {
  return {
    ...model,
    decide: (command, view, context) => {
      deciding.set(command.actor, [...(deciding.get(command.actor) ?? []), context])
      return model.decide(command, view, context)
    },
  }
}

export function startInstance(options: {
  number: number
  modelVersion: number
  /** The role of this instance, if one of the instances is elected. */
  role?: Pick<WriterOptions, 'mayTakeHead' | 'forward'>
  database: SimulatedDatabase
  world: World
  parts: Parts
  /** The contexts in which commands were decided, keyed by the actor of the command. */
  deciding: Map<string, Context[]>
}): Instance {
  const { number, modelVersion, role = {}, database, world, parts, deciding } = options
  const {
    createCache: createRowCache = createCache,
    model = ruleBook,
    wrapStore = (store: Store) => store,
    wrapAssumptions = (assumptions: Assumptions) => assumptions,
    isLinking = true,
    isDry = true,
  } = parts
  const life = { isDead: false, isReplaced: false, die: () => {} }
  const died = new Promise<null>((resolve) => {
    life.die = () => resolve(null)
  })
  const isDead = () => life.isDead
  const knowsVersion = ({ type, data }: Command) =>
    type !== 'ActivateModel' || data.version <= modelVersion
  let waiting = 0
  const simulated = createSimulatedStore({ database, world, isDead, modelVersion })
  const writer = createWriter({
    ...role,
    ledger: 1,
    store: wrapStore(simulated, world),
    model: recordDecisions({ ...model, canDecide: knowsVersion }, deciding),
    clock: world.clock,
    log: pino({ level: 'silent' }),
    random: world.random.createBytes,
    createCache: (tables) => createRowCache(tables, ROWS_PER_TABLE_MAX),
    createAssumptions: () => wrapAssumptions(createAssumptions(ASSUMING)),
    onDeposed: () => {
      life.isReplaced = true
    },
    // The driver of the simulation ends a replaced process.
    endProcess: () => {},
    // In a crashed process, calls never resolve.
    pause: (ms) => (life.isDead ? died.then(() => new Promise(() => {})) : world.pause(ms)),
  })

  async function waitForAnswers<A>(
    submitted: Promise<readonly A[]> | null,
  ): Promise<readonly A[] | null> {
    if (submitted === null) return null
    waiting += 1
    // If the answer was lost on the way to another instance, `submitted` rejects.
    const answering = submitted.catch(() => null)
    const given = await Promise.race([answering, died])
    waiting -= 1
    return life.isDead ? null : given
  }

  /**
   * Sabotaged twin: the writer treats a dry run as linked commands, and so records its commands.
   */
  function recordDryRun(
    commands: readonly Command[],
    lane: Lane,
  ): Promise<readonly DryRunAnswer[]> | null {
    const submitted = writer.submitLinked(commands, lane)
    if (submitted === null) return null
    return submitted.then((answers) =>
      answers.map((answer) =>
        answer.outcome === 'recorded' ? { outcome: 'accepted', event: answer.event } : answer,
      ),
    )
  }

  return {
    number,
    isDead,
    isReplaced: () => life.isReplaced,
    countWaiting: () => waiting,
    submit: (commands, lane) => waitForAnswers(writer.submit(commands, lane)),
    submitLinked: (commands, lane) =>
      waitForAnswers(
        isLinking ? writer.submitLinked(commands, lane) : writer.submit(commands, lane),
      ),
    submitDryRun: (commands, lane) =>
      waitForAnswers(isDry ? writer.submitDryRun(commands, lane) : recordDryRun(commands, lane)),
    kill: () => {
      life.isDead = true
      life.die()
    },
    stop: () => Promise.race([writer.stop(), died]).then(() => {}),
  }
}
