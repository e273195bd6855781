import type { Role } from '../../shared/session/stored-user.ts'
import { labelOf, type ManagePage } from '../../shared/url/page.ts'
import { managePages } from '../manage-pages.ts'

export type MenuPage = Extract<ManagePage, { menu: 'main' | 'audit' }>
type PaletteEntry = { to: string; label: string }

export function listMenuPages(role: Role, menu: MenuPage['menu']): readonly MenuPage[] {
  return managePages.filter((page): page is MenuPage => page.access === role && page.menu === menu)
}

/** Lists the entries of the command palette: the pages of a role and their views. */
export function listPaletteEntries(role: Role): readonly PaletteEntry[] {
  return managePages
    .filter(({ access, menu }) => access === role && menu !== 'none')
    .flatMap((page) => [
      { to: page.path, label: labelOf(page) },
      ...(page.views ?? []).map(({ search, title }) => ({
        to: `${page.path}${search}`,
        label: title,
      })),
    ])
}
