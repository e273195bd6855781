import { Link, type LinkProps } from '../url/navigation.tsx'

import { cx } from './cx.ts'

export function TextLink({
  className,
  ...rest
}: Omit<LinkProps, 'className'> & { className?: string }) {
  return (
    <Link
      {...rest}
      className={cx(
        'rounded-sm font-medium text-accent underline decoration-1 underline-offset-4 hover:decoration-2',
        className,
      )}
    />
  )
}
