import { z } from 'zod'

export const ID_PATTERN = /^[0-9a-hjkmnp-tv-z]{20,24}$/
export const Id = z.string().regex(ID_PATTERN, 'must be an id')
export type Id = z.infer<typeof Id>

/** The path of a call about one thing. */
export const idParams = z.strictObject({ id: Id })
/** A call that takes nothing but the id in its path. */
export const byId = z.strictObject({ params: idParams })

/** Both names of one id: the documented `_id`, and `id`. */
export const identity = { id: Id, _id: Id }

export const Instant = z.iso.datetime()

// Control characters have no place in a line; U+0000 and half a surrogate pair can be stored nowhere.
export const SINGLE_LINE = /^[^\p{Cc}\p{Cs}]*$/u
const SEVERAL_LINES = /^[^\p{Cc}\p{Cs}]*(?:[\n\r\t][^\p{Cc}\p{Cs}]*)*$/u

/** Required text of one line. */
export function requiredText(label: string, charactersMax: number) {
  return z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(charactersMax, `${label} must be at most ${charactersMax} characters`)
    .regex(SINGLE_LINE, `${label} has characters that cannot be stored`)
}

/** Text that may be missing or empty; empty counts as missing. */
export function optionalText(label: string, charactersMax: number) {
  return z
    .string()
    .trim()
    .max(charactersMax, `${label} must be at most ${charactersMax} characters`)
    .regex(SEVERAL_LINES, `${label} has characters that cannot be stored`)
    .nullish()
    .transform((value) => (value === undefined || value === '' ? null : value))
}

/** A switch as JSON or as a form sends it. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])], 'must be true or false')
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1')

/** A whole number as JSON or as a form sends it. */
export function wholeNumber(label: string, bounds: { min: number; max: number }) {
  const message = `${label} must be a whole number from ${bounds.min} to ${bounds.max}`
  return z
    .union([z.int(message), z.string(message).regex(/^\d{1,9}$/, message)], message)
    .transform((value) => Number(value))
    .pipe(z.int(message).min(bounds.min, message).max(bounds.max, message))
}

export const Email = z
  .string('Email is required')
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Invalid email address')
  .toLowerCase()
  .pipe(z.email('Invalid email address'))
