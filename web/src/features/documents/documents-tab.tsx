import { CertificatesCard, StatementsCard } from './document-cards.tsx'
import { FeesCard } from './fees-card.tsx'

export function DocumentsTab() {
  return (
    <div className="grid max-w-2xl gap-6">
      <StatementsCard />
      <CertificatesCard />
      <FeesCard />
    </div>
  )
}
