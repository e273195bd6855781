import { Blocks, Coins, ScrollText } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { AboutTeaser, CallToAction } from './how-to-start.tsx'
import { Testimonials } from './samples.tsx'
import { WhyUs } from './why-us.tsx'

const INSIGHTS: readonly Feature[] = [
  {
    icon: Blocks,
    title: 'Blockchain technology',
    text: 'A blockchain is a shared list that can only be appended to. Each block contains the hash of the block before it.',
    more: 'Cairn uses the same idea without a blockchain. Its log is append-only and each entry is a leaf of a hash tree, so an entry that was changed or removed no longer matches a root that was signed earlier.',
  },
  {
    icon: Coins,
    title: 'Cryptocurrency and digital assets',
    text: 'Deposits can be made in a cryptocurrency where the operator offers a wallet. Your account itself is kept in US dollars.',
    more: 'Prices of digital assets change quickly and can fall to zero. A transfer to a wrong address or over another network cannot be reversed.',
  },
  {
    icon: ScrollText,
    title: 'Smart contracts',
    text: 'A smart contract is a program that executes an agreement automatically. The plans on this site are not smart contracts; they have fixed terms.',
    more: 'Your investment stores the terms that you accepted: the percentage, the duration and whether the principal is returned. A later edit of the plan does not change them.',
  },
]

export function AboutPage() {
  return (
    <>
      <Banner text="Every balance is the sum of recorded entries, to the cent." />
      <Section title="Technology">
        <FeatureGrid features={INSIGHTS} />
      </Section>
      <Section title="Mission and vision" sunken>
        <div className="grid gap-8 lg:grid-cols-2">
          <div className="grid content-start gap-2">
            <h3 className="font-semibold text-20">Our mission</h3>
            <p className="text-16 text-muted">
              To show each investor the entries behind every balance, and the date and the decision
              of every request.
            </p>
          </div>
          <div className="grid content-start gap-2">
            <h3 className="font-semibold text-20">Our vision</h3>
            <p className="text-16 text-muted">
              An investment platform whose investors can check the records about their money
              themselves.
            </p>
          </div>
        </div>
      </Section>
      <AboutTeaser isHere />
      <WhyUs />
      <CallToAction />
      <Testimonials />
    </>
  )
}
