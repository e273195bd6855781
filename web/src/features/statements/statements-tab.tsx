import { FeesCard } from './fees-card.tsx'

export function StatementsTab() {
  return (
    <div className="grid max-w-2xl gap-6">
      <FeesCard />
    </div>
  )
}
