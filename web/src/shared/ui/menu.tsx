import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

import { cx } from './cx.ts'

const ITEM =
  'flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-sm px-2.5 text-14 outline-none data-highlighted:bg-sunken'

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          className="z-50 min-w-56 animate-fade-in rounded-card border border-line bg-surface p-1.5 shadow-raised"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({
  onSelect,
  danger = false,
  children,
}: {
  onSelect: () => void
  danger?: boolean
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={cx(ITEM, danger && 'text-declined')}>
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 py-1.5 text-12 text-muted">{children}</DropdownMenu.Label>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
}
