import type { Plugin } from 'vite'

/**
 * Ends the build when chunks import each other in a circle: whichever runs first finds the other one
 * empty, and its page stays blank in the browser while everything before it went well.
 */
export function noChunkCycles(): Plugin {
  return {
    name: 'cairn-no-chunk-cycles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const imports = new Map<string, readonly string[]>()
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') imports.set(file.fileName, file.imports)
      }
      const cycle = findCycle(imports)
      if (cycle !== null) this.error(`chunks import each other: ${cycle.join(' -> ')}`)
    },
  }
}

/** The names of one circle, the first one again at its end; null where there is none. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): string[] | null => {
    const at = path.indexOf(name)
    if (at >= 0) return [...path.slice(at), name]
    if (done.has(name)) return null
    for (const next of imports.get(name) ?? []) {
      const cycle = visit(next, [...path, name])
      if (cycle !== null) return cycle
    }
    done.add(name)
    return null
  }
  for (const name of imports.keys()) {
    const cycle = visit(name, [])
    if (cycle !== null) return cycle
  }
  return null
}
