import { z } from 'zod'

export const ID_PATTERN = /^[0-9a-hjkmnp-tv-z]{20,24}$/
export const Id = z.string().regex(ID_PATTERN, 'must be an id')
export type Id = z.infer<typeof Id>

/** The path parameters of an endpoint for one object. */
export const idParams = z.strictObject({ id: Id })
/** The request of an endpoint that needs only the id in its path. */
export const byId = z.strictObject({ params: idParams })

/** The id as `id` and as `_id`. The documented name is `_id`. */
export const identity = { id: Id, _id: Id }

export const Instant = z.iso.datetime()

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
export const OUTSIDE_YEARS = 'must be a date from the year 1 to 9999'

/**
 * Returns true for a day or an instant that is in the years 1 to 9999 in UTC. PostgreSQL has no year
 * 0, and ISO 8601 writes later years in another form.
 */
export function isWithinYears(text: string): boolean {
  const atMs = Date.parse(text)
  return atMs >= FIRST_MS && atMs <= LAST_MS
}

/** Returns the schema of a day of the calendar, for example `2026-11-21`. */
export function createDayField(message = 'must be a date') {
  return z.iso.date(message).refine(isWithinYears, OUTSIDE_YEARS)
}

// Matches a text on one line: it has no control characters, and no unpaired surrogates, which
// PostgreSQL cannot store.
export const SINGLE_LINE = /^[^\p{Cc}\p{Cs}]*$/u
export const SEVERAL_LINES = /^[^\p{Cc}\p{Cs}]*(?:[\n\r\t][^\p{Cc}\p{Cs}]*)*$/u

/**
 * The pattern of a reference to a private text. Users may not enter such a reference, because the
 * site would show the private text to readers of the reference.
 */
export const PRIVATE_TEXT = /^private-text:[0-9a-f]{64}$/
const isWithoutReference = (text: string) => !PRIVATE_TEXT.test(text)

/** Returns the schema of required text on one line. */
export function createRequiredTextField(label: string, charactersMax: number) {
  return z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(charactersMax, `${label} must be at most ${charactersMax} characters`)
    .regex(SINGLE_LINE, `${label} has characters that cannot be stored`)
    .refine(isWithoutReference, `${label} must not be a reference to a private text`)
}

/** Returns the schema of optional text. An empty string counts as missing. */
export function createOptionalTextField(label: string, charactersMax: number) {
  return z
    .string()
    .trim()
    .max(charactersMax, `${label} must be at most ${charactersMax} characters`)
    .regex(SEVERAL_LINES, `${label} has characters that cannot be stored`)
    .refine(isWithoutReference, `${label} must not be a reference to a private text`)
    .nullish()
    .transform((value) => (value === undefined || value === '' ? null : value))
}

/** A boolean, as JSON or as a form value. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])], 'must be true or false')
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1')

/** Returns the schema of an integer, sent as JSON or as a form value. */
export function createWholeNumberField(label: string, bounds: { min: number; max: number }) {
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

/** An email address or null. An empty string counts as null. */
export const OptionalEmail = z
  .string('Invalid email address')
  .trim()
  .toLowerCase()
  .max(254, 'Invalid email address')
  .nullable()
  .transform((value) => (value === '' ? null : value))
  .pipe(z.email('Invalid email address').nullable())
