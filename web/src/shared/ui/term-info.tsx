import { Info } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'

import { useScript } from './lazy-part.tsx'
import type { TermName } from './terms.ts'

const loadPopover = async () => (await import('./term-popover.tsx')).TermPopover

/**
 * A button beside a term, which opens the explanation of the term. The button is as high as a line
 * of text, so that it does not move the text. Its scripts load when the pointer first reaches it.
 */
export function TermInfo({ term }: { term: TermName }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // A failed load is reported only when the user uses the button.
  const preloadPopover = () => void loadPopover().catch(() => {})
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={`What does “${term}” mean?`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preloadPopover}
        onFocus={preloadPopover}
        onClick={() => setOpen(!isOpen)}
        className="relative -my-1 inline-grid size-6 shrink-0 place-items-center rounded-full align-middle text-muted hover:text-ink"
      >
        <Info aria-hidden="true" className="size-3.5" />
      </button>
      {isOpen && <LoadedPopover term={term} button={button} onClose={() => setOpen(false)} />}
    </>
  )
}

function LoadedPopover(props: ComponentProps<Awaited<ReturnType<typeof loadPopover>>>) {
  const { data: TermPopover, error } = useScript('term', loadPopover)
  if (TermPopover !== undefined) return <TermPopover {...props} />
  return (
    error !== null && (
      <span role="alert" className="whitespace-normal text-12 text-declined">
        The explanation could not be loaded. Load the page again.
      </span>
    )
  )
}
