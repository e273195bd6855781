import { listKeyTexts, openHandover, openKeys, ProofError } from '@cairn/gateway-contracts/proof'
import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { keyStore } from '../../shared/session/key-store.ts'
import { pinnedKeys } from './pinned-keys.ts'

export type KeyStore = Pick<typeof keyStore, 'read' | 'write'>

type KeptKeys = {
  /** The first key of the log, and the handovers to later keys, oldest first. */
  lines: readonly string[]
  seenAt: string
}

type TrustedKeys = {
  lines: readonly string[]
  /** The time at which the browser saw the keys first. Null if the keys are built into the page. */
  seenAt: string | null
}

/**
 * Returns the keys with which a proof may be verified. The browser trusts the keys that are built
 * into the page. Without such keys, it trusts the keys that it saw first. It accepts a new key only
 * if the previous key has signed the change. Throws a ProofError if the server offers keys without
 * such a signature, because a server that rewrites the log also replaces its key.
 */
export function trustKeys(
  offered: readonly string[],
  store = keyStore,
  pinned = pinnedKeys,
): readonly string[] {
  const kept = readKeptKeys(store)
  const trusted = chooseTrustedKeys(kept, pinned)
  if (trusted !== null && !isContinued(trusted.lines, offered)) {
    throw new ProofError(describeKeyMismatch(trusted, offered))
  }
  const [first, ...handovers] = offered
  if (first === undefined) return []
  for (const line of handovers) openHandover(line)
  openKeys(offered)
  const seenAt = trusted?.seenAt ?? new Date().toISOString()
  if (kept?.lines.length !== offered.length || trusted?.seenAt === null) {
    const kept: KeptKeys = { lines: offered, seenAt }
    store.write(JSON.stringify({ ...readStored(store), ...kept }))
  }
  return offered
}

/**
 * Trusts the offered keys instead of the keys that the browser saw first. Keys that are built into
 * the page stay trusted.
 */
export function replaceTrustedKeys(
  offered: readonly string[],
  store = keyStore,
  pinned = pinnedKeys,
): void {
  store.write(JSON.stringify({ ...readStored(store), lines: null }))
  trustKeys(offered, store, pinned)
}

/**
 * Returns the newest trusted key, and the reason why the offered keys are not trusted. The reason
 * is null if the offered keys are trusted.
 */
export function compareKeys(offered: readonly string[], store = keyStore, pinned = pinnedKeys) {
  let problem: string | null = null
  try {
    trustKeys(offered, store, pinned)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    problem = error.message
  }
  const kept = readKeptKeys(store)
  const lines = chooseTrustedKeys(kept, pinned)?.lines ?? offered
  return {
    trustedKey: listKeyTexts(lines).at(-1) ?? null,
    seenAt: kept?.seenAt ?? null,
    isPinned: pinned.length > 0,
    problem,
  }
}

/**
 * Returns the kept keys if they begin with the keys that are built into the page. Otherwise returns
 * the built-in keys, because the kept keys may come from a server that replaced its key.
 */
function chooseTrustedKeys(kept: KeptKeys | null, pinned: readonly string[]): TrustedKeys | null {
  if (pinned.length === 0) return kept
  return kept !== null && isContinued(pinned, kept.lines) ? kept : { lines: pinned, seenAt: null }
}

/** Returns the keys that the browser has stored. Returns null if it has stored no keys. */
export function readKeptKeys(store = keyStore): KeptKeys | null {
  const { lines, seenAt } = readStored(store)
  const isText = (value: unknown): value is string => typeof value === 'string'
  return Array.isArray(lines) && lines.every(isText) && isText(seenAt) ? { lines, seenAt } : null
}

/** Returns what the browser has stored, also the keys of other ledgers; see `ledger-keys.ts`. */
export function readStored(store: KeyStore): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(store.read() ?? '')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}

/**
 * Returns true if the offered keys begin with the stored keys, so that no stored key was removed or
 * replaced.
 */
function isContinued(kept: readonly string[], offered: readonly string[]): boolean {
  return kept.every((line, index) => line === offered[index])
}

function describeKeyMismatch({ lines, seenAt }: TrustedKeys, offered: readonly string[]): string {
  const trusted = formatKeyName(listKeyTexts(lines).at(-1))
  const place =
    seenAt === null
      ? `the key ${trusted} is built into this page`
      : `since ${formatSentenceDate(Date.parse(seenAt))} this browser trusts the key ${trusted}`
  const found = listKeyTexts(offered).at(-1)
  if (found === undefined) {
    return (
      `the site offers no key, but ${place}. ` +
      'Reload this page later. If the site still offers no key, tell its operator'
    )
  }
  const task =
    seenAt === null ? ', and tell the operator of this site' : ' before you trust this site'
  return (
    `the site offers the key ${formatKeyName(found)}, but ${place}. ` +
    `Compare both keys with the key on a statement${task}`
  )
}

/** Shortens a verifier key to its name and id. */
function formatKeyName(key = ''): string {
  return key.split('+').slice(0, 2).join('+')
}
