// Only the type is imported, because pages without a login must not load the table of topics.
import type { QueryRoot } from './query-topics.ts'

declare module '@tanstack/react-query' {
  interface Register {
    // The first part of a query key must be a root in the table of topics. Otherwise the code does
    // not compile.
    queryKey: readonly [QueryRoot, ...unknown[]]
  }
}

/**
 * Returns the key that contains only the root. This key matches all keys that begin with the root.
 */
export function getRootKey<Root extends QueryRoot>(root: Root): readonly [Root] {
  return [root]
}
