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
    text: 'A chain of blocks is a shared list that can only grow. Each block carries the fingerprint of the one before it.',
    more: 'Cairn borrows that idea without the chain: its own books are an append-only log, and each line is a leaf of a hash tree, so that a line that was changed or removed would not match the tree any more.',
  },
  {
    icon: Coins,
    title: 'Cryptocurrency and digital assets',
    text: 'Deposits can be made in a cryptocurrency where the operator offers a wallet. Your account itself is kept in US dollars.',
    more: 'Prices of digital assets move fast and can fall to nothing. A transfer to a wrong address or over another network cannot be returned by anybody.',
  },
  {
    icon: ScrollText,
    title: 'Smart contracts',
    text: 'A smart contract is a program that carries out an agreement by itself. The plans here are plain contracts with fixed terms instead.',
    more: 'The terms that you saw are kept with your investment: the percentage, the duration and whether the principal returns. A later edit of the plan changes nothing for you.',
  },
]

export function AboutPage() {
  return (
    <>
      <Banner text="We keep books that show how every balance came to be, down to the cent." />
      <Section title="What lies beneath">
        <FeatureGrid features={INSIGHTS} />
      </Section>
      <Section title="Mission and vision" sunken>
        <div className="grid gap-8 lg:grid-cols-2">
          <div className="grid content-start gap-2">
            <h3 className="font-semibold text-20">Our mission</h3>
            <p className="text-16 text-muted">
              To give each investor an account that explains itself: every figure with the entries
              it rests on, every request with its date and its reason.
            </p>
          </div>
          <div className="grid content-start gap-2">
            <h3 className="font-semibold text-20">Our vision</h3>
            <p className="text-16 text-muted">
              An investment platform that needs no trust in its word, because its books can be
              checked by whoever has money in them.
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
