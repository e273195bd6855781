import type { ReactNode } from 'react'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { DocumentsTab } from '../documents/index.ts'
import { NotificationsTab, PreferencesTab } from '../preferences/index.ts'
import { ProfileTab } from './profile-tab.tsx'
import { SecurityTab } from './security-tab.tsx'

/** Gives a tab the width in which its texts can be read well, in each of its states. */
const limitWidth = (content: ReactNode) => <div className="lg:max-w-2xl">{content}</div>

const TABS = [
  { id: 'profile', label: 'Profile', content: limitWidth(<ProfileTab />) },
  { id: 'security', label: 'Security', content: limitWidth(<SecurityTab />) },
  { id: 'notifications', label: 'Notifications', content: limitWidth(<NotificationsTab />) },
  { id: 'preferences', label: 'Preferences', content: limitWidth(<PreferencesTab />) },
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
