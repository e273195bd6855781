export { countShownEndorsements } from './counts.ts'
