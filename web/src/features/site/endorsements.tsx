import type { PublicEndorsement } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { publicEndorsementQueries } from '../endorsements/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { ContentMark } from './content-mark.tsx'

type Kind = PublicEndorsement['kind']
type Shown = Pick<PublicEndorsement, 'id' | 'name' | 'role' | 'quote'> & { mark: string | null }

const createSample = (name: string, quote: string | null = null): Shown => ({
  id: name,
  name,
  quote,
  role: quote && 'Sample investor',
  mark: quote === null ? 'Sample sponsor' : 'Sample',
})

/**
 * The samples that the demo shows if the operator has added no entries. The people and companies
 * are fictional.
 */
const SAMPLES: Readonly<Record<Kind, readonly Shown[]>> = {
  sponsor: ['Northmark', 'Ledgerline', 'Fieldstone', 'Harbour & Co'].map((name) =>
    createSample(name),
  ),
  testimonial: [
    createSample(
      'Amara',
      'I like that I can see the entry behind each cent of profit, with its date.',
    ),
    createSample(
      'Jonas',
      'The fee and the amount that arrives were on the screen before I pressed the button.',
    ),
    createSample(
      'Mei',
      'A deposit was declined with a reason that I understood, and I sent a better receipt.',
    ),
  ],
}

/**
 * Shows the sponsors or the testimonials that the operator has added. If there are none, the demo
 * shows samples, and other sites omit the section. The public settings contain the number of
 * entries. While the entries load, a placeholder keeps their place, so that the page does not move.
 */
export function Endorsements({ of }: { of: Kind }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  const count = settings?.endorsementCounts[of] ?? 0
  const { data } = useQuery({ ...publicEndorsementQueries.listEndorsements(), enabled: count > 0 })
  if (count > 0 && data === undefined) return <Skeleton className="block h-72 w-full" />
  const shown = count > 0 ? data?.filter(({ kind }) => kind === of).map(toShownEndorsement) : null
  const entries = shown ?? (settings?.isDemo === true ? SAMPLES[of] : [])
  if (entries.length === 0) return null
  return of === 'sponsor' ? <Sponsors entries={entries} /> : <Testimonials entries={entries} />
}

function toShownEndorsement(entry: PublicEndorsement): Shown {
  return { ...entry, mark: entry.isPaid ? 'Paid' : null }
}

type EntriesProps = { entries: readonly Shown[] }

function Sponsors({ entries }: EntriesProps) {
  return (
    <Section title="Sponsors" split>
      <ul className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        {entries.map(({ id, name, mark }) => (
          <li key={id} className="grid content-start gap-2">
            <span className="wrap-anywhere font-serif text-20 text-muted">{name}</span>
            {mark !== null && <ContentMark text={mark} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Testimonials({ entries }: EntriesProps) {
  return (
    <Section title="Testimonials" sunken>
      <ul className="grid gap-8 lg:grid-cols-3">
        {entries.map(({ id, name, role, quote, mark }) => (
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
