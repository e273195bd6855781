import { storedChoice, useStoredChoice } from './stored-choice.ts'

export const amountsChoice = storedChoice('cairn.amounts', ['shown', 'hidden'], 'shown')

export function useAmountsHidden(): boolean {
  return useStoredChoice(amountsChoice) === 'hidden'
}
