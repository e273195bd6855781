import type { Policy } from '../http/caller.ts'
import type { Settings } from './site-settings.ts'

/** Reads the settings that control access. They are read for each request. */
export async function readPolicy(settings: Settings): Promise<Policy> {
  const { general, security, allowList } = await settings.read()
  return {
    isMaintenance: general.maintenanceMode,
    allowList,
    isAdminMfaRequired: security.twoFactorAuth,
    isPasskeyRequired: security.adminPasskey,
    passwordDays: security.passwordExpiry,
    stepUpMinutes: security.stepUpMinutes,
  }
}
