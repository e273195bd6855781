import { readFile } from 'node:fs/promises'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { model } from '../domain/model.ts'
import { exportLog, verifyExport } from '../proofs/export.ts'
import { listVerifierKeys } from '../proofs/log-keys.ts'
import { checkMonth } from '../proofs/month-end.ts'
import { rebuildProjections } from '../proofs/rebuild.ts'
import { buildReceipt, findLatestCheckpoint } from '../proofs/receipts.ts'
import { verifyLog } from '../proofs/verify.ts'
import { findSeqAt, readBalanceAfter } from '../queries/accounts/balances.ts'
import { readCurrency } from '../queries/accounts/currency.ts'
import { computeEffectiveBalance } from '../queries/accounts/effective-balance.ts'
import { computeTrialBalanceAt } from '../queries/accounts/past-totals.ts'
import { ALL_EVENTS, listEvents } from '../queries/explorer/events.ts'
import { formatAmountOf, formatTrialBalance, isBalanced } from './amounts.ts'
import type { Output } from './output.ts'
import { verifyAuditFile } from './verify-audit.ts'

export interface Asked {
  ledger: number
  argument: string | null
  at: string | null
  seq: string | null
  effective: string | null
  since: string | null
  /** The folder of the verified state; null if no state is read or kept. */
  stateFolder: string | null
  /** The file with an exported audit log. */
  audit: string | null
  month: string | null
  /** The reason for the loss of events. */
  reason: string | null
  /** The name of the place to which a ledger moves. */
  to: string | null
  /** The files with exports and receipts that prove the lost events. */
  from: readonly string[]
  keys: readonly string[]
  isRepairing: boolean
  isDryRun: boolean
  output: Output
}

/** The command line is invalid. The message names the required arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Offline = (asked: Asked) => Promise<boolean>
type Online = (asked: Asked, pool: pg.Pool) => Promise<boolean>

/** The parts of the ledger that each verification compares. */
const CHECKED = [
  'the bytes, hashes and columns of events',
  'postings and their sums',
  'balances',
  'the Merkle tree and the head',
  'the checkpoints and month ends that the database holds, and the keys that signed them',
  'tables, constraints, triggers, functions and rights of the schema',
  'each event and each stored refusal, decided again',
  'all projections',
]
const NOT_CHECKED = [
  'refusals of commands without an idempotency key, which are not stored',
  'the checkpoint file outside the database (its newest entry is checked when the ledger starts)',
]

/** Commands without a database. They return true if no problem was found (exit code 0). */
export const offline: Readonly<Record<string, Offline>> = {
  'verify-receipt': async ({ argument, keys, output }) => {
    const file = requireArgument(argument, 'verify-receipt requires the file of the receipt')
    if (keys.length === 0)
      throw new UsageError('verify-receipt requires --key with the verifier key of the log')
    const text = await readFile(file, 'utf8')
    const { event, index, checkpoint, lostIn } = await verifyReceipt(text, openKeys(keys))
    const { size, origin } = checkpoint
    output.printResult({ verified: true, index, event, size, lostIn }, [
      `verified: event ${index} of ${origin}, among ${size} signed events`,
      ...(lostIn === null ? [] : [`recorded, but lost in the restore of ${lostIn.at}`]),
      JSON.stringify(event, null, 2),
    ])
    return true
  },
  'verify-export': async ({ argument, keys, output }) => {
    const file = requireArgument(argument, 'verify-export requires the exported file')
    const trust = keys.length > 0 ? { trustedKeys: keys } : {}
    const { printProgress: onProgress } = output
    const found = await verifyExport(file, { ...trust, onProgress })
    const { events, origin, trialBalance, currency } = found
    const note =
      keys.length > 0 ? [] : ['signed by the key in the file; use --key to check with your own key']
    output.printResult({ verified: true, ...found }, [
      `verified: ${events} events of ${origin}`,
      ...note,
      ...formatTrialBalance(trialBalance, currency),
    ])
    return true
  },
}

export const online: Readonly<Record<string, Online>> = {
  verify: async ({ ledger, since, stateFolder, audit, output }, pool) => {
    if (audit !== null) return verifyAuditFile(pool, { ledger, file: audit, output })
    const began = performance.now()
    const size = since === null ? 0n : parseNumber(since, '--since requires a number of events')
    if (size > 0n && stateFolder === null) {
      throw new UsageError(
        '--since requires LEDGER_CHECKPOINT_DIR, the folder of the verified state',
      )
    }
    const { printProgress: onProgress } = output
    const found = await verifyLog(pool, { ledger, since: size, stateFolder, onProgress })
    const seconds = (performance.now() - began) / 1_000
    const { from, events, postings, checkpoints, problems, firstBadSeq } = found
    const rate = Math.round(Number(events) / Math.max(seconds, 0.001))
    output.printResult({ ...found, seconds, eventsPerSecond: rate }, [
      `${events} events, ${postings} postings, ${checkpoints} checkpoints in ${seconds.toFixed(1)} s`,
      ...(firstBadSeq === null ? [] : [`the first bad event is ${firstBadSeq}`]),
      ...(problems.length === 0 ? ['no difference found'] : problems),
      ...(from === 0n
        ? []
        : [`an earlier run verified the first ${from} events; only later events were read`]),
      `checked: ${CHECKED.join(', ')}`,
      `not checked: ${NOT_CHECKED.join('; ')}`,
    ])
    return problems.length === 0
  },
  rebuild: async ({ ledger, isRepairing, output }, pool) => {
    const onProgress = output.printProgress
    const found = await rebuildProjections(pool, { ledger, model, isRepairing, onProgress })
    const { events, rows, differences, isRepaired } = found
    const verdict = isRepaired
      ? 'the differences were corrected'
      : 'nothing was changed; --repair corrects the differences'
    output.printResult(found, [
      `${events} events produce ${rows} rows`,
      ...(differences.length === 0 ? ['the projections match the log'] : differences),
      ...(differences.length === 0 ? [] : [verdict]),
    ])
    return differences.length === 0 || isRepaired
  },
  checkpoint: async ({ ledger, output }, pool) => {
    const latest = await findLatestCheckpoint(pool, ledger)
    const verifierKeys = await listVerifierKeys(pool, ledger)
    output.printResult({ checkpoint: latest, verifierKeys }, [
      latest === null ? 'the log has no signed checkpoint yet' : latest.note.trimEnd(),
      ...verifierKeys.map((key, place) => `${place === 0 ? 'verifier key' : 'successor'} ${key}`),
    ])
    return latest !== null
  },
  prove: async ({ ledger, argument, output }, pool) => {
    const seq = parseNumber(argument, 'prove requires the number of an event')
    const receipt = await buildReceipt(pool, { ledger, seq })
    if (receipt === null)
      throw new UsageError(`event ${seq} is not signed yet; try again in a second`)
    output.printResult({ seq, receipt }, [receipt.trimEnd()])
    return true
  },
  export: async ({ ledger, argument, output }, pool) => {
    const file = requireArgument(argument, 'export requires the name of the file to write')
    const checkpoint = await findLatestCheckpoint(pool, ledger)
    if (checkpoint === null) throw new UsageError('the log has no signed checkpoint yet')
    const verifierKeys = await listVerifierKeys(pool, ledger)
    const onProgress = output.printProgress
    const log = { ledger, file, checkpoint, verifierKeys, onProgress }
    const events = await exportLog(pool, log)
    output.printResult({ file, events }, [`${events} events written to ${file}`])
    return true
  },
  find: async ({ ledger, argument, output }, pool) => {
    const externalId = requireArgument(argument, 'find takes the external id of a command')
    const { events, next } = await listEvents(pool, { ...ALL_EVENTS, ledger, externalId })
    output.printResult({ events }, [
      ...events.map(({ seq, recordedAt, type, actor }) => `${seq} ${recordedAt} ${type} ${actor}`),
      ...(events.length === 0 ? ['no event has this external id'] : []),
      ...(next === null ? [] : [`only the newest ${events.length} events are listed`]),
    ])
    return true
  },
  'trial-balance': async (asked, pool) => {
    const { ledger, at, seq, month, output } = asked
    if (month !== null) return printSignedTrialBalance(asked, { pool, month })
    const place = await resolveSeq(pool, { ledger, at, seq })
    const totals = await computeTrialBalanceAt(pool, { ledger, seq: place })
    const currency = await readCurrency(pool, ledger)
    output.printResult({ seq: place, currency, totals }, [
      formatPlace(place),
      ...formatTrialBalance(totals, currency),
    ])
    return isBalanced(totals)
  },
  balance: async ({ ledger, argument, at, seq, effective, output }, pool) => {
    const account = requireArgument(argument, 'balance takes an account, such as reserve')
    const place = { ledger, account, seq: await resolveSeq(pool, { ledger, at, seq }) }
    const balanceMinor = await (effective === null
      ? readBalanceAfter(pool, place)
      : computeEffectiveBalance(pool, {
          ...place,
          effectiveAtMs: parseTime(effective, '--effective'),
        }))
    const until = effective === null ? '' : `, effective until ${effective}`
    const currency = await readCurrency(pool, ledger)
    const amount = formatAmountOf(account, { minor: balanceMinor, currency })
    output.printResult(
      { account, seq: place.seq, effectiveAt: effective, currency, balanceMinor },
      [`${account} ${formatPlace(place.seq)}${until}: ${amount}`],
    )
    return true
  },
}

const formatPlace = (seq: bigint) => (seq < 0n ? 'before the first event' : `after event ${seq}`)

async function printSignedTrialBalance(
  { ledger, keys: given, output }: Asked,
  { pool, month }: { pool: pg.Pool; month: string },
): Promise<boolean> {
  const keys = given.length > 0 ? given : await listVerifierKeys(pool, ledger)
  const found = await checkMonth(pool, { ledger, month, keys })
  if (found === null) {
    throw new UsageError(
      `${month} is not signed: a month is signed after it has ended and if the log has events`,
    )
  }
  const { note, totals, checkpoint, isSame } = found
  const currency = await readCurrency(pool, ledger)
  output.printResult({ month, size: checkpoint.size, currency, totals, note, isSame }, [
    note.trimEnd(),
    `verified: ${checkpoint.origin} signed this for ${month}, after ${checkpoint.size} events`,
    ...formatTrialBalance(totals, currency),
    isSame
      ? 'the log matches this trial balance'
      : 'the log differs from this trial balance: run verify',
  ])
  return isSame
}

async function resolveSeq(
  pool: pg.Pool,
  { ledger, at, seq }: { ledger: number; at: string | null; seq: string | null },
): Promise<bigint> {
  if (seq !== null) return parseNumber(seq, '--seq takes the number of an event')
  const atMs = at === null ? null : parseTime(at, '--at')
  return findSeqAt(pool, { ledger, atMs })
}

function parseTime(text: string, option: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UsageError(`${option} takes a time such as 2026-11-21T12:00:00Z`)
  return ms
}

function requireArgument(argument: string | null, usage: string): string {
  if (argument === null) throw new UsageError(usage)
  return argument
}

function parseNumber(text: string | null, usage: string): bigint {
  if (text === null || !/^\d{1,18}$/.test(text)) throw new UsageError(usage)
  return BigInt(text)
}
