import { type Endpoint, MASKED_FIELDS, type Mask, UNMASKED_PARTS } from '@cairn/gateway-contracts'
import type { Caller } from '../http/caller.ts'

/**
 * Masks the fields that `MASKED_FIELDS` hides from this administrator. Returns the answer unchanged
 * for other callers, and for endpoints about the caller's own data.
 */
export function maskAnswer<Answer>(
  answer: Answer,
  { endpoint, caller }: { endpoint: Endpoint; caller: Caller | null },
): Answer {
  if (caller === null || caller.role !== 'admin' || endpoint.permission === null) return answer
  if (endpoint.permission.startsWith('paymentOptions.')) return answer
  const hidden = new Map(
    Object.entries(MASKED_FIELDS)
      .filter(([, { permission }]) => !caller.permissions.has(permission))
      .map(([name, { mask }]): [string, Mask] => [name, mask]),
  )
  // The cast is safe because masking keeps all keys and types.
  return hidden.size === 0 ? answer : (maskFields(answer, hidden) as Answer)
}

function maskFields(value: unknown, hidden: ReadonlyMap<string, Mask>): unknown {
  if (Array.isArray(value)) return value.map((item) => maskFields(item, hidden))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (UNMASKED_PARTS.has(name)) return [name, part]
      const mask = hidden.get(name)
      const isText = typeof part === 'string'
      return [name, mask !== undefined && isText ? mask(part) : maskFields(part, hidden)]
    }),
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
