import { FeesCard } from './fees-card.tsx'
import { CertificatesCard, StatementsCard } from './papers-cards.tsx'

export function StatementsTab() {
  return (
    <div className="grid max-w-2xl gap-6">
      <StatementsCard />
      <CertificatesCard />
      <FeesCard />
    </div>
  )
}
