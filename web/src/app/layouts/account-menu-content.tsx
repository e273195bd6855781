import { CircleHelp, FileText, LogOut, Settings } from 'lucide-react'

import type { StoredUser } from '../../shared/session/stored-user.ts'
import type { MenuOpening } from '../../shared/ui/deferred-menu.tsx'
import { DeferredMenuContent, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'

type ContentProps = { opening: MenuOpening; user: StoredUser; onLogout: () => void }

export function AccountMenuContent({ opening, user, onLogout }: ContentProps) {
  const navigate = useNavigate()
  const settings = user.role === 'admin' ? '/manage/admin/account' : '/manage/investor/settings'
  return (
    <DeferredMenuContent opening={opening}>
      <MenuLabel>{user.name}</MenuLabel>
      <MenuItem onSelect={() => void navigate(settings)}>
        <Settings aria-hidden="true" className="size-4" />
        {user.role === 'admin' ? 'Your account' : 'Settings'}
      </MenuItem>
      {user.role === 'user' && (
        <>
          <MenuItem onSelect={() => void navigate('/manage/investor/settings?tab=statements')}>
            <FileText aria-hidden="true" className="size-4" />
            Documents
          </MenuItem>
          <MenuItem onSelect={() => void navigate('/faqs')}>
            <CircleHelp aria-hidden="true" className="size-4" />
            Help
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem onSelect={onLogout}>
        <LogOut aria-hidden="true" className="size-4" />
        Logout
      </MenuItem>
    </DeferredMenuContent>
  )
}
