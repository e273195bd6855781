import { Link, type LinkProps } from '../url/navigation.tsx'

import { cx } from './cx.ts'

/**
 * A link inside or outside of a sentence. Its padding makes the target 24 px high, above the text
 * around it; the margin takes the padding back, so that it moves nothing.
 */
export function TextLink({
  className,
  ...rest
}: Omit<LinkProps, 'className'> & { className?: string }) {
  return (
    <Link
      {...rest}
      className={cx(
        'relative -my-1.25 rounded-sm py-1.25 font-medium text-accent underline decoration-1 underline-offset-4 hover:decoration-2',
        className,
      )}
    />
  )
}
