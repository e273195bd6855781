import { managePages } from './manage-pages.ts'
import { findPage, type Route } from './page-route.ts'

/** Paths of earlier versions, which bookmarks and mails can contain. */
const MOVED: Readonly<Record<string, string>> = {
  '/manage/investor/statements': '/manage/investor/settings?tab=statements',
}

export function findMovedPath(pathname: string): string | null {
  return MOVED[pathname] ?? null
}

const loadLayout = async () => (await import('./layouts/manage-layout.tsx')).ManageLayout

/**
 * Finds a page below `/manage`. These pages are a separate chunk, which visitors without a login do
 * not download.
 */
export function findManageRoute(pathname: string): Route | null {
  const found = findPage(managePages, pathname)
  return found === null ? null : { ...found, loadLayout }
}
