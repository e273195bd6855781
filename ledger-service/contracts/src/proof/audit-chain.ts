import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * A row of the gateway's audit log, with the fields that its hash covers. `ip` is hashed in its
 * stored form.
 */
export interface AuditRow {
  id: string
  recordedAt: string
  actorId: string | null
  action: string
  subject: string | null
  ip: string
  requestId: string
  result: string
  attemptId: string | null
  details: Record<string, unknown>
}

/** A line of an exported audit log. Rows that are not sealed yet have neither position nor hash. */
export interface AuditLine extends AuditRow {
  position: number | null
  hash: string | null
}

/** The hash of row number `count`, as the event `seq` of the ledger recorded it. */
export interface ChainSeal {
  seq: bigint
  count: number
  head: string
  sealedAt: string
}

/** The number and the hash of a row. The hash of the next row includes this hash. */
export interface ChainPlace {
  position: number
  hash: string
}

export const CHAIN_START: ChainPlace = { position: 0, hash: '0'.repeat(64) }

/**
 * Returns the SHA-256, in hex, of the hash of the previous row, a line feed, and the JSON of this
 * row with its position.
 */
export function hashAuditRow(before: ChainPlace, row: AuditRow): string {
  const position = before.position + 1
  const { id, recordedAt, actorId, action, subject, ip, requestId, result, attemptId } = row
  const { details } = row
  const fields = { position, id, recordedAt, actorId, action, subject, ip, requestId, result }
  const text = formatSortedJson({ ...fields, attemptId, details })
  return bytesToHex(sha256(utf8ToBytes(`${before.hash}\n${text}`)))
}

/**
 * Returns JSON with sorted members (RFC 8785). Settings contain fractions, so
 * `formatCanonicalJson`, which refuses fractions, cannot be used.
 */
function formatSortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatSortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${formatSortedJson(member)}`)
  return `{${members.join(',')}}`
}

export interface ChainProblem {
  /** The position of the first row that contradicts its hash or a seal. */
  position: number
  message: string
}

export interface ChainChecker {
  /** The last row before the first problem. */
  readonly place: ChainPlace
  /** The last seal that the rows match; null before the first such seal. */
  readonly seal: ChainSeal | null
  readonly problem: ChainProblem | null
  /** Checks the next row in the order of the positions. Returns false after the first problem. */
  add(row: AuditLine): boolean
  /** Adds the seals that the rows must match, ordered by `count`. */
  expectSeals(seals: readonly ChainSeal[]): void
  /** Must be called after the last row. Returns null if all rows and seals match. */
  finish(): ChainProblem | null
}

/** Creates a checker that compares rows with their hashes and with the seals in the ledger. */
export function createChainChecker(start: ChainPlace = CHAIN_START): ChainChecker {
  let place = start
  let seal: ChainSeal | null = null
  let problem: ChainProblem | null = null
  const expected: ChainSeal[] = []

  function findProblem(row: AuditLine): string | null {
    const position = place.position + 1
    if (row.position === null || row.hash === null) return `row ${position} has no hash`
    if (row.position > position) return `row ${position} is missing`
    if (row.position < position) return `row ${row.position} occurs twice`
    const isSame = hashAuditRow(place, row) === row.hash
    return isSame ? null : `row ${position} does not match its hash`
  }

  function findSealProblem({ position, hash }: ChainPlace): string | null {
    const [next] = expected
    if (next === undefined || next.count > position) return null
    expected.shift()
    if (next.head !== hash) {
      const first = (seal?.count ?? start.position) + 1
      return `rows ${first} to ${next.count} differ from the rows that event ${next.seq} sealed`
    }
    seal = next
    return null
  }

  return {
    get place() {
      return place
    },
    get seal() {
      return seal
    },
    get problem() {
      return problem
    },
    expectSeals: (seals) => {
      expected.push(...seals.filter(({ count }) => count > place.position))
    },
    add: (row) => {
      if (problem !== null) return false
      const position = place.position + 1
      const broken = findProblem(row)
      if (broken === null) {
        // `findProblem` already rejects a row without a hash.
        const next = { position, hash: row.hash ?? '' }
        const unsealed = findSealProblem(next)
        if (unsealed === null) place = next
        else problem = { position: (seal?.count ?? start.position) + 1, message: unsealed }
      } else {
        problem = { position, message: broken }
      }
      return problem === null
    },
    finish: () => {
      const [next] = expected
      if (problem !== null || next === undefined) return problem
      const position = place.position + 1
      return {
        position,
        message: `row ${position} is missing: event ${next.seq} sealed ${next.count} rows`,
      }
    },
  }
}
