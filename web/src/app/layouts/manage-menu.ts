import {
  ArrowLeftRight,
  BookOpen,
  ChartNoAxesColumn,
  ClipboardCheck,
  Cog,
  Handshake,
  Landmark,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquare,
  ScrollText,
  Settings,
  Stamp,
  Users,
} from 'lucide-react'

import type { Role } from '../../shared/session/stored-user.ts'

export type MenuEntry = { to: string; label: string; icon: LucideIcon }

export const MENUS: Record<Role, readonly MenuEntry[]> = {
  user: [
    { to: '/manage/investor/dashboard', label: 'Dashboard', icon: LayoutDashboard },
    { to: '/manage/investor/investments', label: 'Investments', icon: ChartNoAxesColumn },
    { to: '/manage/investor/transactions', label: 'Transactions', icon: ArrowLeftRight },
    { to: '/manage/investor/referrals', label: 'Referrals', icon: Handshake },
    { to: '/manage/investor/settings', label: 'Settings', icon: Settings },
  ],
  admin: [
    { to: '/manage/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
    { to: '/manage/admin/users', label: 'Manage Users', icon: Users },
    { to: '/manage/admin/transactions', label: 'Transactions', icon: ArrowLeftRight },
    { to: '/manage/admin/investments', label: 'Investments', icon: ChartNoAxesColumn },
    { to: '/manage/admin/settings', label: 'Settings', icon: Settings },
  ],
}

/** The second group of the sidebar: audit and operations. */
export const AUDIT_MENU: readonly MenuEntry[] = [
  { to: '/manage/admin/approvals', label: 'Approvals', icon: ClipboardCheck },
  { to: '/manage/admin/ledger', label: 'Log', icon: Layers },
  { to: '/manage/admin/accounts', label: 'Accounts', icon: BookOpen },
  { to: '/manage/admin/checkpoints', label: 'Checkpoints', icon: Stamp },
  { to: '/manage/admin/audit', label: 'Audit log', icon: ScrollText },
  { to: '/manage/admin/reserve', label: 'Reserve', icon: Landmark },
  { to: '/manage/admin/claims', label: 'Claims', icon: Megaphone },
  { to: '/manage/admin/messages', label: 'Messages', icon: MessageSquare },
  { to: '/manage/admin/templates', label: 'Mail templates', icon: Mail },
  { to: '/manage/admin/jobs', label: 'Jobs', icon: Cog },
]

/** Pages that are not in the sidebar. The command palette lists them too. */
export const FURTHER_PAGES: Record<Role, ReadonlyArray<{ to: string; label: string }>> = {
  user: [
    { to: '/manage/investor/deposit', label: 'Deposit Funds' },
    { to: '/manage/investor/withdrawal', label: 'Withdraw Funds' },
    { to: '/manage/investor/transactions?banks=open', label: 'Bank Accounts' },
    { to: '/manage/investor/investments?view=new', label: 'New Investment' },
    { to: '/manage/investor/notifications', label: 'Notifications' },
    { to: '/manage/investor/settings?tab=security', label: 'Password and two-factor' },
    { to: '/manage/investor/settings?tab=notifications', label: 'Notification settings' },
    { to: '/manage/investor/settings?tab=statements', label: 'Statements and fees' },
    { to: '/verify', label: 'Verify a receipt' },
  ],
  admin: [
    { to: '/manage/admin/transactions?status=pending', label: 'Pending Transactions' },
    { to: '/manage/admin/plans', label: 'Manage Plans' },
    { to: '/manage/admin/payment_options', label: 'Payment Options' },
    { to: '/manage/admin/faq', label: 'Manage FAQ' },
    { to: '/manage/admin/referrals', label: 'Referrals' },
    ...AUDIT_MENU,
    { to: '/verify', label: 'Verify a receipt' },
  ],
}
