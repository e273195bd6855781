import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'

import { useIdle } from './deferred.ts'

export type MenuOpening = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The id of the button, which names the menu. */
  labelledBy: string
  /** Returns the focus to the button. */
  focusButton: () => void
}

type DeferredMenuProps = {
  button: ReactElement<ComponentProps<'button'>>
  /** Returns a lazy component. It loads once the browser is idle, or when the button is used. */
  renderContent: (opening: MenuOpening) => ReactNode
}

/** A button with a menu whose scripts the page does not need before it is shown. */
export function DeferredMenu({ button, renderContent }: DeferredMenuProps) {
  const isIdle = useIdle()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setOpen(true)
  }
  const opening = {
    isOpen,
    onOpenChange: setOpen,
    labelledBy: id,
    focusButton: () => ref.current?.focus(),
  }
  return (
    <span className="relative inline-flex">
      {cloneElement(button, {
        id,
        ref,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
        onKeyDown: openByKey,
      })}
      {(isIdle || isOpen) && <Suspense>{renderContent(opening)}</Suspense>}
    </span>
  )
}
