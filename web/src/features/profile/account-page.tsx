import { PageHeader } from '../../shared/ui/page-header.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { DocumentsTab } from '../documents/index.ts'
import { NotificationsTab, PreferencesTab } from '../preferences/index.ts'
import { ProfileTab } from './profile-tab.tsx'
import { SecurityTab } from './security-tab.tsx'

const TABS = [
  { id: 'profile', label: 'Profile', content: <ProfileTab /> },
  { id: 'security', label: 'Security', content: <SecurityTab /> },
  { id: 'notifications', label: 'Notifications', content: <NotificationsTab /> },
  { id: 'preferences', label: 'Preferences', content: <PreferencesTab /> },
] as const
const STATEMENTS = {
  id: 'statements',
  label: 'Documents and fees',
  content: <DocumentsTab />,
} as const

export function InvestorSettingsPage() {
  return <TabbedPage tabs={[...TABS, STATEMENTS]} />
}

/** Shows the administrator's own account, without the settings of the site. */
export function AdminAccountPage() {
  return <TabbedPage tabs={TABS} />
}

function TabbedPage({ tabs }: { tabs: ReadonlyArray<(typeof TABS)[number] | typeof STATEMENTS> }) {
  const title = usePageTitle()
  const [search] = useSearchParams()
  const url = useUrlState()
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'profile'
  return (
    <>
      <PageHeader hasTimes />
      <Tabs
        label={title}
        value={tab}
        onChange={(next) => url.set({ tab: next }, { replace: true })}
        tabs={tabs}
      />
    </>
  )
}
