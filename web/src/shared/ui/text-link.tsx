import { Link, type LinkProps } from '../url/navigation.tsx'

import { joinClasses } from './join-classes.ts'

/**
 * A link inside or outside of a sentence. The padding makes the click area 24 px high. The negative
 * margin cancels the effect of the padding on the text around the link.
 */
export function TextLink({
  className,
  ...rest
}: Omit<LinkProps, 'className'> & { className?: string }) {
  return (
    <Link
      {...rest}
      className={joinClasses(
        'relative -my-1.25 rounded-sm py-1.25 font-medium text-accent underline decoration-1 underline-offset-4 hover:decoration-2',
        className,
      )}
    />
  )
}
