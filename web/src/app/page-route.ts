import type { ComponentType, ReactNode } from 'react'

import type { CurrentPage, PageLocation } from '../shared/url/navigation.tsx'
import type { Page } from '../shared/url/page.ts'

type Params = Readonly<Record<string, string>>
export type Layout = ComponentType<{ children: ReactNode }>

/** The page of a path, with its parameters and the loader of its layout. */
export type Route = { page: Page; params: Params; loadLayout: () => Promise<Layout> }

/** The content that is shown at a location. */
export type View = {
  location: PageLocation
  params: Params
  page: CurrentPage
  Layout: Layout | null
  content: { Page: ComponentType } | { error: unknown }
}

/**
 * Finds the page of a path. If several pages match, a page whose path has no parameters has
 * priority.
 */
export function findPage(
  pages: readonly Page[],
  pathname: string,
): { page: Page; params: Params } | null {
  const found = pages.flatMap((page) => {
    const params = matchPath(page.path, pathname)
    return params === null ? [] : [{ page, params }]
  })
  return found.find(({ page }) => !page.path.includes(':')) ?? found[0] ?? null
}

/** Returns the parameters of the path, or null if the path does not match the pattern. */
function matchPath(pattern: string, pathname: string): Params | null {
  const parts = splitPath(pattern)
  const given = splitPath(pathname)
  if (parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [place, part] of parts.entries()) {
    const value = given[place] ?? ''
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodePath(value)
    else if (part.toLowerCase() !== value.toLowerCase()) return null
  }
  return params
}

function splitPath(path: string): readonly string[] {
  return path.replace(/\/+$/, '').split('/')
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The text stays unchanged, because people can type a path that is not encoded correctly.
    return text
  }
}

/**
 * Loads the chunks of a page and of its layout. If the chunk of the page cannot be loaded, the
 * layout shows the error.
 */
export async function loadView(route: Route, location: PageLocation): Promise<View> {
  const { page, params } = route
  const [Layout, content] = await Promise.all([
    route.loadLayout(),
    page.load().then(
      (Page) => ({ Page }),
      (error: unknown) => ({ error }),
    ),
  ])
  const permission = page.access === 'admin' ? page.permission : null
  return { location, params, page: { title: page.title, permission }, Layout, content }
}

/** Creates a view that belongs to no page, such as the view of an unknown path. */
export function createBareView(location: PageLocation, content: View['content']): View {
  return { location, params: {}, page: { title: '', permission: null }, Layout: null, content }
}
