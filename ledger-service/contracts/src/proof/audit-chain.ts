import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * A row of the gateway's audit log as the hash chain covers it. Fields that contain personal data
 * (`ip`) are chained as they are stored. Once they are stored encrypted, chain the ciphertext, so
 * that an erasure of the key does not break the chain.
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

/** The head of the chain over the first `count` rows, as event `seq` of the ledger has it. */
export interface ChainSeal {
  seq: bigint
  count: number
  head: string
  sealedAt: string
}

/** The place in the chain before a row: its number and hash. */
export interface ChainPlace {
  position: number
  hash: string
}

export const CHAIN_START: ChainPlace = { position: 0, hash: '0'.repeat(64) }

/** SHA-256, in hex, of the hash of the row before, a line feed and the JSON of place and row. */
export function hashAuditRow(before: ChainPlace, row: AuditRow): string {
  const position = before.position + 1
  const { id, recordedAt, actorId, action, subject, ip, requestId, result, attemptId } = row
  const { details } = row
  const fields = { position, id, recordedAt, actorId, action, subject, ip, requestId, result }
  const text = sortedJson({ ...fields, attemptId, details })
  return bytesToHex(sha256(utf8ToBytes(`${before.hash}\n${text}`)))
}

/**
 * JSON with sorted members (RFC 8785). Not `canonicalJson`: it refuses fractions, which settings
 * have.
 */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`)
  return `{${members.join(',')}}`
}

export interface ChainProblem {
  /** The first row that does not match. */
  position: number
  message: string
}

export interface ChainChecker {
  /** The last row that matches. */
  readonly place: ChainPlace
  /** The last seal that matches. */
  readonly seal: ChainSeal | null
  readonly problem: ChainProblem | null
  /** Checks the next row in the order of the positions. Returns false after the first problem. */
  add(row: AuditLine): boolean
  /** Adds seals of the ledger, ordered by their count. */
  expect(seals: readonly ChainSeal[]): void
  /** The result after the last row of the log. */
  finish(): ChainProblem | null
}

/** Compares a chain with the hashes of its rows and with the seals in the ledger. */
export function createChainChecker(start: ChainPlace = CHAIN_START): ChainChecker {
  let place = start
  let seal: ChainSeal | null = null
  let problem: ChainProblem | null = null
  const expected: ChainSeal[] = []

  function findProblem(row: AuditLine): string | null {
    const position = place.position + 1
    if (row.position === null || row.hash === null) return `row ${position} has no hash`
    if (row.position > position) return `row ${position} is missing`
    if (row.position < position) return `row ${row.position} is there twice`
    const isSame = hashAuditRow(place, row) === row.hash
    return isSame ? null : `row ${position} does not match its hash`
  }

  function findSealProblem({ position, hash }: ChainPlace): string | null {
    const [next] = expected
    if (next === undefined || next.count > position) return null
    expected.shift()
    if (next.head !== hash) {
      const first = (seal?.count ?? start.position) + 1
      return `rows ${first} to ${next.count} are not those that event ${next.seq} sealed`
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
    expect: (seals) => {
      expected.push(...seals.filter(({ count }) => count > place.position))
    },
    add: (row) => {
      if (problem !== null) return false
      const position = place.position + 1
      const broken = findProblem(row)
      if (broken === null) {
        // `findProblem` refuses a row without a hash.
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
