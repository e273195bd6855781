import { type ChangeLine, toAmount } from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import { findPersons } from '../users/index.ts'

/**
 * A value that the checker compares. The audit log does not record a line that is personal, because
 * it cannot be erased. The API does not answer `isPersonal`.
 */
export type DescribedLine = ChangeLine & { isPersonal?: true }

type Sides<Value> = { before?: Value | null; after: Value | null }

export function toTextLine(label: string, { before = null, after }: Sides<string>): ChangeLine {
  return { label, type: 'text', before, after }
}

/** Returns a line with the name, the contact data or the bank account of a person. */
export function toPersonalLine(label: string, sides: Sides<string>): DescribedLine {
  return { ...toTextLine(label, sides), isPersonal: true }
}

export function toMoneyLine(label: string, { before = null, after }: Sides<bigint>): ChangeLine {
  const formatAmount = (minor: bigint | null) =>
    minor === null ? null : toAmount(minor).toFixed(2)
  return { label, type: 'money', before: formatAmount(before), after: formatAmount(after) }
}

/** Returns the name and the email address of a person, for the administrator who decides. */
export async function describePerson(db: Database, userId: string): Promise<string> {
  const person = (await findPersons(db, [userId])).get(userId)
  return person === undefined ? 'Deleted user' : `${person.name} (${person.email})`
}
