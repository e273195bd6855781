import { Section } from '../../shared/ui/section.tsx'
import { useIsDemo } from './is-demo.ts'
import { SampleMark } from './sample-mark.tsx'

const SPONSORS = ['Northmark', 'Ledgerline', 'Fieldstone', 'Harbour & Co'] as const
const TESTIMONIALS = [
  {
    name: 'Amara',
    role: 'Sample investor',
    text: 'I like that I can see the entry behind each cent of profit, with its date.',
  },
  {
    name: 'Jonas',
    role: 'Sample investor',
    text: 'The fee and the amount that arrives were on the screen before I pressed the button.',
  },
  {
    name: 'Mei',
    role: 'Sample investor',
    text: 'A deposit was declined with a reason that I understood, and I sent a better receipt.',
  },
] as const

/** Lists sponsors in demo mode only. They are fictional, and each is marked as a sample. */
export function Sponsors() {
  if (!useIsDemo()) return null
  return (
    <Section title="Sponsors" split>
      <ul className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        {SPONSORS.map((name) => (
          <li key={name} className="grid content-start gap-2">
            <span className="font-serif text-20 text-muted">{name}</span>
            <SampleMark text="Sample sponsor" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Shows three fictional quotes in demo mode only, each marked as a sample. */
export function Testimonials() {
  if (!useIsDemo()) return null
  return (
    <Section title="Testimonials" sunken>
      <ul className="grid gap-8 lg:grid-cols-3">
        {TESTIMONIALS.map(({ name, role, text }) => (
          <li key={name}>
            <figure className="grid content-start gap-3 border-line-strong border-t pt-5">
              <blockquote className="font-serif text-20">“{text}”</blockquote>
              <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-muted">
                {name}, {role}
                <SampleMark text="Sample" />
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
