import { AllowListEntry } from './allow-list.ts'
import {
  defineFlag,
  defineList,
  defineThreshold,
  defineWholeNumber,
  optionalLedger,
  optionalSite,
  site,
} from './setting-kinds.ts'

export const ALLOW_LIST_MAX = 200
export const HOLD_HOURS_MAX = 72
export const STEP_UP_MINUTES_MAX = 480

export const securitySettings = {
  twoFactorAuth: defineFlag({
    ...site,
    section: 'Access',
    label: 'Require two-factor authentication for administrators',
    hint: 'Administrators without a second factor set one up at the next login.',
    initial: true,
    // In the demo, visitors log in as administrators without enrolling a second factor.
    initialInDemo: false,
    weakenedBy: 'switching off',
  }),
  adminPasskey: defineFlag({
    ...optionalSite,
    section: 'Access',
    label: 'Require a passkey for administrators',
    hint: 'Log in with your own passkey before you switch this on; administrators without a passkey add one at the next login.',
    initial: false,
    weakenedBy: 'switching off',
  }),
  /**
   * For this number of minutes after the last use of the second factor, an investor's withdrawals
   * need no new step-up.
   */
  stepUpMinutes: defineWholeNumber({
    ...optionalSite,
    section: 'Access',
    label: 'Step-up interval for investors (minutes)',
    hint: '1 to 480: the time until withdrawals ask for the second factor again; always 5 for administrators.',
    min: 1,
    max: STEP_UP_MINUTES_MAX,
    initial: 15,
    weakenedBy: 'raising',
  }),
  loginAttempts: defineWholeNumber({
    ...site,
    section: 'Access',
    label: 'Login attempts',
    hint: '1 to 10 failed attempts before further attempts are delayed.',
    min: 1,
    max: 10,
    initial: 5,
    weakenedBy: 'raising',
  }),
  passwordExpiry: defineWholeNumber({
    ...site,
    section: 'Access',
    label: 'Password expiry (days)',
    hint: '30 to 365 days; passwords of accounts with a second factor do not expire.',
    min: 30,
    max: 365,
    initial: 90,
    weakenedBy: 'raising',
  }),
  ipWhitelist: defineList({
    ...site,
    section: 'IP whitelist',
    label: 'IP addresses allowed in the admin area',
    of: AllowListEntry,
    max: ALLOW_LIST_MAX,
    noun: 'addresses',
    initial: [],
    weakenedBy: 'widening',
  }),
  autoApproveUsers: defineFlag({
    ...optionalSite,
    section: 'Users and money',
    label: 'Approve new users automatically after email confirmation',
    initial: false,
    initialInDemo: true,
    weakenedBy: 'switching on',
  }),
  /**
   * A decision about this amount or more needs two administrators. Null if one administrator is
   * always enough.
   */
  approvalThreshold: defineThreshold({
    ...optionalLedger,
    section: 'Users and money',
    label: 'Second approval from this amount',
    hint: 'If empty, one administrator is enough.',
    weakenedBy: 'raising',
  }),
  bankCoolingHours: defineWholeNumber({
    ...optionalSite,
    section: 'Users and money',
    label: 'Waiting period for new bank accounts (hours)',
    hint: '0 to 72',
    min: 0,
    max: HOLD_HOURS_MAX,
    initial: 24,
    initialInDemo: 0,
    weakenedBy: 'lowering',
  }),
  credentialHoldHours: defineWholeNumber({
    ...optionalSite,
    section: 'Users and money',
    label: 'Withdrawal pause after a credential change (hours)',
    hint: '0 to 72',
    min: 0,
    max: HOLD_HOURS_MAX,
    initial: 24,
    weakenedBy: 'lowering',
  }),
}
