import { ChartNoAxesColumn, CircleHelp, Layers, Wallet } from 'lucide-react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
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
    <Card>
      <CardHeader title="Quick Actions" />
      <ul className="grid gap-1 p-2 sm:grid-cols-2 lg:grid-cols-4">
        {ACTIONS.filter(({ permission }) => hasPermission(permission)).map(
          ({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-11 items-center gap-3 rounded-card px-3 text-14 hover:bg-sunken"
              >
                <Icon aria-hidden="true" className="size-5 text-accent" />
                {label}
              </Link>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
