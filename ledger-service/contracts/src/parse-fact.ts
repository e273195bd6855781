import { z } from 'zod'
import { eventData, type Fact } from './events.ts'

/**
 * Schemas that were compiled at their first use, because a verification parses millions of events.
 * They are not compiled when the module is loaded: pages of the web load it as well, and their
 * content security policy forbids generated code.
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
