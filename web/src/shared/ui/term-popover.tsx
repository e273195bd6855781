import { Popover } from 'radix-ui'
import { type RefObject, useId } from 'react'

import { TERMS, type TermName } from './terms.ts'

type PopoverProps = {
  term: TermName
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/**
 * The open explanation of a term. The explanation has the focus, so that a screen reader reads it.
 */
export function TermPopover({ term, button, onClose }: PopoverProps) {
  const { title, text } = TERMS[term]
  const id = useId()
  const returnToButton = () => {
    button.current?.focus()
    onClose()
  }
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={button} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-text`}
          onEscapeKeyDown={returnToButton}
          // The Tab key moves the focus from the popover to the element after the button. By
          // default, Radix keeps the focus in the popover.
          onKeyDown={({ key }) => key === 'Tab' && returnToButton()}
          onInteractOutside={(event) => {
            // The button closes the popover. If this handler also closed it, the click on the
            // button would open the popover again.
            if (event.target instanceof Node && button.current?.contains(event.target)) {
              event.preventDefault()
            }
          }}
          className="z-50 grid w-max max-w-72 animate-fade-in gap-1 rounded-card border border-line bg-surface p-4 text-14 text-ink shadow-raised outline-none"
        >
          <p id={`${id}-title`} className="font-semibold">
            {title}
          </p>
          <p id={`${id}-text`}>{text}</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
