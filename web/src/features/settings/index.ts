export { adminSettingsQueries } from './admin-queries.ts'
export { DemoMailNotice } from './demo-mail-notice.tsx'
export { type PublicSettings, settingsQueries, useIsDemo } from './queries.ts'
export { describeWithdrawalLimits } from './withdrawal-limits.ts'
