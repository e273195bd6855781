import { Command } from 'cmdk'
import { Eye, LogOut, MoonStar } from 'lucide-react'
import type { ComponentProps } from 'react'
import { verifyPage } from '../../features/verify/pages.ts'
import { amountsChoice } from '../../shared/preferences/hidden-amounts.ts'
import { themeChoice } from '../../shared/preferences/theme.ts'
import { ReturnFocus } from '../../shared/ui/return-focus.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { describeSearch } from './describe-search.ts'
import { listPaletteEntries, type Viewer } from './manage-menu.ts'
import { usePaletteSearch } from './palette-search.tsx'

type PaletteProps = {
  viewer: Viewer
  text: string
  onText: (text: string) => void
  onClose: () => void
  onLogout: () => void
}

export function CommandPalette({ viewer, text, onText, onClose, onLogout }: PaletteProps) {
  const navigate = useNavigate()
  const run = (action: () => void) => () => {
    onClose()
    action()
  }
  const isDark = document.documentElement.dataset.theme === 'dark'
  const isHidden = amountsChoice.get() === 'hidden'
  const found = usePaletteSearch(viewer, text)
  return (
    <Command.Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      label="Search dashboard"
      loop
      overlayClassName="fixed inset-0 z-40 animate-fade-in bg-scrim"
      contentClassName="fixed inset-x-4 top-[12dvh] z-50 mx-auto max-w-lg animate-rise-in overflow-hidden rounded-card border border-line bg-surface shadow-raised"
    >
      <ReturnFocus />
      <Command.Input
        value={text}
        onValueChange={onText}
        maxLength={100}
        placeholder={describeSearch(viewer.role)}
        className="h-14 w-full border-line border-b bg-transparent px-5 text-16 outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-80 overflow-y-auto p-2">
        {found.length === 0 && (
          <Command.Empty className="px-3 py-8 text-center text-14 text-muted">
            No matching pages or actions
          </Command.Empty>
        )}
        <Group heading="Pages">
          {[...listPaletteEntries(viewer), { to: verifyPage.path, label: verifyPage.title }].map(
            ({ to, label }) => (
              <Item key={to} onSelect={run(() => void navigate(to))}>
                {label}
              </Item>
            ),
          )}
        </Group>
        <Group heading="Actions">
          <Item onSelect={run(() => themeChoice.set(isDark ? 'light' : 'dark'))}>
            <MoonStar aria-hidden="true" className="size-4 text-muted" />
            {isDark ? 'Light theme' : 'Dark theme'}
          </Item>
          <Item onSelect={run(() => amountsChoice.set(isHidden ? 'shown' : 'hidden'))}>
            <Eye aria-hidden="true" className="size-4 text-muted" />
            {isHidden ? 'Show all figures' : 'Hide all figures'}
          </Item>
          <Item onSelect={run(onLogout)}>
            <LogOut aria-hidden="true" className="size-4 text-muted" />
            Logout
          </Item>
        </Group>
        {found.map(({ heading, items }) => (
          <Group key={heading} heading={heading} forceMount>
            {items.map(({ to, label, note }) => (
              <Item
                key={to + label}
                value={`${heading} ${to} ${label}`}
                forceMount
                onSelect={run(() => void navigate(to))}
              >
                <span className="min-w-0 truncate">{label}</span>
                <span className="ml-auto max-w-40 shrink-0 truncate text-12 text-muted">
                  {note}
                </span>
              </Item>
            ))}
          </Group>
        ))}
      </Command.List>
    </Command.Dialog>
  )
}

/**
 * With `forceMount`, the palette shows the group even if its own filter does not match the group.
 */
function Group({ heading, forceMount = false, children }: ComponentProps<typeof Command.Group>) {
  return (
    <Command.Group
      heading={heading}
      forceMount={forceMount}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

function Item(props: ComponentProps<typeof Command.Item>) {
  return (
    <Command.Item
      {...props}
      className="flex h-10 cursor-default items-center gap-2.5 rounded-sm px-3 text-14 data-[selected=true]:bg-sunken"
    />
  )
}
