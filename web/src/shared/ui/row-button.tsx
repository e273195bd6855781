import type { KeyboardEvent, ReactNode } from 'react'

/** A button that opens a row of a list. The arrow keys move between the rows. */
export function RowButton({
  label,
  onOpen,
  children,
}: {
  label: string | undefined
  onOpen: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      data-row=""
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
      onKeyDown={moveBetweenRows}
      // The padding makes the click area of a line of text 28 px high. The negative margin keeps
      // the height of the row unchanged.
      className="-my-1 block w-full rounded-sm py-1 text-left"
    >
      {children}
      {label !== undefined && <span className="sr-only">. {label}</span>}
    </button>
  )
}

function moveBetweenRows(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const list = event.currentTarget.closest('tbody, ul')
  const rows = [...(list?.querySelectorAll<HTMLButtonElement>('[data-row]') ?? [])]
  rows[rows.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}
