export type Registration = {
  name: string
  gender: string
  phone: string
  email: string
  country: string
  firstAddress: string
  secondAddress: string
  townCity: string
}
export type Step = 1 | 2 | 3 | 4
type Kept = { step: Step; form: Registration }

const KEY = 'cairn.registration'

const EMPTY_REGISTRATION: Registration = {
  name: '',
  gender: '',
  phone: '',
  email: '',
  country: '',
  firstAddress: '',
  secondAddress: '',
  townCity: '',
}

/** Stores the fields that a reload restores. Passwords are never stored. */
export function storeRegistration(kept: Kept): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage, a reload starts the registration from the beginning.
  }
}

export function clearRegistration(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}

/**
 * Makes the registration page open at the code step. Used if a login shows that the email of the
 * user is not confirmed.
 */
export function storeCodeStep(email: string): void {
  storeRegistration({ step: 3, form: { ...EMPTY_REGISTRATION, email } })
}

export function findRegistration(): Kept {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return { step: 1, form: EMPTY_REGISTRATION }
    const { step, form } = stored as { step?: unknown; form?: Record<string, unknown> }
    const fields = Object.entries(EMPTY_REGISTRATION).map(([name, empty]) => {
      const value = form?.[name]
      return [name, typeof value === 'string' ? value : empty]
    })
    // The address step needs the passwords of the first step. A reload loses the passwords, because
    // they are never stored; the wizard therefore starts at the first step again.
    return { step: step === 3 ? 3 : 1, form: Object.fromEntries(fields) as Registration }
  } catch {
    return { step: 1, form: EMPTY_REGISTRATION }
  }
}
