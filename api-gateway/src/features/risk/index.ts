// What other features use of this one.
export { acceptRisk, findAcceptance } from './acceptance.ts'
export { listRiskTexts } from './risk-text.ts'
