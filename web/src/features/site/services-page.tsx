import { ChartLine, Handshake, LifeBuoy, Lock, Radio, WalletMinimal } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { CallToAction } from './call-to-action.tsx'
import { Endorsements } from './endorsements.tsx'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { HowToStart } from './how-to-start.tsx'
import { ClaimChip, OfferChip } from './offer-chip.tsx'

const FEATURES: readonly Feature[] = [
  {
    icon: Lock,
    title: 'Secure Transactions',
    chip: <OfferChip isOffered />,
    text: 'A request that this site sends twice is executed once. The amount of a withdrawal is held when you request it, so it cannot be spent twice.',
  },
  {
    icon: ChartLine,
    title: 'Advanced Analytics',
    chip: <OfferChip isOffered />,
    text: 'Your dashboard shows your available, held and invested amounts and the progress of each investment.',
  },
  {
    icon: LifeBuoy,
    title: '24/7 Support',
    chip: <ClaimChip claim="support-hours" />,
    text: 'Requests are reviewed by people. Support hours are not published yet.',
    claim: 'support-hours',
  },
]

const CATEGORIES: readonly Feature[] = [
  {
    icon: Handshake,
    title: 'Investment Advisory',
    chip: <OfferChip isOffered={false} />,
    text: 'Nothing on this site is personal advice. The terms of a plan are the same for all investors.',
  },
  {
    icon: Radio,
    title: 'Trading Signals',
    chip: <OfferChip isOffered={false} />,
    text: 'Profit follows from the terms of a plan, not from your own trades.',
  },
  {
    icon: WalletMinimal,
    title: 'Wallet Security',
    chip: <OfferChip isOffered />,
    text: 'Withdrawals are paid only to a bank account that you added while logged in. An administrator checks and pays each withdrawal before approving it.',
  },
]

export function ServicesPage() {
  return (
    <>
      <Banner text="What the platform offers investors, and what it does not offer." />
      <Section title="Features">
        <FeatureGrid features={FEATURES} />
      </Section>
      <Section title="Service categories">
        <FeatureGrid features={CATEGORIES} />
      </Section>
      <HowToStart />
      <Endorsements />
      <CallToAction />
    </>
  )
}
