export { DECISIONS_MIN, measureDecisionTimes } from './decisions.ts'
export { formatDuration } from './measured.ts'
