import { ChartNoAxesColumn, CircleHelp, Layers, Wallet } from 'lucide-react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Link } from '../../shared/url/navigation.tsx'

const ACTIONS = [
  { to: '/manage/admin/plans', label: 'Manage Plans', icon: Layers, permission: 'plans.read' },
  {
    to: '/manage/admin/payment_options',
    label: 'Payment Options',
    icon: Wallet,
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
    <Card
      aria-labelledby="quick-actions"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2"
    >
      <h2 id="quick-actions" className="py-2 font-semibold text-16 max-lg:w-full">
        Quick Actions
      </h2>
      <ul className="-mx-3 grid flex-1 gap-1 max-sm:basis-full sm:grid-cols-4">
        {ACTIONS.filter(({ permission }) => hasPermission(permission)).map(
          ({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-11 items-center gap-3 rounded-card px-3 text-14 hover:bg-sunken"
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
