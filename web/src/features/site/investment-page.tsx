import { Landmark, Scale, ShieldAlert } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Questions } from '../faqs/index.ts'
import { CallToAction } from './call-to-action.tsx'
import { Endorsements } from './endorsements.tsx'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { HowToStart } from './how-to-start.tsx'
import { NotClaimedChip } from './offer-chip.tsx'
import { PlanTerms } from './plan-terms.tsx'
import { PlansSection } from './plans-section.tsx'
import { WhyUs } from './why-us.tsx'

const RISKS: readonly Feature[] = [
  {
    icon: Landmark,
    title: 'Fund Protection',
    chip: <NotClaimedChip claim="fund-protection" />,
    text: 'Investments are not covered by a deposit guarantee or a compensation scheme. In the ledger, profit is booked from the operator’s reserve; withdrawals are paid from the accounts that receive deposits.',
    claim: 'fund-protection',
  },
  {
    icon: ShieldAlert,
    title: 'Fraud Prevention',
    text: 'An administrator checks every deposit, and checks and pays every withdrawal, before approving it.',
  },
  {
    icon: Scale,
    title: 'Regulated Compliance',
    chip: <NotClaimedChip claim="regulated-compliance" />,
    text: 'The operator of this site states no licence. Check the register of your country before you invest.',
    claim: 'regulated-compliance',
  },
]

export function InvestmentPage() {
  return (
    <>
      <Banner text="Fixed terms that you see before you pay: the profit of the whole term, its duration, and whether the principal is returned." />
      <PlansSection view={PlanTerms} />
      <WhyUs />
      <HowToStart />
      <Section title="Risk management and security">
        <FeatureGrid features={RISKS} />
      </Section>
      <Endorsements />
      <Questions />
      <CallToAction />
    </>
  )
}
