export { DECISIONS_MIN, measureDecisionTimes } from './decisions.ts'
