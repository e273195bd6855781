import type { RouteObject } from 'react-router-dom'

/** Each page is its own chunk, named by the export that renders it. */
export function createPageRoute<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}
