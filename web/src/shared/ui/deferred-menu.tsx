import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

import { useIdle } from './deferred.ts'

export type MenuOpening = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The id of the button. The text of the button names the menu. */
  labelledBy: string
  /** Returns the focus to the button. */
  focusButton: () => void
}

type DeferredMenuProps = {
  button: ReactElement<ComponentProps<'button'>>
  /** Loads the scripts of the content. The menu calls this function once the browser is idle. */
  prefetch: () => Promise<unknown>
  /** Renders the lazy content. The menu first calls this function when the button is used. */
  renderContent: (opening: MenuOpening) => ReactNode
}

/** A button with a menu. The scripts of the menu load after the page is shown. */
export function DeferredMenu({ button, prefetch, renderContent }: DeferredMenuProps) {
  const isIdle = useIdle()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // A failed prefetch is not reported. The content is needed only when the button is used, and a
    // failure is reported then.
    if (isIdle) prefetch().catch(() => {})
  }, [isIdle, prefetch])
  const toggle = (isNowOpen: boolean) => {
    setOpen(isNowOpen)
    setOpened(true)
  }
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    toggle(true)
  }
  const opening = {
    isOpen,
    onOpenChange: toggle,
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
        onClick: () => toggle(!isOpen),
        onKeyDown: openByKey,
      })}
      {wasOpened && <Suspense>{renderContent(opening)}</Suspense>}
    </span>
  )
}
