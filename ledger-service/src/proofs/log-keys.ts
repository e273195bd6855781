import {
  formatVerifierKey,
  openHandover,
  openKeys,
  ProofError,
  parseVerifierKey,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { openSigningKey, type SigningKey } from './signing-key.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * Returns the key that signed first and the handovers of the log, as `openKeys` takes them. With
 * these lines, old checkpoints can be verified after a change of the key. Returns no lines if
 * nothing was signed.
 */
export async function listVerifierKeys(
  client: Queryable,
  ledger: number,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ verifier_key: string }>(
    `select verifier_key from ledger.log_key where ledger_id = $1
     order by first_used_at, verifier_key limit 1`,
    [ledger],
  )
  const first = rows.map(({ verifier_key }) => verifier_key)
  if (first.length === 0) return first
  const recorded = await readHandovers(client, ledger)
  return [...first, ...recorded.flatMap(({ handovers }) => handovers)]
}

/** Returns the current signing key, or null if nothing has been signed yet. */
export function findNewestKey(lines: readonly string[]): VerifierKey | null {
  return openKeys(lines).at(-1) ?? null
}

interface KeyOptions {
  ledger: number
  /** The private keys that this process has: the present one, and the next one if there is one. */
  pems: readonly string[]
  origin: string
}

/**
 * Opens the signing key under the present name of the log. This name is `<origin>/<ledger>`, or a
 * name such as `<origin>/<ledger>.2` after a loss of events.
 */
export async function openLogKey(client: Queryable, options: KeyOptions): Promise<SigningKey> {
  return openKeyOfLog(await listVerifierKeys(client, options.ledger), options)
}

/**
 * Like `openLogKey`, with the lines of `listVerifierKeys`. Opens the key that the log names as its
 * newest; the first key if this process does not have that one.
 */
export function openKeyOfLog(
  lines: readonly string[],
  { ledger, pems, origin }: KeyOptions,
): SigningKey {
  const name = `${origin}/${ledger}`
  const newest = openKeysOrFirst(lines).at(-1)
  const isOwn = newest !== undefined && /^(?:\.\d+)?$/.test(newest.name.replace(name, ''))
  const keys = pems.map((pem) => openSigningKey({ pem, origin: isOwn ? newest.name : name }))
  const [first] = keys
  if (first === undefined) throw new Error('there is no signing key')
  const wanted = newest === undefined ? null : formatVerifierKey(newest)
  return keys.find(({ verifierKey }) => verifierKey === wanted) ?? first
}

/**
 * Returns the key that the newest change of the signing key names; null if the key was never
 * changed.
 */
export async function findSuccessor(client: Queryable, ledger: number): Promise<string | null> {
  const { rows } = await client.query<{ bytes: Buffer }>(
    `select bytes from ledger.event
     where ledger_id = $1 and type in ('SigningKeyReplaced', 'LogForked')
     order by seq desc limit 1`,
    [ledger],
  )
  const [newest] = rows
  if (newest === undefined) return null
  const { data } = JSON.parse(newest.bytes.toString('utf8'))
  return formatVerifierKey(openHandover(data.handovers.at(-1)).newKey)
}

/**
 * Checks that the handovers in the log lead to every key that has signed, with the correct size and
 * root. Returns one sentence for each problem. `computeRootAt` returns the root of the first events
 * of the log.
 */
export async function findKeyProblems(
  client: Queryable,
  { ledger, computeRootAt }: { ledger: number; computeRootAt: (size: bigint) => Promise<Buffer> },
): Promise<readonly string[]> {
  const lines = await listVerifierKeys(client, ledger)
  try {
    const known = new Set(openKeys(lines).map(formatVerifierKey))
    const unknown = (await listSigners(client, ledger)).filter((key) => !known.has(key))
    const recorded = await readHandovers(client, ledger)
    const misplaced = await findMisplacedHandovers(recorded, { keys: known, computeRootAt })
    return [
      ...unknown.map((key) => `the key ${key} has signed, but no event names it as a successor`),
      ...misplaced.map(
        (seq) => `event ${seq} states a wrong size or root for the change of the signing key`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the keys of the log: ${error.message}`]
  }
}

/**
 * Returns the result of `openKeys`. If a handover is wrong, returns only the first key;
 * `findKeyProblems` reports the wrong handover.
 */
export function openKeysOrFirst(lines: readonly string[]): readonly VerifierKey[] {
  try {
    return openKeys(lines)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return lines.slice(0, 1).map(parseVerifierKey)
  }
}

interface RecordedHandovers {
  seq: bigint
  handovers: readonly string[]
}

async function readHandovers(
  client: Queryable,
  ledger: number,
): Promise<readonly RecordedHandovers[]> {
  const { rows } = await client.query<{ seq: bigint; bytes: Buffer }>(
    `select seq, bytes from ledger.event
     where ledger_id = $1 and type in ('SigningKeyReplaced', 'LogForked') order by seq`,
    [ledger],
  )
  return rows.map(({ seq, bytes }) => {
    const { data } = JSON.parse(bytes.toString('utf8'))
    return { seq, handovers: data.handovers }
  })
}

async function listSigners(client: Queryable, ledger: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ verifier_key: string }>(
    'select verifier_key from ledger.log_key where ledger_id = $1 order by verifier_key',
    [ledger],
  )
  return rows.map(({ verifier_key }) => verifier_key)
}

/**
 * Returns the events whose last handover states a wrong size or root. The other handovers of an
 * event are not checked, because they refer to events that the log has lost. A handover between
 * keys that are not of this log is ignored.
 */
async function findMisplacedHandovers(
  recorded: readonly RecordedHandovers[],
  own: { keys: ReadonlySet<string>; computeRootAt: (size: bigint) => Promise<Buffer> },
): Promise<readonly bigint[]> {
  const found: bigint[] = []
  for (const { seq, handovers } of recorded) {
    const { size, root, oldKey } = openHandover(handovers.at(-1) ?? '')
    if (!own.keys.has(formatVerifierKey(oldKey))) continue
    // If hashes are missing, no problem is added here, because the comparison of the tree reports
    // them.
    const actual = size > seq ? null : await own.computeRootAt(size).catch(() => null)
    if (actual === null || !actual.equals(root)) found.push(seq)
  }
  return found
}
