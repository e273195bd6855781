import { createStoredChoice, useStoredChoice } from '../../shared/preferences/stored-choice.ts'
import { useStoredUser } from '../../shared/session/stored-user.ts'

/** The country that a visitor without an account chose. It is never derived from an IP address. */
export const chosenCountry = createStoredChoice<string>('cairn.country', null, '')

/**
 * Returns the country of the account. For a visitor without an account, returns the country that
 * the visitor chose. Returns an empty text if no country is known.
 */
export function useVisitorCountry(): string {
  const chosen = useStoredChoice(chosenCountry)
  return useStoredUser()?.country ?? chosen
}
