export { useChartRange } from './chart-range.ts'
export { NotificationsTab } from './notifications-tab.tsx'
export { PreferencesTab } from './preferences-tab.tsx'
export { useTable } from './table-menu.tsx'
