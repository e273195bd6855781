import type { SignedIn } from '../sessions/index.ts'

export interface ProfileFields {
  name: string
  email: string
  phone: string
  country: string
}

type Stored = Pick<
  SignedIn,
  'name' | 'email' | 'phone' | 'country' | 'pendingName' | 'pendingEmail'
>

/**
 * Returns the values that the form shows. The form shows the current address also while another
 * address is pending.
 */
export function toProfileFields({
  name,
  email,
  phone,
  country,
  pendingName,
}: Stored): ProfileFields {
  return { name: pendingName ?? name, email, phone, country }
}

/**
 * Returns the request that changes the given fields. The other fields repeat what is stored or
 * pending now, because an older value would undo a change that was made elsewhere, and the current
 * name or address would withdraw a pending change.
 */
export function toProfileRequest(me: Stored, changes: Partial<ProfileFields>): ProfileFields {
  return { ...toProfileFields(me), email: me.pendingEmail ?? me.email, ...changes }
}
