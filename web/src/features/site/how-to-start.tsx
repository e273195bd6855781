import type { ReactNode } from 'react'

import { Section } from '../../shared/ui/section.tsx'
import { AccountPicture, DepositPicture, PlanPicture, ProfitPicture } from './step-pictures.tsx'

const STEPS: ReadonlyArray<{ title: string; text: string; picture: ReactNode }> = [
  {
    title: 'Create an account',
    text: 'Enter your details and your address, and confirm your email with a four-digit code.',
    picture: <AccountPicture />,
  },
  {
    title: 'Make a deposit',
    text: 'By bank transfer, mobile wallet or crypto wallet. You upload a payment proof, which a person checks.',
    picture: <DepositPicture />,
  },
  {
    title: 'Choose a plan',
    text: 'Before you confirm, you see the amount that you pay, the amount due to you and its date.',
    picture: <PlanPicture />,
  },
  {
    title: 'Start earning',
    text: 'Profit is credited during the term; it is not guaranteed. You can request its withdrawal.',
    picture: <ProfitPicture />,
  },
]

export function HowToStart() {
  return (
    <Section title="How to get started" text="The pictures show sample data." sunken>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
        {STEPS.map(({ title, text, picture }, index) => (
          <li key={title} className="grid content-start gap-2">
            <div
              aria-hidden="true"
              className="mb-2 grid h-36 content-center rounded-card border border-line bg-surface px-5 text-12"
            >
              {picture}
            </div>
            <h3 className="font-semibold text-16">
              <span className="tabular text-accent">{index + 1}.</span> {title}
            </h3>
            <p className="text-14 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
