import {
  type ChangeLine,
  MASKED_FIELDS,
  type MaskedField,
  type Permission,
  toAmount,
} from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import { findPersons } from '../users/index.ts'

/**
 * A value that the checker compares. The audit log does not record a line that is personal, because
 * it cannot be erased. The API does not answer `isPersonal` and `masked`.
 */
export type DescribedLine = ChangeLine & {
  isPersonal?: true
  /** The values for a role without the permission; missing if every role may see the line. */
  masked?: Pick<ChangeLine, 'before' | 'after'> & { permission: Permission }
}

/** A text with a field of `MASKED_FIELDS`, and the text for a role that may not see this field. */
export interface MaskableText {
  permission: Permission
  full: string
  masked: string
}

type Sides<Value> = { before?: Value | null; after: Value | null }

export function toTextLine(label: string, { before = null, after }: Sides<string>): ChangeLine {
  return { label, type: 'text', before, after }
}

/** Returns a line with the name of a person. */
export function toPersonalLine(label: string, sides: Sides<string>): DescribedLine {
  return { ...toTextLine(label, sides), isPersonal: true }
}

/** Returns a line with the contact data or the bank account of a person. */
export function toMaskableLine(
  label: string,
  { before = null, after }: Sides<MaskableText>,
): DescribedLine {
  const sides = { before: before?.full ?? null, after: after?.full ?? null }
  const line = toPersonalLine(label, sides)
  const permission = (after ?? before)?.permission
  if (permission === undefined) return line
  const hidden = { before: before?.masked ?? null, after: after?.masked ?? null }
  return { ...line, masked: { permission, ...hidden } }
}

/** Writes a text with the value of this field, once in full and once masked. */
export function writeMaskable(
  { field, value }: { field: MaskedField; value: string },
  write: (value: string) => string,
): MaskableText {
  const { permission, mask } = MASKED_FIELDS[field]
  return { permission, full: write(value), masked: write(mask(value)) }
}

export function toMoneyLine(label: string, { before = null, after }: Sides<bigint>): ChangeLine {
  const formatAmount = (minor: bigint | null) =>
    minor === null ? null : toAmount(minor).toFixed(2)
  return { label, type: 'money', before: formatAmount(before), after: formatAmount(after) }
}

/** Returns the name and the email address of a person, for the administrator who decides. */
export async function describePerson(db: Database, userId: string): Promise<MaskableText> {
  const person = (await findPersons(db, [userId])).get(userId)
  return writeMaskable({ field: 'email', value: person?.email ?? '' }, (email) =>
    person === undefined ? 'Deleted user' : `${person.name} (${email})`,
  )
}
