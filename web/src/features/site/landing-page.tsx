import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Approach } from './approach.tsx'
import { CallToAction } from './call-to-action.tsx'
import { CheckIt } from './check-it.tsx'
import { Endorsements } from './endorsements.tsx'
import { Hero } from './hero.tsx'
import { HowToStart } from './how-to-start.tsx'
import { PlansSection } from './plans-section.tsx'
import { WhyUs } from './why-us.tsx'

export function LandingPage() {
  usePageTitle(null)
  return (
    <>
      <Hero />
      <WhyUs />
      <CheckIt />
      <PlansSection />
      <CallToAction />
      <Approach />
      <HowToStart />
      <Endorsements withSponsors />
    </>
  )
}
