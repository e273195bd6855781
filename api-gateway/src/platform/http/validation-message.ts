import type { z } from 'zod'

/**
 * Returns the message for an issue whose schema has no message; null for the default message of
 * zod.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a field of this call'
    case 'invalid_value':
      return `must be ${describeChoices(issue.values)}`
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${KINDS[issue.expected] ?? 'of another kind'}`
    case 'invalid_union':
      return 'is not valid'
    default:
      return null
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function describeChoices(values: readonly unknown[]): string {
  const names = values.map(String)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
