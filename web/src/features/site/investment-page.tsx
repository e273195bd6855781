import { Landmark, Scale, ShieldAlert } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Questions } from '../faqs/index.ts'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { CallToAction, HowToStart } from './how-to-start.tsx'
import { PlansSection } from './plans-section.tsx'
import { Testimonials } from './samples.tsx'
import { WhyUs } from './why-us.tsx'

const RISKS: readonly Feature[] = [
  {
    icon: Landmark,
    title: 'Fund Protection',
    text: 'Investments here are not covered by a deposit guarantee or a compensation scheme. In the books, profit is never paid from another investor’s money.',
    claim: 'fund-protection',
  },
  {
    icon: ShieldAlert,
    title: 'Fraud Prevention',
    text: 'Every deposit is compared with its receipt, and every withdrawal is checked before it is paid.',
  },
  {
    icon: Scale,
    title: 'Regulated Compliance',
    text: 'No licence details have been supplied by the operator of this site. Check for yourself before you invest.',
    claim: 'regulated-compliance',
  },
]

export function InvestmentPage() {
  return (
    <>
      <Banner text="Fixed terms, stated before you pay: the profit of the whole term, its length, and whether your principal returns." />
      <PlansSection />
      <WhyUs />
      <HowToStart />
      <Section title="Risk management and security">
        <FeatureGrid features={RISKS} />
      </Section>
      <Testimonials />
      <Questions />
      <CallToAction />
    </>
  )
}
