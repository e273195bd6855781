import { ChartLine, Handshake, LifeBuoy, Lock, Radio, WalletMinimal } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { CallToAction, HowToStart } from './how-to-start.tsx'
import { Testimonials } from './samples.tsx'

const FEATURES: readonly Feature[] = [
  {
    icon: Lock,
    title: 'Secure Transactions',
    text: 'A request that is sent twice is carried out once. Money you ask to withdraw is set aside at once and cannot be spent a second time.',
  },
  {
    icon: ChartLine,
    title: 'Advanced Analytics',
    text: 'Your dashboard shows what is available, what is held, what is invested, and how far each term has come.',
  },
  {
    icon: LifeBuoy,
    title: '24/7 Support',
    text: 'Requests are reviewed by people, so an answer takes as long as a person needs. Support hours are not published yet.',
    claim: 'support-hours',
  },
]

const CATEGORIES: readonly Feature[] = [
  {
    icon: Handshake,
    title: 'Investment Advisory',
    text: 'Not offered yet. Nothing on this site is personal advice; each plan states its terms for everybody alike.',
  },
  {
    icon: Radio,
    title: 'Trading Signals',
    text: 'Not offered yet. Profit here comes from the terms of a plan and not from trades of yours.',
  },
  {
    icon: WalletMinimal,
    title: 'Wallet Security',
    text: 'Withdrawals go only to a bank account that you added while logged in, and every one is checked by a person.',
  },
]

export function ServicesPage() {
  return (
    <>
      <Banner text="What the platform does for an investor, and what it does not." />
      <Section title="What you can rely on">
        <FeatureGrid features={FEATURES} />
      </Section>
      <Section title="Service categories">
        <FeatureGrid features={CATEGORIES} />
      </Section>
      <HowToStart />
      <Testimonials />
      <CallToAction />
    </>
  )
}
