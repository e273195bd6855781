import { storedChoice, useStoredChoice } from '../../shared/preferences/stored-choice.ts'
import { useStoredUser } from '../../shared/session/stored-user.ts'

/** What a visitor without an account says; nobody is located by an address. */
export const chosenCountry = storedChoice<string>('cairn.country', null, '')

/** Of the account, or what was chosen here; empty: neither. */
export function useVisitorCountry(): string {
  const chosen = useStoredChoice(chosenCountry)
  return useStoredUser()?.country ?? chosen
}
