import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Section } from '../../shared/ui/section.tsx'

const STONES = [
  {
    caption: 'High-Yield Returns',
    fact: 'The percentage of a plan is the profit of its whole term. It is promised, not guaranteed.',
    width: 'w-[52%]',
    tone: 'bg-[var(--stone-3)] text-[var(--on-stone)]',
  },
  {
    caption: 'Expert Guidance',
    fact: 'Nothing on this site is personal advice. An expert is shown only with name and register.',
    width: 'w-[62%]',
    tone: 'bg-[var(--stone-3)] text-[var(--on-stone)]',
  },
  {
    caption: 'Trusted Platform',
    fact: 'The ledger is append-only, and its signed root can be checked by anyone.',
    width: 'w-[74%]',
    tone: 'bg-[var(--stone-2)] text-[var(--on-stone)]',
  },
  {
    caption: 'Passive Income',
    fact: 'Profit is credited every hour or every day of the term, each time as one entry.',
    width: 'w-[87%]',
    tone: 'bg-[var(--stone-2)] text-[var(--on-stone)]',
  },
  {
    caption: 'Secure Transactions',
    fact: 'The amount of a withdrawal is held when you request it. An administrator must approve each withdrawal.',
    width: 'w-full',
    tone: 'bg-[var(--stone-1)] text-on-accent',
  },
] as const

/** Shows five aims as stacked stones, each with one fact, and says that they are no promises. */
export function Approach() {
  return (
    <Section
      title="Our investment approach"
      text="The five aims of the platform. Each aim depends on the aims below it."
    >
      <figure className="grid gap-6">
        <ul className="grid gap-2">
          {STONES.map(({ caption, fact, width, tone }) => (
            <li key={caption} className="grid items-center gap-x-8 gap-y-2 sm:grid-cols-2">
              <span className="grid justify-items-center">
                <span
                  className={joinClasses(
                    'flex h-14 items-center justify-center rounded-[50%] px-3 text-center font-medium text-16',
                    width,
                    tone,
                  )}
                >
                  {caption}
                </span>
              </span>
              <span className="pb-4 text-14 text-muted sm:pb-0 sm:text-16">{fact}</span>
            </li>
          ))}
        </ul>
        <figcaption className="border-line border-t pt-4 text-14 text-muted">
          <span className="block max-w-[64ch]">
            These labels describe aims, not promises. Returns are not guaranteed and you can lose
            all the money you invest.
          </span>
        </figcaption>
      </figure>
    </Section>
  )
}
