import type { SignedIn } from '../sessions/index.ts'

export interface ProfileFields {
  name: string
  email: string
  phone: string
  country: string
}

/**
 * Returns the request that saves the form. The form shows the current address also while another
 * address is pending. Unless the user has edited it, the request repeats the pending address, because
 * the current address would withdraw the pending change.
 */
export function toProfileRequest(
  form: ProfileFields,
  { me, isEmailEdited }: { me: Pick<SignedIn, 'pendingEmail'>; isEmailEdited: boolean },
): ProfileFields {
  if (isEmailEdited || me.pendingEmail === null) return form
  return { ...form, email: me.pendingEmail }
}
