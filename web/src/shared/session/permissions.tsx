import type { Permission } from '@cairn/gateway-contracts'
import type { ReactNode } from 'react'

import { useStoredUser } from './stored-user.ts'

/**
 * The permissions of the signed-in administrator; empty for an investor. The server enforces the
 * permissions.
 */
export function usePermissions(): readonly Permission[] {
  return useStoredUser()?.permissions ?? []
}

export function useHasPermission(): (permission: Permission) => boolean {
  const permissions = usePermissions()
  return (permission) => permissions.includes(permission)
}

type AllowedProps = { permission: Permission; otherwise?: ReactNode; children: ReactNode }

/** Renders the children only for an administrator who has the permission. */
export function Allowed({ permission, otherwise = null, children }: AllowedProps) {
  const hasPermission = useHasPermission()
  return hasPermission(permission) ? children : otherwise
}
