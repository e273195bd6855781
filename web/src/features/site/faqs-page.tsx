import { Banner } from '../../shared/ui/banner.tsx'
import { Questions } from '../faqs/index.ts'
import { CallToAction } from './call-to-action.tsx'

export function FaqsPage() {
  return (
    <>
      <Banner text="Answers to common questions." />
      <Questions isFirst />
      <CallToAction />
    </>
  )
}
