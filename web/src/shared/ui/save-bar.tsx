import { type ReactNode, useEffect } from 'react'
import { Button } from './button.tsx'
import { joinClasses } from './join-classes.ts'

type SaveBarProps = {
  saveLabel: string
  isDirty: boolean
  isSaving: boolean
  onReset: () => void
  /** The result of the last attempt to save. */
  children?: ReactNode
}

/**
 * Shows the buttons to save and to reset a form at the lower edge of the window, with the result of
 * the last attempt, which would be outside the window at the start of the page. In a demo, the bar
 * is above the demo bar. On a phone, where the bar would cover a tenth of the screen, it shows only
 * with a change or a result. It keeps its place in the layout, so that nothing moves when it appears,
 * and its live regions stay in the accessibility tree. The browser asks before a person leaves the
 * page with unsaved changes.
 */
export function SaveBar({ saveLabel, isDirty, isSaving, onReset, children }: SaveBarProps) {
  useWarningBeforeLeaving(isDirty)
  return (
    <div
      className={joinClasses(
        'group sticky bottom-10 z-10 flex flex-wrap items-center justify-end gap-2 rounded-card border border-line-strong bg-surface px-5 py-3 shadow-raised print:hidden',
        !isDirty &&
          'max-sm:not-has-[>div>:not(:empty)]:pointer-events-none max-sm:not-has-[>div>:not(:empty)]:opacity-0',
      )}
    >
      {/* Without a result, this place takes no part in the layout, but it stays a live region. */}
      <div className="grid basis-full gap-2 has-[>:only-child:empty]:absolute empty:absolute">
        {children}
      </div>
      <p role="status" className="mr-auto text-14 text-muted max-sm:basis-full">
        {isDirty ? 'You have unsaved changes.' : 'No unsaved changes.'}
      </p>
      <span
        className={joinClasses(
          'contents',
          !isDirty && 'max-sm:group-[:not(:has(>div>:not(:empty)))]:invisible',
        )}
      >
        <Button disabled={!isDirty || isSaving} onClick={onReset}>
          Reset
        </Button>
        <Button type="submit" look="primary" pending={isSaving} disabled={!isDirty}>
          {saveLabel}
        </Button>
      </span>
    </div>
  )
}

function useWarningBeforeLeaving(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
  }, [isDirty])
}
