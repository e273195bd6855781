import { z } from 'zod'
import { type KeySource, parseKeys } from './key-ring.ts'

type KeyName = 'SESSION_SECRET' | 'FACTOR_KEY' | 'OUTBOX_KEY'
type KeyVariables = Readonly<Record<string, unknown>>

/**
 * Returns the two variables for a key: `NAME` contains the key, and `NAME_FILE` names a file with
 * the key. The file can be replaced without a restart.
 */
export function createKeyVariables<Name extends KeyName>(name: Name) {
  const text = z.string().min(1).optional()
  // The cast is safe because the object has exactly these two properties.
  return { [name]: text, [`${name}_FILE`]: text } as Record<Name | `${Name}_FILE`, typeof text>
}

/** Throws if the key is missing or invalid. */
export function readKeySource(values: KeyVariables, name: KeyName): KeySource {
  const source = findKeySource(values, name)
  if (source === null) throw new Error(`Set ${name}, or ${name}_FILE to a file that contains it`)
  return source
}

export function findKeySource(values: KeyVariables, name: KeyName): KeySource | null {
  const [value, file] = [values[name], values[`${name}_FILE`]]
  if (typeof file === 'string') return { file }
  if (typeof value !== 'string') return null
  try {
    parseKeys(value)
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { value }
}
