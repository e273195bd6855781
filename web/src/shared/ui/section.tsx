import { type ReactNode, useId } from 'react'

import { cx } from './cx.ts'

type SectionProps = {
  title: string
  text?: ReactNode
  /** A darker background, to separate two neighbouring sections. */
  sunken?: boolean
  children: ReactNode
}

export function Section({ title, text, sunken = false, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cx(
        // The browser does not render the section until it is near the viewport, to shorten the
        // first load.
        'border-line border-t [contain-intrinsic-size:auto_40rem] [content-visibility:auto]',
        sunken && 'bg-sunken',
      )}
    >
      <div className="mx-auto grid max-w-6xl gap-10 px-5 py-16 lg:py-20">
        <div className="grid max-w-2xl gap-3">
          <h2 id={id} className="font-semibold font-serif text-28 tracking-tight">
            {title}
          </h2>
          {text !== undefined && <p className="text-16 text-muted">{text}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}
