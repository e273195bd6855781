export { findRiskText } from './risk-text.ts'
