export { riskTextFor } from './risk-text.ts'
