import type { Plugin } from 'vite'

const ZOD_SCHEMAS = /\/zod\/v4\/classic\/schemas\.js$/
const GENERATORS = [
  /^ *inst\._zod\.processJSONSchema = .*\n/gm,
  /^ *return createToJSONSchemaMethod\(.*\n/gm,
  /^ *(?:input|output): createStandardJSONSchemaMethod\(.*\n/gm,
]

/**
 * Leaves the generator of JSON Schema out of Zod, which only the gateway uses. The methods of Zod
 * refer to it, so that it would be 5 kB (gzip) of each signed-in page. Fails the build if another version of
 * Zod refers to it in another way.
 */
export function createZodJsonSchemaPlugin(): Plugin {
  return {
    name: 'cairn-zod-without-json-schema',
    apply: 'build',
    transform: { filter: { id: ZOD_SCHEMAS }, handler: (code) => removeJsonSchema(code) },
  }
}

export function removeJsonSchema(code: string): string {
  let rest = code
  for (const generator of GENERATORS) {
    const shorter = rest.replace(generator, '')
    if (shorter === rest)
      throw new Error(`Zod does not contain ${generator}: change zod-json-schema.ts`)
    rest = shorter
  }
  return rest
}
