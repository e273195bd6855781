import { Banner } from '../../shared/ui/banner.tsx'
import { Questions } from '../faqs/index.ts'
import { CallToAction } from './how-to-start.tsx'

export function FaqsPage() {
  return (
    <>
      <Banner text="Answers to common questions." />
      <Questions />
      <CallToAction />
    </>
  )
}
