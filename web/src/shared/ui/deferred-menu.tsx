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
  /**
   * Loads the scripts of the content. The menu calls this function when the user points at the
   * button or focuses it.
   */
  prefetch: () => Promise<unknown>
  /** Renders the lazy content. The menu first calls this function when the button is used. */
  renderContent: (opening: MenuOpening) => ReactNode
}

/** A button with a menu. The scripts of the menu load when the user is about to use it. */
export function DeferredMenu({ button, prefetch, renderContent }: DeferredMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  // A failed early load is not reported. The content is needed only when the user uses the button;
  // a second failure is reported then.
  const prefetchContent = () => void prefetch().catch(() => {})
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
        onPointerEnter: prefetchContent,
        onFocus: prefetchContent,
        onClick: () => toggle(!isOpen),
        onKeyDown: openByKey,
      })}
      {wasOpened && <Suspense>{renderContent(opening)}</Suspense>}
    </span>
  )
}
