import { Blocks, Coins, ScrollText } from 'lucide-react'

import { Banner } from '../../shared/ui/banner.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { CallToAction } from './call-to-action.tsx'
import { Endorsements } from './endorsements.tsx'
import { type Feature, FeatureGrid } from './feature-grid.tsx'
import { OfferChip } from './offer-chip.tsx'
import { WhyUs } from './why-us.tsx'

const INSIGHTS: readonly Feature[] = [
  {
    icon: Blocks,
    title: 'Blockchain technology',
    chip: <OfferChip isOffered={false} words="Not used" />,
    text: 'A blockchain is a shared list that can only be appended to. Each block contains the hash of the block before it.',
    more: 'This platform uses the same idea without a blockchain. Its ledger is append-only and each event is a leaf of a hash tree, so an event that was changed or removed no longer matches a root that was signed earlier.',
  },
  {
    icon: Coins,
    title: 'Cryptocurrency and digital assets',
    chip: <OfferChip isOffered words="Deposits only" />,
    text: 'Deposits can be made in a cryptocurrency if the operator offers a wallet for it. Your account itself is kept in the currency in which amounts are shown on this site.',
    more: 'Prices of digital assets change quickly and can fall to zero. A transfer to the wrong address or over the wrong network cannot be reversed.',
  },
  {
    icon: ScrollText,
    title: 'Smart contracts',
    chip: <OfferChip isOffered={false} words="Not used" />,
    text: 'A smart contract is a program that executes an agreement automatically. The plans on this site are not smart contracts; they have fixed terms.',
    more: 'Your investment stores the terms that you accepted: the percentage, the duration and whether the principal is returned. A later change to the plan does not change them.',
  },
]

export function AboutPage() {
  return (
    <>
      <Banner text="Every balance is the sum of recorded events, to the cent." />
      <Section
        title="Technology"
        text="This platform does not use a blockchain. It uses the part of the idea that makes records checkable."
      >
        <FeatureGrid features={INSIGHTS} />
      </Section>
      <Section title="Mission and vision" split sunken>
        <dl className="grid gap-8 sm:grid-cols-2">
          <div className="grid content-start gap-2 border-line border-t pt-5">
            <dt className="font-semibold text-20">Our mission</dt>
            <dd className="text-16 text-muted">
              To show each investor the events behind every balance, and the date and the decision
              of every request.
            </dd>
          </div>
          <div className="grid content-start gap-2 border-line border-t pt-5">
            <dt className="font-semibold text-20">Our vision</dt>
            <dd className="text-16 text-muted">
              An investment platform whose investors can check the records about their money
              themselves.
            </dd>
          </div>
        </dl>
      </Section>
      <Section title="Records that you can check" split>
        <div className="grid gap-8 text-16 text-muted sm:grid-cols-2">
          <p>
            Every deposit, purchase, credit and payout is an event: it takes from one account what
            it adds to another. A balance is the sum of all amounts added to and taken from its
            account, and it can be computed again from the ledger at any time.
          </p>
          <div className="grid content-start gap-4">
            <p>
              The ledger is append-only: the database refuses to change or delete an event. Each
              event is part of a hash tree, so a change is detected when the ledger is compared with
              a root that was signed earlier.
            </p>
            <p>
              <TextLink to="/verify">Verify a receipt</TextLink>
            </p>
          </div>
        </div>
      </Section>
      <WhyUs />
      <CallToAction />
      <Endorsements />
    </>
  )
}
