import { Menu as MenuIcon, Search } from 'lucide-react'
import type { Role, StoredUser } from '../../shared/session/stored-user.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { EyeToggle } from '../../shared/ui/eye-toggle.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { ThemeToggle } from '../../shared/ui/theme-toggle.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CONTENT_WIDTH } from './content-width.ts'
import { describeSearch } from './describe-search.ts'
import { NotificationBell } from './notification-bell.tsx'

type TopBarProps = {
  user: StoredUser
  onOpenSidebar: () => void
  onSearch: (text: string) => void
  onLogout: () => void
}

export function TopBar({ user, onOpenSidebar, onSearch, onLogout }: TopBarProps) {
  return (
    <header className="sticky top-0 z-30 h-16 border-line border-b bg-ground">
      <div className={joinClasses(CONTENT_WIDTH, 'flex h-full items-center gap-1 px-3 sm:gap-2')}>
        <IconButton
          label="Open the menu"
          aria-expanded={false}
          aria-controls="sidebar"
          onClick={onOpenSidebar}
          className="lg:hidden"
        >
          <MenuIcon aria-hidden="true" className="size-5" />
        </IconButton>
        <SearchBox role={user.role} onSearch={onSearch} />
        <div className="ml-auto flex items-center">
          <EyeToggle />
          <span className="hidden sm:block">
            <ThemeToggle />
          </span>
          <NotificationBell role={user.role} />
          <AccountMenu user={user} onLogout={onLogout} />
        </div>
      </div>
    </header>
  )
}

/** Opens the command palette on a click, on the Enter key, or when the user types a letter. */
function SearchBox({ role, onSearch }: { role: Role; onSearch: (text: string) => void }) {
  return (
    <search className="relative w-full min-w-0 max-w-sm">
      <Search aria-hidden="true" className="absolute top-3 left-3 size-4 text-muted" />
      <input
        type="text"
        readOnly
        value=""
        aria-label="Search dashboard"
        aria-haspopup="dialog"
        title={describeSearch(role)}
        placeholder="Search dashboard..."
        onClick={() => onSearch('')}
        onKeyDown={(event) => {
          const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey
          if (event.key !== 'Enter' && !isLetter) return
          event.preventDefault()
          onSearch(isLetter ? event.key : '')
        }}
        className="h-10 w-full cursor-pointer truncate rounded-card border border-line bg-surface pr-3 pl-9 text-14 placeholder:text-muted hover:border-line-strong"
      />
      <kbd className="absolute top-2.5 right-3 hidden rounded-sm border border-line px-1.5 font-sans text-12 text-muted xl:block">
        Ctrl K
      </kbd>
    </search>
  )
}
