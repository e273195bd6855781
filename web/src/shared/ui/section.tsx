import { type ReactNode, useId } from 'react'

import { joinClasses } from './join-classes.ts'

type SectionProps = {
  /** The id of the section, for links to it. */
  id?: string
  title: string
  text?: ReactNode
  /** True for a darker background, which separates two neighbouring sections. */
  sunken?: boolean
  /** True to place the title and the text beside the content on wide screens. */
  split?: boolean
  children: ReactNode
}

/** A part of a public page. Two neighbouring sections have 96 pixels between their contents. */
export function Section({ id, title, text, sunken, split, children }: SectionProps) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={joinClasses('border-line border-t', sunken === true && 'bg-sunken')}
    >
      <div
        className={joinClasses(
          'mx-auto grid max-w-site gap-8 px-5 py-12',
          split === true && 'lg:grid-cols-[4fr_8fr] lg:gap-12',
        )}
      >
        <div className="grid max-w-2xl content-start gap-3">
          <h2 id={titleId} className="font-semibold font-serif text-28 tracking-tight">
            {title}
          </h2>
          {text && <p className="text-16 text-muted">{text}</p>}
        </div>
        <div className="grid min-w-0 content-start gap-8">{children}</div>
      </div>
    </section>
  )
}
