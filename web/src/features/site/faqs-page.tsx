import { Banner } from './banner.tsx'
import { CallToAction } from './how-to-start.tsx'
import { Questions } from './questions.tsx'

export function FaqsPage() {
  return (
    <>
      <Banner title="FAQs" text="What people ask before they begin." />
      <Questions />
      <CallToAction />
    </>
  )
}
