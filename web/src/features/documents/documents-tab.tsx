import { CertificatesCard, StatementsCard } from './document-cards.tsx'
import { FeesCard } from './fees-card.tsx'

export function DocumentsTab() {
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <div className="grid gap-6">
        <StatementsCard />
        <FeesCard />
      </div>
      <CertificatesCard />
    </div>
  )
}
