import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

import { joinClasses } from './join-classes.ts'

/** A card that is one button. The user chooses one of several such cards. */
export function ChoiceCard({
  icon,
  title,
  text,
  aside,
  disabled = false,
  onChoose,
}: {
  icon: ReactNode
  title: string
  text: ReactNode
  aside?: ReactNode
  disabled?: boolean
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onChoose}
      className="flex w-full items-center gap-4 rounded-card border border-line bg-surface p-4 text-left transition-[border-color] duration-150 enabled:hover:border-accent disabled:bg-sunken disabled:text-muted"
    >
      {icon}
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="grid min-w-0 flex-1 basis-36 gap-0.5">
          <span className="font-medium text-16">{title}</span>
          <span className="break-words text-14 text-muted">{text}</span>
        </span>
        {aside}
      </span>
      <ChevronRight
        aria-hidden="true"
        className={joinClasses('size-5 shrink-0 text-muted', disabled && 'invisible')}
      />
    </button>
  )
}
