import { cx } from '../../shared/ui/cx.ts'
import { Section } from '../../shared/ui/section.tsx'

const CAPTIONS = [
  { text: 'High-Yield Returns', stone: 'w-[34%] -rotate-2', tone: 'bg-[var(--stone-3)]' },
  { text: 'Expert Guidance', stone: 'w-[48%] rotate-1', tone: 'bg-[var(--stone-3)]' },
  { text: 'Trusted Platform', stone: 'w-[62%] -rotate-1', tone: 'bg-[var(--stone-2)]' },
  { text: 'Passive Income', stone: 'w-[78%] rotate-[0.5deg]', tone: 'bg-[var(--stone-2)]' },
  { text: 'Secure Transactions', stone: 'w-[92%]', tone: 'bg-[var(--stone-1)]' },
] as const

/**
 * Shows five aims as stacked stones. The text below the stones says that the aims are not promises.
 */
export function Approach() {
  return (
    <Section
      title="Our investment approach"
      text="The five aims of the platform. Each one depends on those below it."
    >
      <figure className="grid gap-6">
        <ul className="mx-auto grid w-full max-w-xl justify-items-center gap-1.5">
          {CAPTIONS.map(({ text, stone, tone }) => (
            <li
              key={text}
              className={cx(
                'flex h-14 min-w-44 items-center justify-center rounded-full px-5 text-center font-medium text-14',
                stone,
                tone,
                tone === 'bg-[var(--stone-1)]' ? 'text-on-accent' : 'text-[var(--on-stone)]',
              )}
            >
              {text}
            </li>
          ))}
        </ul>
        <figcaption className="mx-auto max-w-xl border-line border-t pt-4 text-center text-12 text-muted">
          These labels describe aims, not promises. Returns are not guaranteed and you can lose all
          the money you invest.
        </figcaption>
      </figure>
    </Section>
  )
}
