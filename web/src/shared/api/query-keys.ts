// The import is only for the type, because pages without a login do not load the table of topics.
import type { QueryRoot } from './query-topics.ts'

declare module '@tanstack/react-query' {
  interface Register {
    // A query key does not compile if its first part is not a root of the table of topics.
    queryKey: readonly [QueryRoot, ...unknown[]]
  }
}

/**
 * Returns the key that contains only the root. This key matches all keys that begin with the root.
 */
export function getRootKey<Root extends QueryRoot>(root: Root): readonly [Root] {
  return [root]
}
