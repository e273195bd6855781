import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { type Answer, type Command, KEY_ROTATION_DAYS } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { tryTakeLock } from '../log/election-locks.ts'
import { refuse } from '../log/model.ts'
import { writeKeyFile } from '../proofs/key-file.ts'
import { openLogKey } from '../proofs/log-keys.ts'
import { type PlannedHandover, planHandover } from '../proofs/plan-handover.ts'
import { runSelfCheck } from '../proofs/self-check.ts'
import { readOrCreateKey } from '../proofs/signing-key.ts'
import { findKeyRotation } from '../queries/controls/key-rotation.ts'
import type { ServeConfig } from './config.ts'
import { connectPlaces, type ReachedLedger } from './connect-places.ts'
import { openLedger } from './ledger.ts'

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
 * Replaces the signing key of all ledgers, while no ledger service runs. With a `reason`, declares
 * that at least one ledger lost events in a restore; the log of each such ledger gets a new name.
 * Writes the files outside of the database first. If a run is interrupted, the next run continues
 * it.
 */
export async function replaceSigningKeys(
  config: Replacing,
  { reason, log }: { reason: string | null; log: Logger },
): Promise<readonly ReplacedKey[]> {
  const { signingKeyFile: file } = config
  if (config.signingKeyPem !== null) {
    throw new Error('the signing key is in LEDGER_SIGNING_KEY: move it to LEDGER_SIGNING_KEY_FILE')
  }
  const pem = await readFile(file, 'utf8')
  const nextFile = `${file}.next`
  const isResumed = existsSync(nextFile)
  const nextPem = await readOrCreateKey(nextFile)
  const { ledgers, close } = await connectPlaces(config.places, 'ledger-key')
  try {
    const planned = await takeLocks(ledgers)
      .then(() => planHandovers(ledgers, { config, pem, nextPem, reason, isResumed }))
      .catch(async (error) => {
        if (!isResumed) await rm(nextFile)
        throw error
      })
    const replaced: ReplacedKey[] = []
    for (const { reached, plan } of planned) {
      const { ledger, lines } = plan
      await writeKeyFile({ folder: config.checkpointDir, ledger }, lines)
      replaced.push({ ...plan, seq: await recordHandover({ config, reached, plan, reason, log }) })
    }
    await rename(nextFile, file)
    await checkAll(ledgers, { config, pem: nextPem })
    return replaced
  } finally {
    await close()
  }
}

/** Takes the lock of each ledger. Throws if an instance of the ledger service runs. */
async function takeLocks(ledgers: readonly ReachedLedger[]): Promise<void> {
  for (const { ledger, lock } of ledgers) {
    if (await tryTakeLock(lock, ledger)) continue
    throw new Error(`ledger ${ledger} is in use: stop all ledger services first`)
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
    const plan = await planHandover({ pool, ledger, checkpointDir, pem, nextPem, nowMs })
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
      const key = await openLogKey(pool, { ledger, pem, origin })
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

/** Opens the ledger, appends the event of the handover, and signs the log with the new key. */
async function recordHandover(given: {
  config: Replacing
  reached: ReachedLedger
  plan: PlannedHandover
  reason: string | null
  log: Logger
}): Promise<bigint> {
  const { config, reached, plan, reason, log } = given
  const { checkpointDir, clock, durability } = config
  const { databaseUrl, pool } = reached
  const { ledger, fresh, newKey, handover } = plan
  const parts = openLedger({
    ledger,
    databaseUrl,
    pool,
    key: newKey,
    checkpointDir,
    clock,
    log,
    durability,
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
    throw new Error(`ledger ${ledger} did not record the new key: ${describeFailure(answer)}`)
  }
  const { seq } = answer.event
  await parts.ask('receipt', { seq })
  await parts.stop()
  return seq
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
    const key = await openLogKey(pool, { ledger, pem, origin })
    requireNoProblems(ledger, await runSelfCheck({ pool, ledger, key, checkpointDir }))
  }
}

function requireNoProblems(ledger: number, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`ledger ${ledger}: ${problems.join('\n  ')}`)
}
