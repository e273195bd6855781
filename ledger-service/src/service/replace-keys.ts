import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Answer, type Command, KEY_ROTATION_DAYS } from '@cairn/ledger-contracts'
import { syncFolder } from '@cairn/service-kit/durable-file'
import type pg from 'pg'
import type { Logger } from 'pino'
import { refuse } from '../log/model.ts'
import { RefusedData, wrapSessions } from '../log/store.ts'
import { writeKeyFile } from '../proofs/key-file.ts'
import { openLogKey } from '../proofs/log-keys.ts'
import { type PlannedHandover, planHandover } from '../proofs/plan-handover.ts'
import { runSelfCheck } from '../proofs/self-check.ts'
import { getNextKeyFile, readOrCreateKey } from '../proofs/signing-key.ts'
import { lockKeyChanges, withoutSigning } from '../proofs/signing-lock.ts'
import { findKeyRotation } from '../queries/controls/key-rotation.ts'
import type { ServeConfig } from './config.ts'
import { connectPlaces, type ReachedLedger } from './connect-places.ts'
import type { LedgerParts } from './http/routes.ts'
import { openLedger } from './ledger.ts'
import { reserveLedgers } from './reserve-ledgers.ts'

/** A ledger that another key signs from now on. */
export interface ReplacedKey extends PlannedHandover {
  /** The number of the event that records the new key. */
  readonly seq: bigint
}

type Replacing = Pick<
  ServeConfig,
  | 'places'
  | 'origin'
  | 'checkpointDir'
  | 'signingKeyPem'
  | 'signingKeyFile'
  | 'clock'
  | 'durability'
>

/**
 * Replaces the signing key of all ledgers. Running instances of the service go on with the new key,
 * which they read from the file of the next key. With a `reason`, declares that at least one ledger
 * lost events in a restore; the log of each such ledger gets a new name, and no instance may run. If
 * a run is interrupted, the next run continues it.
 */
export async function replaceSigningKeys(
  config: Replacing,
  { reason, log }: { reason: string | null; log: Logger },
): Promise<readonly ReplacedKey[]> {
  const { signingKeyFile: file } = config
  if (config.signingKeyPem !== null) {
    throw new Error('the signing key is in LEDGER_SIGNING_KEY: move it to LEDGER_SIGNING_KEY_FILE')
  }
  const { ledgers, close } = await connectPlaces(config.places, 'ledger-key')
  try {
    for (const lock of new Set(ledgers.map((reached) => reached.lock))) await lockKeyChanges(lock)
    const pem = await readFile(file, 'utf8')
    const nextFile = getNextKeyFile(file)
    const isResumed = existsSync(nextFile)
    const nextPem = await readOrCreateKey(nextFile)
    const planning = { config, pem, nextPem, reason, isResumed }
    const running = new Set<number>()
    const planned = await reserveLedgers(ledgers, { reason, running })
      .then(() => planHandovers(ledgers, planning))
      .catch(async (error) => {
        if (!isResumed) await rm(nextFile)
        throw error
      })
    const replaced: ReplacedKey[] = []
    for (const { reached, plan } of planned) {
      const given = { config, reached, reason, log }
      const key = running.has(reached.ledger)
        ? await replaceWhileRunning({ ...given, pem, nextPem })
        : await replaceWhileStopped({ ...given, plan })
      if (key !== null) replaced.push(key)
    }
    await rename(nextFile, file)
    await syncFolder(dirname(file))
    await checkAll(ledgers, { config, pem: nextPem })
    return replaced
  } finally {
    await close()
  }
}

/** The new key of a ledger, and where the ledger is. */
interface PlannedLedger {
  reached: ReachedLedger
  plan: PlannedHandover
}

async function planHandovers(
  ledgers: readonly ReachedLedger[],
  given: {
    config: Replacing
    pem: string
    nextPem: string
    reason: string | null
    isResumed: boolean
  },
): Promise<readonly PlannedLedger[]> {
  const { config, pem, nextPem, reason, isResumed } = given
  const { checkpointDir, origin } = config
  const nowMs = config.clock.now()
  const planned: PlannedLedger[] = []
  for (const reached of ledgers) {
    const { ledger, pool } = reached
    // An instance that signs meanwhile would look like a log that lacks signed events.
    const plan = await withoutSigning(reached, () =>
      planHandover({ pool, ledger, checkpointDir, pem, nextPem, nowMs }),
    )
    if (plan === null) continue
    if (plan.handover.lost !== null && reason === null) {
      throw new Error(
        `ledger ${ledger} lacks events that were signed: restore a newer state, or accept the loss ` +
          'with declare-fork',
      )
    }
    if (!plan.isResumed && plan.handover.lost === null) {
      await requirePermission(pool, { ledger, nowMs })
    }
    // A fork explains why the log differs from the files. Without a fork, the log and the files
    // must agree.
    if (!plan.isResumed && plan.handover.lost === null) {
      const key = await openLogKey(pool, { ledger, pems: [pem], origin })
      requireNoProblems(ledger, await runSelfCheck({ pool, ledger, key, checkpointDir }))
    }
    planned.push({ reached, plan })
  }
  // If an interrupted run has already recorded the forks, no log is older than its checkpoints any
  // more. The call is then not refused.
  const isLost = planned.some(({ plan }) => plan.handover.lost !== null)
  if (reason !== null && !isLost && !isResumed) {
    throw new Error(
      'no log is older than its checkpoints outside of the database: nothing was lost',
    )
  }
  return planned
}

/**
 * Throws if dual control is required and no permission for a new key by two administrators is
 * valid. This check runs before any file is written. The ledger checks the permission again.
 */
async function requirePermission(
  pool: pg.Pool,
  { ledger, nowMs }: { ledger: number; nowMs: number },
): Promise<void> {
  const { rows } = await pool.query<{ mode: string }>(
    'select mode from ledger.dual_control where ledger_id = $1',
    [ledger],
  )
  if (rows[0]?.mode !== 'required') return
  const { permission } = await findKeyRotation(pool, ledger)
  if (permission !== null && nowMs <= Date.parse(permission.until)) return
  const { message } = refuse('rotationNotPermitted', { days: String(KEY_ROTATION_DAYS) }).refusal
  throw new Error(`ledger ${ledger}: ${message}`)
}

interface Recording {
  config: Replacing
  reached: ReachedLedger
  reason: string | null
  log: Logger
}

/** Writes the file of keys first, so that a restored log that lacks the event is noticed. */
async function replaceWhileStopped(
  given: Recording & { plan: PlannedHandover },
): Promise<ReplacedKey> {
  const { plan, config } = given
  const folder = config.checkpointDir
  await writeKeyFile({ folder, ledger: plan.ledger }, plan.lines)
  return signWithNewKey(plan, await recordHandover(given))
}

/**
 * Plans the change again while no instance signs, so that the old key signs nothing after the size
 * that it hands over. The event comes before the file of keys: until it is recorded, the instances
 * go on with the old key. They also complete the file. Returns null if the log has the key already.
 */
async function replaceWhileRunning(
  given: Recording & { pem: string; nextPem: string },
): Promise<ReplacedKey | null> {
  const { config, reached, pem, nextPem } = given
  const { ledger, pool } = reached
  const { checkpointDir, clock } = config
  const nowMs = clock.now()
  let recorded: RecordedHandover | null = null
  try {
    const plan = await withoutSigning(reached, async (requireLock) => {
      const planned = await planHandover({ pool, ledger, checkpointDir, pem, nextPem, nowMs })
      if (planned === null) return null
      recorded = await recordHandover({ ...given, plan: planned, requireLock })
      return planned
    })
    if (plan === null || recorded === null) return null
    await writeKeyFile({ folder: checkpointDir, ledger }, plan.lines)
    return await signWithNewKey(plan, recorded)
  } catch (error) {
    // The lock can be lost after the event. The next run of the command then completes the files.
    await (recorded as RecordedHandover | null)?.parts.stop()
    throw error
  }
}

/** The event of a handover, and the ledger that was opened to record it. */
interface RecordedHandover {
  seq: bigint
  parts: LedgerParts
}

async function signWithNewKey(
  plan: PlannedHandover,
  { seq, parts }: RecordedHandover,
): Promise<ReplacedKey> {
  await parts.ask('receipt', { seq })
  await parts.stop()
  return { ...plan, seq }
}

/**
 * Opens the ledger and appends the event of the handover. Records nothing if `requireLock` throws,
 * which is called directly before the event is written.
 */
async function recordHandover({
  config,
  reached,
  plan,
  reason,
  log,
  requireLock = async () => {},
}: Recording & {
  plan: PlannedHandover
  requireLock?: () => Promise<void>
}): Promise<RecordedHandover> {
  const { checkpointDir, clock, durability } = config
  const { databaseUrl, pool } = reached
  const { ledger, fresh, newKey, handover } = plan
  let lost: unknown = null
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: async (move, rows) => {
      await requireLock().catch((error) => {
        lost = error
        throw new RefusedData('the signing lock is lost', { cause: error })
      })
      return session.append(move, rows)
    },
  }))
  const parts = openLedger({
    ledger,
    databaseUrl,
    pool,
    key: newKey,
    checkpointDir,
    clock,
    log,
    durability,
    wrapStore,
  })
  const command: Command = {
    type: 'ReplaceSigningKey',
    data: { handovers: [...fresh], reason: handover.lost === null ? null : reason },
    actor: 'system:server',
    key: newKey.verifierKey,
    requestId: null,
    effectiveAt: null,
  }
  const answer = (await parts.writer.submit([command], 'interactive'))?.[0]
  if (answer?.outcome !== 'recorded') {
    // Only the writer is stopped, because `parts.stop` would sign a log that does not name the new
    // key.
    await parts.writer.stop()
    if (lost !== null) throw lost
    throw new Error(`ledger ${ledger} did not record the new key: ${describeFailure(answer)}`)
  }
  return { seq: answer.event.seq, parts }
}

function describeFailure(answer: Answer | undefined): string {
  return answer === undefined || answer.outcome === 'recorded' ? 'no answer' : answer.message
}

async function checkAll(
  ledgers: readonly ReachedLedger[],
  { config, pem }: { config: Replacing; pem: string },
): Promise<void> {
  const { origin, checkpointDir } = config
  for (const { ledger, pool } of ledgers) {
    const key = await openLogKey(pool, { ledger, pems: [pem], origin })
    requireNoProblems(ledger, await runSelfCheck({ pool, ledger, key, checkpointDir }))
  }
}

function requireNoProblems(ledger: number, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`ledger ${ledger}: ${problems.join('\n  ')}`)
}
