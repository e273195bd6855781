import { ChartNoAxesColumn, CircleHelp, CreditCard, ListChecks } from 'lucide-react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Link } from '../../shared/url/navigation.tsx'

const ACTIONS = [
  { to: '/manage/admin/plans', label: 'Manage Plans', icon: ListChecks, permission: 'plans.read' },
  {
    to: '/manage/admin/payment_options',
    label: 'Payment Options',
    icon: CreditCard,
    permission: 'paymentOptions.read',
  },
  {
    to: '/manage/admin/investments',
    label: 'Investments',
    icon: ChartNoAxesColumn,
    permission: 'investments.read',
  },
  { to: '/manage/admin/faq', label: 'Manage FAQ', icon: CircleHelp, permission: 'faqs.read' },
] as const

export function QuickActions() {
  const hasPermission = useHasPermission()
  return (
    <Card aria-labelledby="quick-actions" className="grid gap-1 px-2 py-4 max-xl:order-last">
      <h2 id="quick-actions" className="px-3 font-semibold text-16">
        Quick Actions
      </h2>
      <ul className="grid grid-cols-1 min-[360px]:grid-cols-2 sm:grid-cols-4">
        {ACTIONS.filter(({ permission }) => hasPermission(permission)).map(
          ({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-11 items-center gap-2 rounded-card px-3 text-14 hover:bg-sunken"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
                {label}
              </Link>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
