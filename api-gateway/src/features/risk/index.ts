export { acceptRisk, findAcceptance } from './acceptance.ts'
export { pruneAcceptances } from './prune-acceptances.ts'
export { listRiskTexts } from './risk-text.ts'
