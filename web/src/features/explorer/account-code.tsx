import { Fragment } from 'react'

/** Shows an account code. If the code needs several lines, it breaks after a colon. */
export function AccountCode({ code }: { code: string }) {
  const [first = '', ...rest] = code.split(':')
  return (
    <span className="wrap-anywhere">
      {first}
      {rest.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a code never change their order
        <Fragment key={place}>
          :<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  )
}
