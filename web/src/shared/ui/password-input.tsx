import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { CONTROL } from './control.ts'
import { joinClasses } from './join-classes.ts'

export function PasswordInput({ className, ...rest }: ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <span className="relative block">
      <input
        {...rest}
        type={isShown ? 'text' : 'password'}
        className={joinClasses(CONTROL, 'h-11 pr-12', className)}
      />
      <button
        type="button"
        aria-label={isShown ? 'Hide what you typed' : 'Show what you typed'}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute top-0.5 right-0.5 flex size-10 items-center justify-center rounded-card text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </span>
  )
}
