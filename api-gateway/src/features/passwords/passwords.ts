import { availableParallelism } from 'node:os'
import { PASSWORD_BYTES_MAX } from '@cairn/gateway-contracts'
import argon2 from 'argon2'
import { HttpFailure } from '../../platform/http/failure.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const OPTIONS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
// The maximum number of concurrent hashes is the number of cores. More concurrent hashes would not
// be faster, and each hash uses 19 MiB.
const RUNNING_MAX = availableParallelism()
const WAITING_MAX = 50
const RETRY_SECONDS = 2
const ADMIN_CHARACTERS_MIN = 15
const CONTEXT_LETTERS_MIN = 3
const MADE_OF_CONTEXT =
  'The password must not be your name, your email address or the name of this site'

let running = 0
const waiting: (() => void)[] = []
let dummyHash: Promise<string> | null = null

export function hashPassword(password: string): Promise<string> {
  return runInHashSlot(() => argon2.hash(password, OPTIONS))
}

/**
 * Returns true if the password matches the hash. If there is no usable hash (unknown user or no
 * password), the check takes as long as with a hash. The response time therefore does not reveal
 * who is registered.
 */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) return false
  const dummy = getDummyHash()
  // `argon2.verify` throws for text that is not an Argon2 hash.
  const usable = hash?.startsWith('$argon2') ? hash : null
  const verified = usable ?? (await dummy)
  const isRight = await runInHashSlot(() => argon2.verify(verified, password))
  return usable !== null && isRight
}

/** The hash takes no slot, so that a full queue cannot make it fail. A failed hash is repeated. */
function getDummyHash(): Promise<string> {
  if (dummyHash === null) {
    const hashing = argon2.hash('a password that no user has', OPTIONS)
    dummyHash = hashing
    // This also handles the failure if no caller waits for the hash.
    hashing.catch(() => {
      if (dummyHash === hashing) dummyHash = null
    })
  }
  return dummyHash
}

export function needsRehash(hash: string): boolean {
  return argon2.needsRehash(hash, OPTIONS)
}

/**
 * Returns the reason why a new password is refused; null if it is accepted. `context` has the name
 * and the email address of the person and the name of the site.
 */
export function findPasswordWeakness(
  password: string,
  person: { context: readonly string[]; role: 'user' | 'admin'; isMfaEnabled: boolean },
): string | null {
  const { context } = person
  if (
    person.role === 'admin' &&
    !person.isMfaEnabled &&
    [...password].length < ADMIN_CHARACTERS_MIN
  ) {
    return `Without two-factor authentication an administrator's password has at least ${ADMIN_CHARACTERS_MIN} characters`
  }
  const lower = password.toLowerCase()
  if (COMMON_PASSWORDS.has(lower)) return 'This password is too common'
  if (new Set(lower).size < 3) return 'This password is too simple'
  return isMadeOfContext(lower, context) ? MADE_OF_CONTEXT : null
}

/**
 * Returns true if the letters of the password equal the letters of a name or of one word of a name.
 * Such a password is easy to guess even with additional digits or signs.
 */
function isMadeOfContext(password: string, context: readonly string[]): boolean {
  const letters = toLetters(password)
  if (letters.length < CONTEXT_LETTERS_MIN) return false
  return context
    .flatMap((text) => [text, ...text.split(/[\s@._-]+/)])
    .some((word) => toLetters(word.toLowerCase()) === letters)
}

function toLetters(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '')
}

async function runInHashSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) {
      throw new HttpFailure(429, 'BUSY', 'Too many people are logging in. Please try again.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    // `running` does not change, because the task that has ended passes its place to the waiting
    // task.
    await promise
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
