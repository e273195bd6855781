import type { Permission } from '@cairn/gateway-contracts'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/**
 * A state of a page, such as an active filter. The state has its own address, and the command
 * palette lists it.
 */
type PageView = { search: `?${string}`; title: string }

type Described = {
  /**
   * The title of the document. It is also the heading, unless the page sets a heading of its own.
   */
  title: string
  /** The label of the page in menus. By default, the label is the title. */
  label?: string
  views?: readonly PageView[]
  /** Loads the component of the page. The dynamic import makes each page a chunk of its own. */
  load: () => Promise<ComponentType>
}

export type PublicPage = Described & {
  access: 'public'
  path: `/${string}`
  /**
   * The place of the link to the page. `site` means the header and the footer, and `footer` the
   * footer only.
   */
  menu?: 'site' | 'footer'
  /**
   * How the build renders the page. `readable`: users can read the page before its script has
   * loaded. `form`: users can read it, but not type until its script has loaded. `outline`: the
   * browser renders the page again, because its first state depends on the URL or on storage.
   */
  prerender?: 'readable' | 'form' | 'outline'
}

/** The titled groups of the administrators' sidebar, in their order. */
export const MENU_GROUPS = {
  work: 'Work',
  people: 'People',
  catalogue: 'Catalogue',
  ledger: 'Ledger',
  site: 'Site',
} as const

/** A part of the sidebar; `main` is the part above all groups. */
export type MenuGroup = 'main' | keyof typeof MENU_GROUPS

/**
 * The place where the page is listed. `palette` means only the command palette, and `none` means
 * that other pages link to it.
 */
type MenuPlace = { menu: MenuGroup; icon: LucideIcon } | { menu: 'palette' | 'none' }

/** A page that needs a login. The path of a page names the role that may open it. */
export type ManagePage = Described &
  MenuPlace &
  (
    | { access: 'user'; path: `/manage/investor/${string}` }
    | {
        access: 'admin'
        path: `/manage/admin/${string}`
        /**
         * The permission that the page needs; null if the page is about the administrator's own
         * account.
         */
        permission: Permission | null
      }
  )

export type Page = PublicPage | ManagePage

export function getPageLabel({ label, title }: Pick<Page, 'label' | 'title'>): string {
  return label ?? title
}
