// Only the type is imported, because pages without a login do not load the table.
import type { QueryRoot } from './query-topics.ts'

declare module '@tanstack/react-query' {
  interface Register {
    // A key with another first part does not compile.
    queryKey: readonly [QueryRoot, ...unknown[]]
  }
}

/**
 * Returns the key that contains only the root. This key matches all keys that begin with the root.
 */
export function getRootKey<Root extends QueryRoot>(root: Root): readonly [Root] {
  return [root]
}
