import { TriangleAlert } from 'lucide-react'

/** The regulator's sentence, on every public page. */
export function RiskBanner() {
  return (
    <aside aria-label="Risk" className="border-line border-b bg-pending-soft text-pending">
      <p className="mx-auto flex max-w-6xl items-start gap-2.5 px-5 py-2.5 text-12 sm:text-14">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        Don't invest unless you're prepared to lose all the money you invest. This is a high-risk
        investment and you should not expect to be protected if something goes wrong.
      </p>
    </aside>
  )
}
