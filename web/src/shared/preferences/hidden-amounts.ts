import { createStoredChoice, useStoredChoice } from './stored-choice.ts'

export const amountsChoice = createStoredChoice('cairn.amounts', ['shown', 'hidden'], 'shown')

export function useAmountsHidden(): boolean {
  return useStoredChoice(amountsChoice) === 'hidden'
}
