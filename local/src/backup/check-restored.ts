import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { ROOT } from '../environment.ts'
import { listFolder } from './durable-files.ts'

/** The name of the log, the size and the root of a signed checkpoint. */
const CHECKPOINT = /^(\S+)\n(\d+)\n([A-Za-z0-9+/]{43}=)\n/gm
const EVENTS_MAX = 10_000
const CHECKPOINTS_MAX = 10_000

/**
 * Runs `ledger verify` on the restored server. Returns true if the verification found no problem. A
 * ledger without a command has nothing to verify; `compareWithCheckpoints` finds events that are
 * missing.
 */
export async function verifyLedger(url: string, ledger: number): Promise<boolean> {
  if (await isUnused(url, ledger)) {
    process.stdout.write(`ledger ${ledger} has no events\n`)
    return true
  }
  const cli = join(ROOT, 'ledger-service', 'src', 'cli.ts')
  const child = spawn(process.execPath, [cli, 'verify', '--ledger', String(ledger)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LEDGER_DATABASE_URL: url },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

function isUnused(url: string, ledger: number): Promise<boolean> {
  return runWithClient(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `select exists (select from ledger.head where ledger_id = $1)
         or exists (select from ledger.event where ledger_id = $1) as exists`,
      [ledger],
    )
    return rows[0]?.exists === false
  })
}

export interface CheckpointComparison {
  readonly events: number
  /**
   * The size of the newest checkpoint that is in both the database and the files; null if there is
   * no such checkpoint.
   */
  readonly compared: number | null
  /** The size of a checkpoint whose root differs between the database and the files, or null. */
  readonly different: number | null
  /**
   * The number of events that a checkpoint covers and the restored log does not contain; 1 if the
   * events cannot be counted.
   */
  readonly missing: number
}

/**
 * Compares the newest checkpoints in the restored database with the checkpoints that the ledger
 * wrote outside of the database. `verify` compares the log with the checkpoints in the database.
 */
export async function compareWithCheckpoints({
  url,
  ledger,
  folder,
}: {
  url: string
  ledger: number
  folder: string
}): Promise<CheckpointComparison> {
  const outside = await readCheckpoints(folder, ledger)
  return runWithClient(url, async (client) => {
    const head = await client.query(
      'select size::int as size from ledger.head where ledger_id = $1',
      [ledger],
    )
    const stored = await client.query<Checkpoint>(
      `select split_part(note, E'\\n', 1) as origin, size::int as size,
         encode(root, 'base64') as root
       from ledger.checkpoint where ledger_id = $1 order by ledger.checkpoint.size desc limit ${CHECKPOINTS_MAX}`,
      [ledger],
    )
    const events: number = head.rows[0]?.size ?? 0
    const roots = new Map(stored.rows.map((row) => [formatPlace(row), row.root]))
    const inBoth = outside.filter((checkpoint) => roots.has(formatPlace(checkpoint)))
    // After a fork was declared, the log has a new name. Only checkpoints with the new name are
    // compared.
    const present = outside.filter(({ origin }) => origin === outside.at(-1)?.origin)
    const lacksFork = stored.rows.every(({ origin }) => origin !== present[0]?.origin)
    const missing = Math.max(0, findLargest(present.map(({ size }) => size)) - events)
    return {
      events,
      compared: inBoth.at(-1)?.size ?? null,
      different:
        inBoth.find((checkpoint) => roots.get(formatPlace(checkpoint)) !== checkpoint.root)?.size ??
        null,
      missing: missing === 0 && lacksFork && present.length > 0 ? 1 : missing,
    }
  })
}

const findLargest = (values: readonly number[]) =>
  values.reduce((largest, value) => Math.max(largest, value), 0)

const formatPlace = ({ origin, size }: Checkpoint) => `${origin} ${size}`

interface Checkpoint {
  origin: string
  size: number
  root: string
}

async function readCheckpoints(folder: string, ledger: number): Promise<readonly Checkpoint[]> {
  const prefix = `ledger-${ledger}-checkpoints-`
  const names = (await listFolder(folder)).filter((name) => name.startsWith(prefix))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(CHECKPOINT)].map(([, origin = '', size, root = '']) => ({
      origin,
      size: Number(size),
      root,
    })),
  )
}

export interface EventComparison {
  readonly compared: number
  /**
   * The first event that differs from the running log or is missing in the running log. Null if no
   * such event exists.
   */
  readonly firstDifferent: string | null
  /** The number of events of the running log that are newer than the restored log. */
  readonly newer: number
}

/** Compares all events of the restored log with the events of the running log. */
export async function compareEvents({
  running,
  restored,
  ledger,
}: {
  running: string
  restored: string
  ledger: number
}): Promise<EventComparison> {
  return runWithClient(running, (ours) =>
    runWithClient(restored, async (theirs) => {
      let [compared, after] = [0, '-1']
      for (;;) {
        const batch = await readHashes(theirs, { ledger, after })
        const other = new Map(
          (await readHashes(ours, { ledger, after })).map(({ seq, hash }) => [seq, hash]),
        )
        const last = batch.at(-1)
        if (last === undefined)
          return {
            compared,
            firstDifferent: null,
            newer: await countEvents(ours, { ledger, after }),
          }
        const different = batch.find(({ seq, hash }) => other.get(seq) !== hash)
        if (different !== undefined) return { compared, firstDifferent: different.seq, newer: 0 }
        compared += batch.length
        after = last.seq
      }
    }),
  )
}

async function readHashes(
  client: pg.Client,
  { ledger, after }: { ledger: number; after: string },
): Promise<readonly { seq: string; hash: string }[]> {
  const { rows } = await client.query(
    `select seq::text, encode(leaf_hash || sha256(bytes), 'hex') as hash from ledger.event
     where ledger_id = $1 and seq > $2 order by ledger.event.seq limit ${EVENTS_MAX}`,
    [ledger, after],
  )
  return rows
}

async function countEvents(
  client: pg.Client,
  { ledger, after }: { ledger: number; after: string },
): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::int as n from ledger.event where ledger_id = $1 and seq > $2',
    [ledger, after],
  )
  return rows[0].n
}

async function runWithClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
