import { LogOut, Menu as MenuIcon, Search, Settings } from 'lucide-react'
import type { StoredUser } from '../../shared/session/stored-user.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { EyeToggle } from '../../shared/ui/eye-toggle.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { ThemeToggle } from '../../shared/ui/theme-toggle.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { NotificationBell } from './notification-bell.tsx'

type TopBarProps = {
  user: StoredUser
  isSidebarOpen: boolean
  onToggleSidebar: () => void
  onSearch: (text: string) => void
  onLogout: () => void
}

export function TopBar({ user, isSidebarOpen, onToggleSidebar, onSearch, onLogout }: TopBarProps) {
  const navigate = useNavigate()
  const settings = user.role === 'admin' ? '/manage/admin/account' : '/manage/investor/settings'
  return (
    <header className="sticky top-0 z-30 flex h-16 items-center gap-1 border-line border-b bg-ground px-3 sm:gap-2 sm:px-6">
      <IconButton
        label={isSidebarOpen ? 'Close the menu' : 'Open the menu'}
        aria-expanded={isSidebarOpen}
        aria-controls="sidebar"
        onClick={onToggleSidebar}
        className="lg:hidden"
      >
        <MenuIcon aria-hidden="true" className="size-5" />
      </IconButton>
      <SearchBox onSearch={onSearch} />
      <div className="ml-auto flex items-center">
        <EyeToggle />
        <span className="hidden sm:block">
          <ThemeToggle />
        </span>
        <NotificationBell role={user.role} />
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`Account of ${user.name}`}
              className="ml-1 rounded-full"
            >
              <Avatar name={user.name} photo={user.photo} />
            </button>
          }
        >
          <MenuLabel>{user.name}</MenuLabel>
          <MenuItem onSelect={() => void navigate(settings)}>
            <Settings aria-hidden="true" className="size-4" />
            {user.role === 'admin' ? 'Your account' : 'Settings'}
          </MenuItem>
          <MenuSeparator />
          <MenuItem onSelect={onLogout}>
            <LogOut aria-hidden="true" className="size-4" />
            Logout
          </MenuItem>
        </Menu>
      </div>
    </header>
  )
}

/** Opens the command palette on a click, on Enter, or with the first letter typed. */
function SearchBox({ onSearch }: { onSearch: (text: string) => void }) {
  return (
    <search className="relative w-full min-w-0 max-w-sm">
      <Search aria-hidden="true" className="absolute top-3 left-3 size-4 text-muted" />
      <input
        type="text"
        readOnly
        value=""
        aria-label="Search dashboard"
        aria-haspopup="dialog"
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
