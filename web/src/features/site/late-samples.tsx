import { useQuery } from '@tanstack/react-query'

import { Section } from '../../shared/ui/section.tsx'
import { publicEndorsementQueries } from '../endorsements/index.ts'
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

type Quoted = {
  id: string
  name: string
  role: string | null
  quote: string | null
  mark: string | null
}

export function Endorsements({ of }: { of: 'sponsor' | 'testimonial' }) {
  return of === 'sponsor' ? <Sponsors /> : <Testimonials />
}

/**
 * Lists the sponsors that the operator added. If there are none, demo mode shows fictional ones,
 * each marked as a sample, and other sites show no section.
 */
function Sponsors() {
  const sponsors = useEndorsements('sponsor')
  if (sponsors.length === 0) return null
  return (
    <Section title="Sponsors" split>
      <ul className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        {sponsors.map(({ id, name, mark }) => (
          <li key={id} className="grid content-start gap-2">
            <span className="wrap-anywhere font-serif text-20 text-muted">{name}</span>
            {mark !== null && <SampleMark text={mark} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Shows the testimonials that the operator added, or in demo mode three marked samples. */
function Testimonials() {
  const testimonials = useEndorsements('testimonial')
  if (testimonials.length === 0) return null
  return (
    <Section title="Testimonials" sunken>
      <ul className="grid gap-8 lg:grid-cols-3">
        {testimonials.map(({ id, name, role, quote, mark }) => (
          <li key={id}>
            <figure className="wrap-anywhere grid content-start gap-3 border-line-strong border-t pt-5">
              <blockquote className="font-serif text-20">“{quote}”</blockquote>
              <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-muted">
                {role === null ? name : `${name}, ${role}`}
                {mark !== null && <SampleMark text={mark} />}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function useEndorsements(kind: 'testimonial' | 'sponsor'): readonly Quoted[] {
  const isDemo = useIsDemo()
  const added = useQuery(publicEndorsementQueries.list()).data?.filter((each) => each.kind === kind)
  if (added === undefined) return []
  if (added.length > 0) {
    return added.map((each) => ({ ...each, mark: each.isPaid ? 'Paid' : null }))
  }
  if (!isDemo) return []
  return kind === 'sponsor'
    ? SPONSORS.map((name) => ({ id: name, name, role: null, quote: null, mark: 'Sample sponsor' }))
    : TESTIMONIALS.map((each) => ({ ...each, id: each.name, quote: each.text, mark: 'Sample' }))
}
