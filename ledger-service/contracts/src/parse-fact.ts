import { z } from 'zod'
import { eventData, type Fact } from './events.ts'

/**
 * The schemas that are compiled, because a verification parses millions of events. Each is compiled
 * at its first use, so that an import of this module generates no code: the content security policy
 * of the web forbids generated code.
 */
const compiled = new Map<string, z.ZodType>()

/** Parses the data of an event. Throws if the type is unknown or the data do not match the type. */
export function parseFact(type: string, data: unknown): Fact {
  // The cast is safe, because `type` selects the schema.
  return { type, data: (compiled.get(type) ?? compileSchema(type)).parse(data) } as Fact
}

function compileSchema(type: string): z.ZodType {
  const schema = (eventData as Record<string, z.ZodType>)[type]
  if (schema === undefined) throw new Error(`unknown event type ${type}`)
  const made = z.compile(schema)
  compiled.set(type, made)
  return made
}
