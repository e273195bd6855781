import type { PublicEndorsement } from '@cairn/gateway-contracts'

import { Section } from '../../shared/ui/section.tsx'
import { ContentMark } from './content-mark.tsx'

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

type Shown = Pick<PublicEndorsement, 'id' | 'name' | 'role' | 'quote'> & { mark: string | null }

const SAMPLES: Readonly<Record<PublicEndorsement['kind'], readonly Shown[]>> = {
  sponsor: SPONSORS.map((name) => ({
    id: name,
    name,
    role: null,
    quote: null,
    mark: 'Sample sponsor',
  })),
  testimonial: TESTIMONIALS.map(({ name, role, text }) => ({
    id: name,
    name,
    role,
    quote: text,
    mark: 'Sample',
  })),
}

type EndorsementsProps = {
  of: PublicEndorsement['kind']
  all: readonly PublicEndorsement[]
  isDemo: boolean
}

/**
 * Shows the entries of the operator. If there are none, demo mode shows fictional ones, each marked
 * as a sample, and other sites show no section.
 */
export function Endorsements({ of, all, isDemo }: EndorsementsProps) {
  const added = all.filter(({ kind }) => kind === of)
  const shown = added.length > 0 ? added.map(toShown) : isDemo ? SAMPLES[of] : []
  if (shown.length === 0) return null
  return of === 'sponsor' ? <Sponsors shown={shown} /> : <Testimonials shown={shown} />
}

function toShown(entry: PublicEndorsement): Shown {
  return { ...entry, mark: entry.isPaid ? 'Paid' : null }
}

function Sponsors({ shown }: { shown: readonly Shown[] }) {
  return (
    <Section title="Sponsors" split>
      <ul className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        {shown.map(({ id, name, mark }) => (
          <li key={id} className="grid content-start gap-2">
            <span className="wrap-anywhere font-serif text-20 text-muted">{name}</span>
            {mark !== null && <ContentMark text={mark} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Testimonials({ shown }: { shown: readonly Shown[] }) {
  return (
    <Section title="Testimonials" sunken>
      <ul className="grid gap-8 lg:grid-cols-3">
        {shown.map(({ id, name, role, quote, mark }) => (
          <li key={id}>
            <figure className="wrap-anywhere grid content-start gap-3 border-line-strong border-t pt-5">
              <blockquote className="font-serif text-20">“{quote}”</blockquote>
              <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-muted">
                {role === null ? name : `${name}, ${role}`}
                {mark !== null && <ContentMark text={mark} />}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
