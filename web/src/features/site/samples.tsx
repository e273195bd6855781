import { Section } from '../../shared/ui/section.tsx'
import { useIsDemo } from './is-demo.ts'

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
    <Section title="Sponsors">
      <ul className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {SPONSORS.map((name) => (
          <li
            key={name}
            className="grid justify-items-center gap-2 rounded-card border border-line border-dashed px-4 py-8 text-center"
          >
            <span className="font-serif text-20 text-muted">{name}</span>
            <SampleMark text="Sample sponsor" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Testimonials() {
  if (!useIsDemo()) return null
  return (
    <Section title="Testimonials" sunken>
      <ul className="grid gap-4 lg:grid-cols-3">
        {TESTIMONIALS.map(({ name, role, text }) => (
          <li key={name} className="rounded-card border border-line border-dashed bg-surface p-5">
            <figure className="grid gap-4">
              <SampleMark text="Sample" />
              <blockquote className="font-serif text-16">“{text}”</blockquote>
              <figcaption className="text-14 text-muted">
                {name}, {role}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function SampleMark({ text }: { text: string }) {
  return (
    <span className="w-fit rounded-full bg-info-soft px-2.5 py-1 font-medium text-12 text-info">
      {text}
    </span>
  )
}
