import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import type { MenuOpening } from './deferred-menu.tsx'
import { joinClasses } from './join-classes.ts'

const CONTENT =
  'z-50 max-h-[min(32rem,var(--radix-dropdown-menu-content-available-height))] min-w-56 animate-fade-in rounded-card border border-line overflow-y-auto bg-surface p-1.5 shadow-raised'
const ITEM =
  'flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-sm px-2.5 text-14 outline-none data-highlighted:bg-sunken'

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={8} className={CONTENT}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type ContentProps = {
  opening: MenuOpening
  /** True if the menu takes the width of a window below 640 px, except for equal margins. */
  isWide?: boolean
  children: ReactNode
}

/** The margin of a wide menu: the padding of a page below 640 px. */
const WIDE_MARGIN_PX = 16

/**
 * The content of a `DeferredMenu`. An invisible trigger over the button of the `DeferredMenu`
 * determines the position of the menu.
 */
export function DeferredMenuContent({ opening, isWide = false, children }: ContentProps) {
  return (
    <DropdownMenu.Root open={opening.isOpen} onOpenChange={opening.onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          collisionPadding={isWide ? WIDE_MARGIN_PX : 0}
          aria-labelledby={opening.labelledBy}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            opening.focusButton()
          }}
          className={joinClasses(
            CONTENT,
            isWide && 'max-sm:w-(--radix-dropdown-menu-content-available-width)',
          )}
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
    <DropdownMenu.Item onSelect={onSelect} className={joinClasses(ITEM, danger && 'text-declined')}>
      {children}
    </DropdownMenu.Item>
  )
}

/** An item that can be checked. The menu stays open, so that several items can be changed. */
export function MenuCheckbox({
  isChecked,
  onChange,
  children,
}: {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  children: ReactNode
}) {
  return (
    <DropdownMenu.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span aria-hidden="true" className="flex size-4 items-center justify-center">
        {isChecked && <Check className="size-4 text-accent" />}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
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
