import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { setPageTitle } from '../../ui/page-title.ts'
import { settingsQueries } from '../settings/queries.ts'
import { Approach } from './approach.tsx'
import { Hero } from './hero.tsx'
import { AboutTeaser, CallToAction, HowToStart } from './how-to-start.tsx'
import { PlansSection } from './plans-section.tsx'
import { Samples } from './samples.tsx'
import { WhyUs } from './why-us.tsx'

export function LandingPage() {
  const isDemo = useQuery(settingsQueries.public()).data?.isDemo === true
  useEffect(() => setPageTitle('Cairn'), [])
  return (
    <>
      <Hero />
      <WhyUs />
      <AboutTeaser />
      <PlansSection />
      <CallToAction />
      <Approach />
      <HowToStart />
      {isDemo && <Samples />}
    </>
  )
}
