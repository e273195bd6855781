import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import { confirmOnOwner } from '../service/database/owner-pool.ts'
import { appendCheckpoint } from './checkpoint-file.ts'
import { readKeyFile, writeKeyFile } from './key-file.ts'
import type { LogKey } from './log-key.ts'
import { listVerifierKeys } from './log-keys.ts'
import { computeHead } from './prove.ts'
import { buildReceipt, findLatestCheckpoint, type StoredCheckpoint } from './receipts.ts'
import { requireSigned } from './self-check.ts'
import type { SigningKey } from './signing-key.ts'
import { withSigningKey } from './signing-lock.ts'
import { isSigningDue, SIGNING_MS_MIN, type Unsigned } from './signing-pace.ts'
import { openStoredTree } from './stored-tree.ts'

export interface Checkpoints {
  /** Schedules a checkpoint of the head, see `isSigningDue`. */
  notifyAppended(): void
  findLatest(): Promise<StoredCheckpoint | null>
  /** Returns the receipt of an event, under the first checkpoint that covers it. */
  readReceipt(seq: bigint): Promise<string>
  listVerifierKeys(): Promise<readonly string[]>
  stop(): Promise<void>
}

interface CheckpointOptions {
  ledger: number
  pool: pg.Pool
  key: LogKey
  /**
   * A folder outside the database. Its files show whether an older state of the database was
   * restored.
   */
  checkpointDir: string
  clock: Clock
  log: Logger
  /**
   * Waits until all visible commits are durable. A test replaces this function to show that the
   * signer needs it.
   */
  confirm?: (pool: pg.Pool, ledger: number) => Promise<void>
  /**
   * Throws if the head does not continue the signed log. A test replaces this function to show that
   * the signer needs it.
   */
  requireContinued?: typeof requireContinuedLog
}

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { ledger, pool, clock, log } = options
  let timer: NodeJS.Timeout | null = null
  let signing: Promise<void> = Promise.resolve()
  let isStopping = false

  /**
   * Signs the head if a checkpoint is due. First waits until an earlier call has signed, so that at
   * most one connection waits for the database.
   */
  function sign(isDue: (unsigned: Unsigned) => boolean): Promise<void> {
    signing = signing
      .catch(() => {})
      .then(async () => {
        const head = await findUnsignedHead(options)
        if (head === null || head.events <= 0n) return
        if (isDue(head)) await signHead(options, head)
        else signSoon()
      })
    return signing
  }
  const signNow = () => sign(() => true)

  function signSoon(): void {
    if (timer !== null || isStopping) return
    timer = setTimeout(() => {
      timer = null
      sign((unsigned) => isSigningDue(unsigned, clock.now())).catch((error) => {
        log.error({ err: error }, 'the checkpoint could not be signed; the ledger will try again')
        signSoon()
      })
    }, SIGNING_MS_MIN)
  }

  return {
    notifyAppended: signSoon,
    findLatest: () => findLatestCheckpoint(pool, ledger),
    listVerifierKeys: () => listVerifierKeys(pool, ledger),
    readReceipt: async (seq) => {
      const found = await buildReceipt(pool, { ledger, seq })
      if (found !== null) return found
      await signNow()
      const signed = await buildReceipt(pool, { ledger, seq })
      if (signed === null) throw new Error(`no checkpoint covers event ${seq}`)
      return signed
    },
    stop: async () => {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await signNow().catch((error) =>
        log.error({ err: error }, 'the last checkpoint could not be signed'),
      )
    },
  }
}

/**
 * Signs the size and root that the last batch stored in the head, if the stored hashes have the same
 * root and continue the newest checkpoint in the file. Otherwise a superuser of the database, who
 * can write any root into the head for a moment, would get the signature of a log that never
 * existed.
 *
 * Before the signature, the head
 * must be durable, so a checkpoint never covers events that a failure loses. The checkpoint is
 * written to the file first, so that every stored checkpoint is also in the file.
 */
async function signHead(options: CheckpointOptions, head: UnsignedHead): Promise<void> {
  const { ledger, pool, checkpointDir, confirm = confirmOnOwner } = options
  const { requireContinued = requireContinuedLog } = options
  await confirm(pool, ledger)
  const place = { folder: checkpointDir, ledger }
  await withSigningKey(options, async (client, key, nowMs) => {
    await requireContinued(client, { ledger, key, checkpointDir, head })
    const note = key.signCheckpoint(head)
    await appendCheckpoint({ ...place, nowMs }, note)
    await client.query(
      `insert into ledger.checkpoint (ledger_id, size, root, note, signed_at)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [ledger, head.size, head.root, note, new Date(nowMs).toISOString()],
    )
  })
  if ((await readKeyFile(place)).length === 0) {
    await writeKeyFile(place, await listVerifierKeys(pool, ledger))
  }
}

async function requireContinuedLog(
  client: pg.ClientBase,
  log: { ledger: number; key: SigningKey; checkpointDir: string; head: UnsignedHead },
): Promise<void> {
  const { ledger, head } = log
  await requireSigned(client, log)
  const stored = await computeHead(openStoredTree(client, ledger), head.size)
  if (stored.root === head.root.toString('hex')) return
  throw new Error(
    `ledger ${ledger}: the root in the head is not the root of its ${head.size} events: run verify`,
  )
}

interface UnsignedHead extends Unsigned {
  size: bigint
  root: Buffer
}

async function findUnsignedHead({ pool, ledger }: CheckpointOptions): Promise<UnsignedHead | null> {
  const { rows } = await pool.query<UnsignedHead>(
    // Citus sends the statement to one node only if each table has its own condition.
    `select head.size, root, head.size - coalesce(newest.size, 0) as events,
       newest.signed_at as "signedAtMs"
     from ledger.head left join (
       select size, signed_at from ledger.checkpoint where ledger_id = $1
       order by size desc limit 1
     ) as newest on true where ledger_id = $1`,
    [ledger],
  )
  return rows[0] ?? null
}
