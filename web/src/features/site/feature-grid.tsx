import type { LucideIcon } from 'lucide-react'

export type Feature = { icon: LucideIcon; title: string; text: string; more?: string }

/** What a block has more to say unfolds in place. */
export function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
      {features.map(({ icon: Icon, title, text, more }) => (
        <li key={title} className="grid content-start gap-2 border-line border-t pt-5">
          <Icon aria-hidden="true" className="size-5 text-accent" />
          <h3 className="font-semibold text-16">{title}</h3>
          <p className="text-14 text-muted">{text}</p>
          {more !== undefined && (
            <details className="group text-14 text-muted">
              <summary className="w-fit py-1 font-medium text-accent underline underline-offset-4">
                Read More<span className="sr-only"> about {title}</span>
              </summary>
              <p className="pt-2">{more}</p>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}
