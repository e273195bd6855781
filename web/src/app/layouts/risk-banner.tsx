import { TriangleAlert } from 'lucide-react'
import { findRiskText } from '../../features/risk/risk-text.ts'
import { useVisitorCountry } from '../../features/risk/visitor-country.ts'
import type { PublicSettings } from '../../features/settings/queries.ts'
import { Link } from '../../shared/url/navigation.tsx'

/** The text that the regulator requires. The settings can replace this text. */
const DEFAULT_TEXT =
  "Don't invest unless you're prepared to lose all the money you invest. This is a high-risk investment and you should not expect to be protected if something goes wrong."

export function RiskBanner({ settings }: { settings: PublicSettings | undefined }) {
  const country = useVisitorCountry()
  if (settings?.riskBanner.isShown === false) return null
  return (
    <aside aria-label="Risk" className="border-line border-b bg-pending-soft text-pending">
      <p className="mx-auto flex max-w-site items-start gap-2.5 px-5 py-2 text-12 sm:text-14 xl:max-w-none xl:justify-center">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          {findRiskText(settings, country)?.text ?? DEFAULT_TEXT}{' '}
          <Link to="/risk" className="underline">
            Know the risks
          </Link>
        </span>
      </p>
    </aside>
  )
}
