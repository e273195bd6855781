import type { RouteObject } from 'react-router-dom'

/** Creates a route whose page is a chunk of its own; `name` is the export that renders it. */
export function createPageRoute<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}
