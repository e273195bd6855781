import type { Permission } from '@cairn/gateway-contracts'

import type { Role } from '../../shared/session/stored-user.ts'
import { isPathOrBelow } from '../../shared/url/navigation.tsx'
import type { ManagePage, MenuGroup } from '../../shared/url/page.ts'
import { managePages } from '../manage-pages.ts'

export type MenuPage = Extract<ManagePage, { menu: MenuGroup }>
type PaletteEntry = { to: string; label: string }

/** The user whose menu and command palette are shown. */
export type Viewer = { role: Role; permissions: readonly Permission[] }

/** The parents, in the menu, of pages that are not in the menu and not below their parent. */
const PARENTS: Readonly<Record<string, string>> = {
  '/manage/investor/deposit': '/manage/investor/transactions',
  '/manage/investor/withdrawal': '/manage/investor/transactions',
}

/** Tells whether the entry of the menu that leads to `path` is marked on the page at `shown`. */
export function isMarkedOn(path: string, shown: string): boolean {
  return isPathOrBelow(path, shown) || PARENTS[shown] === path
}

export function listMenuPages(viewer: Viewer, menu: MenuGroup): readonly MenuPage[] {
  return managePages.filter((page): page is MenuPage => mayOpen(viewer, page) && page.menu === menu)
}

function mayOpen({ role, permissions }: Viewer, page: ManagePage): boolean {
  if (page.access !== role) return false
  return page.access === 'user' || page.permission === null || permissions.includes(page.permission)
}

/** Lists the entries of the command palette: the pages that the viewer may open and their views. */
export function listPaletteEntries(viewer: Viewer): readonly PaletteEntry[] {
  return managePages
    .filter((page) => mayOpen(viewer, page) && page.menu !== 'none')
    .flatMap((page) => [
      { to: page.path, label: page.title },
      ...(page.views ?? []).map(({ search, title }) => ({
        to: `${page.path}${search}`,
        label: title,
      })),
    ])
}
