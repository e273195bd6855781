import { useQuery } from '@tanstack/react-query'
import { Lock, Receipt, Scale, Telescope, UserCheck } from 'lucide-react'

import { formatPercent } from '../../money/percent.ts'
import { type PublicSettings, settingsQueries } from '../settings/queries.ts'
import { Section } from './section.tsx'

export function WhyUs() {
  const settings = useQuery(settingsQueries.public()).data
  return (
    <Section
      title="Why invest with us"
      text="Each of these is something the platform does, not something it hopes for."
    >
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {reasons(settings).map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid content-start gap-2 border-line border-t pt-5">
            <Icon aria-hidden="true" className="size-5 text-accent" />
            <h3 className="font-semibold text-16">{title}</h3>
            <p className="text-14 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function reasons(settings: PublicSettings | undefined) {
  return [
    {
      icon: Scale,
      title: 'Profit is not guaranteed',
      text:
        settings?.coverageMode === 'strict'
          ? 'Each plan states its profit before you pay. A plan is sold only while the operator’s reserve covers all of that profit; the reserve is not insured.'
          : 'Each plan states its profit before you pay. The operator promises it from a reserve of its own, which may not cover every promise and is not insured.',
    },
    {
      icon: Lock,
      title: 'How we protect accounts',
      text: 'Passwords are kept as argon2id hashes only. Money leaves for a bank account that you added yourself, and a request sent twice is carried out once.',
    },
    {
      icon: UserCheck,
      title: 'Requests are reviewed by people',
      text: 'An administrator checks every deposit against its receipt and every withdrawal before it is paid. You see each step, its date and the reason when the answer is no.',
    },
    {
      icon: Telescope,
      title: 'Profit you can follow',
      text: 'Profit is credited after each elapsed hour or day of your plan. Each credit is an entry in the log, to the cent.',
    },
    {
      icon: Receipt,
      title: 'Fees before the button',
      text:
        settings === undefined
          ? 'The fee and what remains after it are on the screen before you confirm.'
          : `Deposit fee ${formatPercent(settings.depositFee)}, withdrawal fee ${formatPercent(settings.withdrawalFee)}. The fee and what remains after it are on the screen before you confirm.`,
    },
  ]
}
