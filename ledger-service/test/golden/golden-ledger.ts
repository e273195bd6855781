import { createPrivateKey } from 'node:crypto'
import type { Answer, Command } from '@cairn/ledger-contracts'
import { formatReceipt } from '@cairn/ledger-contracts/proof'
import { pino } from 'pino'
import { append, computeRoot, EMPTY_FRONTIER, hashNode } from '../../src/log/merkle.ts'
import type { Store } from '../../src/log/store.ts'
import { createWriter } from '../../src/log/writer.ts'
import { openSigningKey, type SigningKey } from '../../src/proofs/signing-key.ts'
import { createSimulatedDatabase, type SimulatedDatabase } from '../simulation/database.ts'
import { createSeededRandom } from '../simulation/random.ts'
import { createWorld } from '../simulation/world.ts'
import { createVersionedModel } from '../support/versioned-model.ts'

/**
 * The commands that were submitted at one time. If there is more than one command, they are linked.
 */
export interface Step {
  atMs: number
  commands: readonly Command[]
}

/** A ledger in memory that gives the same bytes for the same steps. */
interface GoldenLedger {
  now(): number
  submit(step: Step): Promise<readonly Answer[]>
  database: SimulatedDatabase
  close(): Promise<void>
}

const SALT_SEED = 3
/**
 * The model knows a second version of the rules, equal to the first version, so that a command can
 * activate it.
 */
const model = createVersionedModel(2)

export function openGoldenLedger(): GoldenLedger {
  const world = createWorld(createSeededRandom(SALT_SEED))
  const fences = {
    isFenced: true,
    isClockChecked: true,
    isModelChecked: true,
    areRowsInserted: true,
    areKeysCompared: true,
  }
  const database = createSimulatedDatabase({ ...fences, world })
  const writer = createWriter({
    ledger: 1,
    model,
    store: openPlainStore(database),
    clock: world.clock,
    log: pino({ level: 'silent' }),
    random: world.random.createBytes,
  })
  return {
    database,
    now: world.clock.now,
    submit: async ({ atMs, commands }) => {
      world.jumpClock(atMs - world.clock.now())
      const answers = await writer.submitLinked(commands, 'interactive')
      if (answers === null) throw new Error('the writer is full')
      return answers
    },
    close: () => writer.stop(),
  }
}

/** A store without delays and faults. */
function openPlainStore(database: SimulatedDatabase): Store {
  const findRows: (table: Parameters<typeof database.getRows>[0]) => ReadonlyMap<string, object> =
    database.getRows
  return {
    open: async () => ({
      takeHead: async (nowMs) => database.takeHead({ nowMs, modelVersion: model.version }),
      loadRows: async (table, keys) => keys.flatMap((key) => findRows(table).get(key) ?? []),
      loadAll: async (table) => [...findRows(table).values()],
      loadSettled: async (hashes) => database.getSettled(hashes),
      prepare: () => {},
      append: async (move, rows) => database.append(move, rows),
      holdsHead: async (head) => database.holdsHead(head),
      findLeaf: async (seq) => database.events[Number(seq)]?.leafHash ?? null,
      confirm: async () => {},
      close: async () => {},
    }),
  }
}

/** The files of the golden log, by name. */
export type GoldenFiles = ReadonlyMap<string, string>

/**
 * Returns all data that the ledger creates from the steps: bytes, hashes, the signed root and
 * receipts.
 */
export async function buildGoldenFiles(steps: readonly Step[]): Promise<GoldenFiles> {
  const ledger = openGoldenLedger()
  for (const step of steps) await ledger.submit(step)
  await ledger.close()
  const { events, refusals } = ledger.database
  const leaves = events.map(({ leafHash }) => leafHash)
  const frontier = leaves.reduce((to, leaf) => append(to, leaf).frontier, EMPTY_FRONTIER)
  const root = computeRoot(frontier)
  const checkpoint = openGoldenKey().signCheckpoint({ size: frontier.size, root })
  const stored = [...refusals.values()].toSorted((one, other) => Number(one.place - other.place))
  const files = new Map<string, string>()
  files.set('events.jsonl', joinLines(events.map(({ bytes }) => bytes.toString('utf8'))))
  files.set('leaves.txt', joinLines(leaves.map((leaf) => leaf.toString('hex'))))
  files.set('refusals.jsonl', joinLines(stored.map(({ bytes }) => bytes.toString('utf8'))))
  files.set('checkpoint.txt', checkpoint)
  for (const { type, seq, bytes } of events) {
    const name = `receipts/${type}.tlog-proof`
    if (files.has(name)) continue
    const path = computePath(leaves, Number(seq))
    files.set(name, formatReceipt({ event: bytes, index: seq, path, checkpoint }))
  }
  return files
}

/** Returns the inclusion path of RFC 6962 (section 2.1.1), computed from the leaves alone. */
function computePath(leaves: readonly Buffer[], index: number): readonly Buffer[] {
  if (leaves.length === 1) return []
  const split = splitSize(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...computePath(left, index), computeTreeHash(right)]
    : [...computePath(right, index - split), computeTreeHash(left)]
}

function computeTreeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only !== undefined && leaves.length === 1) return only
  const split = splitSize(leaves.length)
  return hashNode(computeTreeHash(leaves.slice(0, split)), computeTreeHash(leaves.slice(split)))
}

/** Returns the largest power of two below the size. */
function splitSize(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1)
}

/** The key of the golden log, which signs nothing else. Ed25519 signatures are deterministic. */
export function openGoldenKey(): SigningKey {
  const seed = Buffer.alloc(32, 'golden')
  // RFC 8410: the prefix of an Ed25519 private key in PKCS #8.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString()
  return openSigningKey({ pem, origin: 'cairn.golden/ledger/1' })
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
