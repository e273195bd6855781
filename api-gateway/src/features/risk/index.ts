// The exports for other features.
export { acceptRisk, findAcceptance } from './acceptance.ts'
export { listRiskTexts } from './risk-text.ts'
