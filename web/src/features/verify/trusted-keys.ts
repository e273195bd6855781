import { listKeyTexts, openHandover, openKeys, ProofError } from '@cairn/gateway-contracts/proof'
import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { keyStore } from '../../shared/session/key-store.ts'

type TrustedKeys = {
  /** The first key of the log, and the handovers to later keys, oldest first. */
  lines: readonly string[]
  seenAt: string
}

/**
 * Returns the keys with which a proof may be verified. The browser keeps the keys that it saw
 * first. It accepts a new key only if the previous key has signed the change. Throws a ProofError
 * if the server offers keys without such a signature, because a server that rewrites the log also
 * replaces its key.
 */
export function trustKeys(offered: readonly string[], store = keyStore): readonly string[] {
  const trusted = readTrustedKeys(store)
  if (trusted !== null && !isContinued(trusted.lines, offered)) {
    throw new ProofError(describeKeyMismatch(trusted, offered))
  }
  const [first, ...handovers] = offered
  if (first === undefined) return []
  for (const line of handovers) openHandover(line)
  openKeys(offered)
  const seenAt = trusted?.seenAt ?? new Date().toISOString()
  if (trusted?.lines.length !== offered.length) {
    store.write(JSON.stringify({ lines: offered, seenAt } satisfies TrustedKeys))
  }
  return offered
}

/** Trusts the offered keys instead of the keys that the browser saw first. */
export function replaceTrustedKeys(offered: readonly string[], store = keyStore): void {
  store.write('')
  trustKeys(offered, store)
}

/**
 * Returns the newest trusted key, and the reason why the offered keys are not trusted. The reason
 * is null if the offered keys are trusted.
 */
export function compareKeys(offered: readonly string[], store = keyStore) {
  let problem: string | null = null
  try {
    trustKeys(offered, store)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    problem = error.message
  }
  const kept = readTrustedKeys(store)
  const keptKey = listKeyTexts(kept?.lines ?? offered).at(-1) ?? null
  return { keptKey, seenAt: kept?.seenAt ?? null, problem }
}

/** Returns the keys that the browser has stored. Returns null if it has stored no keys. */
export function readTrustedKeys(store = keyStore): TrustedKeys | null {
  try {
    const { lines, seenAt } = JSON.parse(store.read() ?? '')
    const isText = (value: unknown) => typeof value === 'string'
    return Array.isArray(lines) && lines.every(isText) && isText(seenAt) ? { lines, seenAt } : null
  } catch {
    return null
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
  const since = formatSentenceDate(Date.parse(seenAt))
  const [kept, other] = [lines, offered].map((each) => formatKeyName(listKeyTexts(each).at(-1)))
  return (
    `the site offers the key ${other}, but since ${since} this browser trusts the key ${kept}. ` +
    'Compare both keys with the key on a statement before you trust this site'
  )
}

/** Shortens a verifier key to its name and id. */
function formatKeyName(key = 'none'): string {
  return key.split('+').slice(0, 2).join('+')
}
