import type { Plugin } from 'vite'

/**
 * Fails the build if chunks import each other in a cycle. With a cycle, a page can stay blank,
 * because the first chunk that runs reads exports that are still undefined.
 */
export function createChunkCyclePlugin(): Plugin {
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

/**
 * Returns the names along one cycle, with the first name repeated at the end; null if there is no
 * cycle.
 */
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
