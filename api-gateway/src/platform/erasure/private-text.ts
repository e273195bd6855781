import { createHmac } from 'node:crypto'
import { PRIVATE_TEXT } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { findPersonKey, openForPerson, sealForPerson } from './person-key.ts'

const ERASED = '(erased)'

/**
 * Stores a text about a person, sealed with the key of the person. Returns a reference to the text,
 * for the ledger and the audit log. The same text about the same person has the same reference, so
 * a repeated command has the same content. The reference is an HMAC under the key of the person:
 * without the key, a guessed text cannot be compared with the reference. Returns `(erased)` if the
 * person is deleted.
 */
export async function storePrivateText(
  db: Database,
  { userId, text, nowMs }: { userId: string; text: string; nowMs: number },
): Promise<string> {
  const sealed = await sealForPerson(db, { userId, bytes: Buffer.from(text), nowMs })
  const key = await findPersonKey(db, userId)
  // Does not throw if the person is deleted, because the ledger decides whether the command is
  // allowed.
  if (sealed === null || key === null) return ERASED
  const hash = createHmac('sha256', key).update(`private text!${text}`).digest('hex')
  const reference = `private-text:${hash}`
  await db
    .insertInto('identity.private_text')
    .values({ reference, user_id: userId, sealed, created_at: new Date(nowMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return reference
}

/** Replaces each reference in the value by its text, or by `(erased)` if the person was deleted. */
export async function replaceReferencesByTexts<T>(db: Database, value: T): Promise<T> {
  const references = new Set<string>()
  collectReferences(value, references)
  if (references.size === 0) return value
  // The cast is safe because strings are replaced by strings.
  return replaceStrings(value, await readTexts(db, [...references])) as T
}

/** Returns a client whose answers contain texts instead of references. Events are not changed. */
export function wrapWithPrivateTexts(ledger: LedgerClient, db: Database): LedgerClient {
  return {
    ...ledger,
    ask: async (name, request) => replaceReferencesByTexts(db, await ledger.ask(name, request)),
  }
}

async function readTexts(
  db: Database,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('identity.private_text')
    .select(['reference', 'user_id', 'sealed'])
    .where(sql<boolean>`reference = any(${references})`)
    .execute()
  const texts = new Map(references.map((reference) => [reference, ERASED]))
  for (const { reference, user_id: userId, sealed } of rows) {
    const text = await openForPerson(db, { userId, sealed })
    if (text !== null) texts.set(reference, text.toString())
  }
  return texts
}

function collectReferences(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (PRIVATE_TEXT.test(value)) found.add(value)
  } else if (isContainer(value)) {
    for (const part of Object.values(value)) collectReferences(part, found)
  }
}

function replaceStrings(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value
  if (Array.isArray(value)) return value.map((part) => replaceStrings(part, texts))
  if (!isContainer(value)) return value
  const parts = Object.entries(value).map(([name, part]) => [name, replaceStrings(part, texts)])
  return Object.fromEntries(parts)
}

/**
 * Returns true for arrays and plain objects, which are the containers of JSON. Dates and buffers
 * are values.
 */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
