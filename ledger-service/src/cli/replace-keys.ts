import { Asset } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { readKeyFile } from '../proofs/key-file.ts'
import { isPayout, type LostEvent, readLostEvents } from '../proofs/lost-events.ts'
import { readCurrency } from '../queries/accounts/currency.ts'
import { readServeConfig } from '../service/config.ts'
import { createPool } from '../service/database/pool.ts'
import { findPlace, listLedgers } from '../service/directory/place.ts'
import { type ReplacedKey, replaceSigningKeys } from '../service/replace-keys.ts'
import { activateNewestModel } from './activate-model.ts'
import { formatAmountOf } from './amounts.ts'
import { type Asked, UsageError } from './commands.ts'
import { importOpeningBalances } from './import-balances.ts'
import { moveToPlace } from './move.ts'

const REASON_CHARACTERS_MAX = 200
const NO_EVENT = 1n << 63n

/**
 * Commands that act in place of the ledger service, which is stopped except for `activate-model`,
 * `move` and `rotate-signing-key`. They read the environment of the service.
 */
export const stopped: Readonly<Record<string, (asked: Asked) => Promise<boolean>>> = {
  'activate-model': activateNewestModel,
  'import-balances': importOpeningBalances,
  move: moveToPlace,
  'rotate-signing-key': async ({ output }) => {
    const replaced = await replaceKeys(null)
    output.printResult(replaced.map(summarize), [
      ...replaced.map(formatReplacedKey),
      'the log is signed with the new key: publish its verifier key, run npm run backup, and copy the ' +
        'checkpoints elsewhere',
    ])
    return true
  },
  'declare-fork': async ({ reason, from, output }) => {
    if (reason === null || reason === '' || reason.length > REASON_CHARACTERS_MAX) {
      throw new UsageError(
        `declare-fork needs --reason, of at most ${REASON_CHARACTERS_MAX} characters; name no person`,
      )
    }
    const lines = await readAllKeys()
    // The files are verified before anything is written.
    await readLostEvents(from, { lines, from: NO_EVENT })
    const replaced = await replaceKeys(reason)
    const forks = replaced.filter(({ handover }) => handover.lost !== null)
    const lost = await Promise.all(
      forks.map((fork) => listLostEvents(fork, { files: from, lines })),
    )
    output.printResult(
      replaced.map((key) => ({
        ...summarize(key),
        lostEvents: lost.find(({ ledger }) => ledger === key.ledger)?.events ?? [],
      })),
      [...replaced.map(formatReplacedKey), ...lost.flatMap(formatLostEvents)],
    )
    return true
  },
}

async function replaceKeys(reason: string | null): Promise<readonly ReplacedKey[]> {
  const config = readServeConfig(process.env)
  const log = pino({ name: 'ledger', level: 'warn' }, pino.destination(2))
  return replaceSigningKeys(config, { reason, log })
}

/**
 * Returns the present keys of all ledgers. Must be called before the keys are replaced, because
 * these keys signed the lost events.
 */
async function readAllKeys(): Promise<readonly string[]> {
  const { checkpointDir, places } = readServeConfig(process.env)
  const files = listLedgers(places).map((ledger) => ({ folder: checkpointDir, ledger }))
  return (await Promise.all(files.map(readKeyFile))).flat()
}

function summarize({ ledger, seq, handover, newKey }: ReplacedKey) {
  const { size, lost } = handover
  const { verifierKey } = newKey
  return { ledger, seq, size, lostSize: lost?.size ?? null, verifierKey }
}

function formatReplacedKey({ ledger, seq, handover, newKey }: ReplacedKey): string {
  const { size, lost } = handover
  const what =
    lost === null
      ? `its old key ended after ${size} events`
      : `${lost.size} events were signed and the log has ${size}, so the log continues under another name`
  return `ledger ${ledger}: ${what}; event ${seq} records the new key ${newKey.verifierKey}`
}

interface Lost {
  ledger: number
  from: bigint
  signed: bigint
  events: readonly LostEvent[]
  /** The asset of accounts whose code contains no asset. */
  currency: Asset
}

async function listLostEvents(
  { ledger, handover }: ReplacedKey,
  { files, lines }: { files: readonly string[]; lines: readonly string[] },
): Promise<Lost> {
  const { size: from, lost } = handover
  const found = await readLostEvents(files, { lines, from })
  const events = found.filter((event) => event.ledger === ledger)
  const currency = findChosenCurrency(events) ?? (await readStoredCurrency(ledger))
  return { ledger, from, signed: lost?.size ?? from, events, currency }
}

/** Returns the currency that a lost event chose; null if the choice was not lost. */
function findChosenCurrency(events: readonly LostEvent[]): Asset | null {
  const chosen = events.findLast(({ type }) => type === 'CurrencyChosen')
  return chosen === undefined ? null : Asset.parse(chosen.data.asset)
}

async function readStoredCurrency(ledger: number): Promise<Asset> {
  const { databaseUrl } = findPlace(readServeConfig(process.env).places, ledger)
  const pool = createPool({ url: databaseUrl, max: 1, name: 'ledger-cli' })
  return readCurrency(pool, ledger).finally(() => pool.end())
}

function formatLostEvents({ ledger, from, signed, events, currency }: Lost): readonly string[] {
  const payouts = events.filter(isPayout)
  return [
    `ledger ${ledger}: lost: the events ${from} to ${signed - 1n}, and later events that no checkpoint ` +
      `covers; ${events.length} of them are known from the given exports and receipts`,
    ...events.map((event) => formatEvent(event, currency)),
    `ledger ${ledger}: ${payouts.length} of the known lost events paid money out` +
      (BigInt(events.length) < signed - from
        ? '; the other lost events may include payouts: compare the bank statements with the log'
        : ''),
    ...payouts.map((event) => formatEvent(event, currency)),
  ]
}

function formatEvent(
  { seq, type, recordedAt, postings, data }: LostEvent,
  currency: Asset,
): string {
  const legs = postings.map(
    ({ account, amountMinor }) =>
      `${account} ${formatAmountOf(account, { minor: amountMinor, currency })}`,
  )
  const { transactionId, payoutReference } = data
  const named = [transactionId, payoutReference].filter((value) => typeof value === 'string')
  return `  ${[seq, recordedAt, type, ...named, ...legs].join(' ')}`
}
