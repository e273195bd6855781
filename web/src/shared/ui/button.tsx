import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from '../url/navigation.tsx'

import { joinClasses } from './join-classes.ts'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'small' | 'medium' | 'touch' | 'large'
type Style = {
  look?: Look | undefined
  size?: Size | undefined
  wide?: boolean | undefined
  className?: string | undefined
}

const LOOKS: Record<Look, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken',
  danger: 'border-declined bg-surface text-declined hover:bg-declined-soft',
}
const SIZES: Record<Size, string> = {
  small: 'h-8 gap-1.5 px-3 text-14',
  medium: 'h-10 gap-2 px-4 text-14',
  touch: 'h-11 gap-2 px-4 text-14',
  large: 'h-12 gap-2 px-6 text-16',
}

function getButtonClasses({ look = 'secondary', size = 'medium', wide, className }: Style): string {
  return joinClasses(
    'relative inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-card border font-medium transition-colors duration-150',
    'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted',
    LOOKS[look],
    SIZES[size],
    wide === true && 'w-full',
    className,
  )
}

type ButtonProps = Style &
  ComponentProps<'button'> & {
    /** True while an action runs. The button then keeps its size and ignores clicks. */
    pending?: boolean | undefined
    children: ReactNode
  }

export function Button({ look, size, wide, className, pending, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={joinClasses(
        getButtonClasses({ look, size, wide, className }),
        pending === true && 'text-transparent!',
      )}
      disabled={rest.disabled === true || pending === true}
      aria-busy={pending === true || undefined}
    >
      {pending === true && (
        <span aria-hidden="true" className="absolute inset-0 grid place-items-center text-muted">
          <LoaderCircle className="size-4 animate-spin" />
        </span>
      )}
      {children}
    </button>
  )
}

export function ButtonLink({
  look,
  size,
  wide,
  className,
  ...rest
}: Style & Omit<LinkProps, 'className'>) {
  return <Link {...rest} className={getButtonClasses({ look, size, wide, className })} />
}

/** The classes that make a download link look like a button. */
export const DOWNLOAD_LINK = getButtonClasses({})

/** The classes that make a link to a part of the page look like a large button. */
export const LARGE_LINK = getButtonClasses({ size: 'large' })

export function IconButton({
  label,
  size = 'medium',
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { label: string; size?: 'medium' | 'small' }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={joinClasses(
        size === 'small' ? 'size-8' : 'size-10',
        'inline-flex shrink-0 items-center justify-center rounded-card text-muted transition-colors duration-150 enabled:hover:bg-sunken enabled:hover:text-ink disabled:cursor-not-allowed disabled:text-[var(--line-strong)]',
        className,
      )}
    >
      {children}
    </button>
  )
}
