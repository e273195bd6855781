import { Section } from '../../shared/ui/section.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { LiveProof } from '../verify/index.ts'

const STEPS = [
  {
    title: 'Every event is kept',
    text: 'Each deposit, purchase, credit and payout is an event: it takes from one account what it adds to another. Events are never changed or removed.',
  },
  {
    title: 'The ledger signs the whole record',
    text: 'All events together have one hash, the root. The ledger normally signs it within a minute of each event.',
  },
  {
    title: 'Your browser checks',
    text: 'The receipt of an event leads from that event to the signed root. If one character differs, the roots differ.',
  },
] as const

/** Explains the proof in three steps and lets the visitor carry it out. */
export function CheckIt() {
  return (
    <Section id="check" title="Check it yourself" text="Your browser can verify each event." sunken>
      <div className="grid gap-8 lg:grid-cols-[5fr_7fr] lg:gap-12">
        <div className="grid content-start gap-6">
          <ol className="grid gap-6">
            {STEPS.map(({ title, text }, index) => (
              <li key={title} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
                <span aria-hidden="true" className="row-span-2 w-6 font-serif text-28 text-accent">
                  {index + 1}
                </span>
                <h3 className="pt-1.5 font-semibold text-16">{title}</h3>
                <p className="text-16 text-muted">{text}</p>
              </li>
            ))}
          </ol>
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            <TextLink to="/verify">Verify your own receipt</TextLink>
            <TextLink to="/about_us">About us</TextLink>
          </p>
        </div>
        <LiveProof />
      </div>
    </Section>
  )
}
