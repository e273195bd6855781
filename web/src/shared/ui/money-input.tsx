import type { ComponentProps } from 'react'

import { getMoneyPrefix } from '../money/currency.ts'
import { CONTROL } from './control.ts'
import { joinClasses } from './join-classes.ts'

// This input has a file of its own, because it is the only one that the landing page loads.

/** A text input for an amount in the currency of the site. `parseMoney` parses the text. */
export function MoneyInput({ className, ...rest }: ComponentProps<'input'>) {
  const prefix = getMoneyPrefix()
  return (
    <span className="relative block">
      <span aria-hidden="true" className="absolute top-2.5 left-3 text-16 text-muted">
        {prefix}
      </span>
      <input
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        {...rest}
        type="text"
        className={joinClasses(
          CONTROL,
          'tabular h-11',
          prefix.length > 1 ? 'pl-14' : 'pl-7',
          className,
        )}
      />
    </span>
  )
}
