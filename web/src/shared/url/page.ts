import type { Permission } from '@cairn/gateway-contracts'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** A state of a page with an address of its own. The command palette lists it. */
type PageView = { search: `?${string}`; title: string }

type Described = {
  /** The title of the document, and the heading unless the page has a heading of its own. */
  title: string
  /** The label in menus, if it is not the title. */
  label?: string
  views?: readonly PageView[]
  /** Loads the component, so that each page is a chunk of its own. */
  load: () => Promise<ComponentType>
}

export type PublicPage = Described & {
  access: 'public'
  path: `/${string}`
  /** `site`: header and footer. `footer`: footer only. */
  menu?: 'site' | 'footer'
  /**
   * What the build renders. `readable`: a page that can be read before its script has loaded. `form`: the same,
   * but inert until then. `outline`: the first state depends on the URL or on browser storage, so the browser
   * renders the page again from the start.
   */
  prerender?: 'readable' | 'form' | 'outline'
}

/** `palette`: the command palette only. `none`: reached from another page. */
type MenuPlace = { menu: 'main' | 'audit'; icon: LucideIcon } | { menu: 'palette' | 'none' }

/** A page that needs a login. The path of a page names the role that may open it. */
export type ManagePage = Described &
  MenuPlace &
  (
    | { access: 'user'; path: `/manage/investor/${string}` }
    | {
        access: 'admin'
        path: `/manage/admin/${string}`
        /** Null: a page about the administrator's own account. */
        permission: Permission | null
      }
  )

export type Page = PublicPage | ManagePage

export function labelOf({ label, title }: Pick<Page, 'label' | 'title'>): string {
  return label ?? title
}
